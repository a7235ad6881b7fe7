import type { FaultView, MemberView, Snapshot } from '../protocol.ts';
import type { Connection } from './connection.ts';
import { avatar, byId, element } from './element.ts';

const groups: readonly (readonly [string, string])[] = [
  ['online', 'Online'],
  ['idle', 'Idle'],
  ['dnd', 'Do not disturb'],
  ['offline', 'Offline'],
];

export function drawChannels(
  snapshot: Snapshot,
  shown: string,
  unread: ReadonlySet<string>,
  show: (channelId: string) => void,
): void {
  const { guild, channels, me, people } = snapshot;
  byId('channels').replaceChildren(
    element('div', { class: 'bar guild' }, guild),
    element(
      'ul',
      { class: 'channel-list' },
      ...channels.map(({ id, name }) =>
        element(
          'li',
          {},
          element(
            'button',
            {
              type: 'button',
              class: unread.has(id) ? 'channel unread' : 'channel',
              'aria-current': id === shown ? 'page' : null,
              onclick: () => show(id),
            },
            element('span', { class: 'hash', 'aria-hidden': 'true' }, '#'),
            name,
            unread.has(id) ? element('span', { class: 'unseen' }, ' (new messages)') : null,
          ),
        ),
      ),
    ),
    element(
      'div',
      { class: 'me' },
      avatar(me.id, me.name),
      element(
        'label',
        {},
        element('span', { class: 'me-label' }, 'You are'),
        element(
          'select',
          {
            // Another visitor is another page, with their own private replies.
            onchange: (event: Event) => {
              const { currentTarget } = event;
              if (currentTarget instanceof HTMLSelectElement)
                location.search = new URLSearchParams({ as: currentTarget.value }).toString();
            },
          },
          ...people.map(({ id, name }) => element('option', { value: id, selected: id === me.id }, name)),
        ),
      ),
    ),
  );
}

/** A click on a person opens the bot's `menu`; `use` is called with the picked entry and the person. */
export function drawMembers(
  members: readonly MemberView[],
  menu: readonly string[],
  use: (entry: string, personId: string) => void,
): void {
  const opened = document.querySelector<HTMLElement>('#members details[open]')?.dataset['person'];
  const known = new Set(groups.map(([status]) => status));
  byId('members').replaceChildren(
    ...groups.flatMap(([status, title]) => {
      const group = members.filter(
        (member) => member.status === status || (status === 'online' && !known.has(member.status)),
      );
      if (group.length === 0) return [];
      return [
        element('h2', {}, `${title} — ${group.length}`),
        element(
          'ul',
          {},
          ...group.map((member) => {
            const drawn = drawMember(member, title);
            if (member.app || menu.length === 0) return element('li', {}, drawn);
            const details = drawMenu(drawn, member, menu, use);
            details.open = member.id === opened;
            return element('li', {}, details);
          }),
        ),
      ];
    }),
  );
}

function drawMember({ id, name, app, status, activity }: MemberView, title: string): HTMLElement {
  return element(
    'span',
    { class: `member ${status}` },
    element('span', { class: 'face' }, avatar(id, name), element('span', { class: 'dot', title })),
    element(
      'span',
      { class: 'who' },
      element('span', { class: 'name' }, name, app ? element('span', { class: 'app' }, 'APP') : null),
      activity === null ? null : element('span', { class: 'activity' }, activity),
    ),
  );
}

function drawMenu(
  drawn: HTMLElement,
  { id, name }: MemberView,
  menu: readonly string[],
  use: (entry: string, personId: string) => void,
): HTMLDetailsElement {
  const details = element(
    'details',
    { class: 'member-menu', 'data-person': id, name: 'member-menu' },
    element('summary', {}, drawn),
    ...menu.map((entry) =>
      element(
        'button',
        {
          type: 'button',
          class: 'button secondary',
          'aria-label': `${entry}: ${name}`,
          onclick: () => {
            details.open = false;
            use(entry, id);
          },
        },
        `Apps: ${entry}`,
      ),
    ),
  );
  return details;
}

const leaps: readonly (readonly [string, number])[] = [
  ['1 minute', 60],
  ['10 minutes', 600],
  ['1 hour', 3600],
];

/** The fault panel; `requests` is a text node that its owner updates. */
export function drawFaults(
  faults: readonly FaultView[],
  requests: Node,
  connection: Connection,
  close: () => void,
): void {
  const side = (name: FaultView['side']): readonly HTMLElement[] =>
    faults.filter((fault) => fault.side === name).map((fault) => drawSwitch(fault, connection));
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : '';
  byId('faults').replaceChildren(
    element(
      'div',
      { class: 'bar' },
      element('h2', {}, 'Make it go wrong'),
      element(
        'button',
        { type: 'button', class: 'icon', onclick: close, 'aria-label': 'Close', id: 'faults-close' },
        '✕',
      ),
    ),
    element(
      'p',
      {},
      'See how the bot behaves when something around it fails. Everything stays on this machine.',
    ),
    element('h3', {}, 'Data service'),
    element('div', { class: 'switches' }, ...side('service')),
    element('h3', {}, 'Chat server'),
    element('div', { class: 'switches' }, ...side('chat')),
    element('h3', {}, 'Let time pass in the game'),
    element(
      'div',
      { class: 'leaps' },
      ...leaps.map(([label, seconds]) =>
        element(
          'button',
          {
            type: 'button',
            class: 'button secondary',
            id: `leap-${seconds}`,
            onclick: () => void connection.ask({ type: 'advance', seconds }),
          },
          label,
        ),
      ),
    ),
    element('p', { class: 'requests' }, 'Requests that the data service has counted so far: ', requests),
  );
  if (focused !== '') document.getElementById(focused)?.focus();
  const on = faults.filter((fault) => fault.on).length;
  const count = byId('fault-count');
  count.hidden = on === 0;
  count.textContent = `${on} on`;
}

function drawSwitch({ side, name, label, on }: FaultView, connection: Connection): HTMLElement {
  return element(
    'button',
    {
      type: 'button',
      role: 'switch',
      class: 'switch',
      id: `fault-${side}-${name}`,
      'aria-checked': String(on),
      onclick: () => void connection.ask({ type: 'fault', side, name, on: !on }),
    },
    element('span', {}, label),
    element('span', { class: 'knob', 'aria-hidden': 'true' }),
  );
}
