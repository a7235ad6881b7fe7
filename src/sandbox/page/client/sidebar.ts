import type { MemberView, Snapshot } from '../protocol.ts';
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
