import type { ChannelView, MemberView, Snapshot } from '../protocol.ts';
import { avatar, byId, element } from './element.ts';
import { languages } from './languages.ts';
import type { Reader } from './reader.ts';

const statuses = ['online', 'idle', 'dnd', 'offline'] as const;

export function drawChannels(
  { locale, t }: Reader,
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
      ...channels.map((channel) => {
        if (channel.type === 'voice') return drawVoice(t('page.voice'), channel);
        const { id, name } = channel;
        return element(
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
            unread.has(id) ? element('span', { class: 'unseen' }, ` ${t('page.unread')}`) : null,
          ),
        );
      }),
    ),
    element(
      'div',
      { class: 'me' },
      avatar(me.id, me.name),
      element(
        'div',
        { class: 'choices' },
        // Another visitor is another page, with their own private replies; so is another language.
        drawChoice(t('page.you'), 'as', me.id, people),
        drawChoice(
          t('page.language'),
          'lang',
          locale,
          languages.map(({ language, name }) => ({ id: language, name, lang: language })),
        ),
      ),
    ),
  );
}

/** Nobody can join it here; what it says can be read. */
function drawVoice(kind: string, { name, status }: Extract<ChannelView, { type: 'voice' }>): HTMLElement {
  return element(
    'li',
    { class: 'channel voice' },
    element('span', { class: 'hash', 'aria-hidden': 'true' }, '🔊'),
    element('span', { class: 'unseen' }, `${kind} `),
    name,
    status === null ? null : element('span', { class: 'voice-status', title: status }, status),
  );
}

/** What the page's address says by that name. */
function drawChoice(
  label: string,
  parameter: string,
  chosen: string,
  choices: readonly { readonly id: string; readonly name: string; readonly lang?: string }[],
): HTMLElement {
  const choose = ({ currentTarget }: Event): void => {
    if (!(currentTarget instanceof HTMLSelectElement)) return;
    const address = new URL(location.href);
    address.searchParams.set(parameter, currentTarget.value);
    location.assign(address);
  };
  return element(
    'label',
    {},
    element('span', { class: 'me-label' }, label),
    element(
      'select',
      { onchange: choose },
      ...choices.map(({ id, name, lang = null }) =>
        element('option', { value: id, selected: id === chosen, lang }, name),
      ),
    ),
  );
}

/** A click on a person opens the bot's `menu`; `use` is called with the picked entry and the person. */
export function drawMembers(
  reader: Reader,
  members: readonly MemberView[],
  menu: readonly string[],
  use: (entry: string, personId: string) => void,
): void {
  const opened = document.querySelector<HTMLElement>('#members details[open]')?.dataset['person'];
  const known = new Set<string>(statuses);
  byId('members').replaceChildren(
    ...statuses.flatMap((status) => {
      const title = reader.t(`members.${status}`);
      const group = members.filter(
        (member) => member.status === status || (status === 'online' && !known.has(member.status)),
      );
      if (group.length === 0) return [];
      return [
        element('h2', {}, `${title} — ${reader.number(group.length)}`),
        element(
          'ul',
          {},
          ...group.map((member) => {
            const drawn = drawMember(member, title);
            if (member.app || menu.length === 0) return element('li', {}, drawn);
            const details = drawMenu(reader, drawn, member, menu, use);
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
  { t }: Reader,
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
          'aria-label': `${t('members.apps', { entry })} (${name})`,
          onclick: () => {
            details.open = false;
            use(entry, id);
          },
        },
        t('members.apps', { entry }),
      ),
    ),
  );
  return details;
}
