import type { MemberView } from '../protocol.ts';
import { avatar, byId, element, redraw } from './element.ts';
import { number, t } from './text.ts';

const statuses = ['online', 'idle', 'dnd', 'offline'] as const;

/** A click on a person opens the bot's `menu`; `use` is called with the picked entry and the person. */
export function drawMembers(
  members: readonly MemberView[],
  menu: readonly string[],
  use: (entry: string, personId: string) => void,
): void {
  const opened = document.querySelector<HTMLElement>('#members details[open]')?.dataset['person'];
  const known = new Set<string>(statuses);
  redraw(
    byId('members'),
    ...statuses.flatMap((status) => {
      const title = t(`members.${status}`);
      const group = members.filter(
        (member) => member.status === status || (status === 'online' && !known.has(member.status)),
      );
      if (group.length === 0) return [];
      return [
        element('h2', {}, `${title} — ${number(group.length)}`),
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
    element('summary', { id: `member-${id}` }, drawn),
    ...menu.map((entry, index) =>
      element(
        'button',
        {
          type: 'button',
          id: `member-${id}-${index}`,
          class: 'button secondary',
          'aria-label': `${t('members.apps', { entry })} (${name})`,
          onclick: () => {
            details.open = false;
            details.querySelector('summary')?.focus();
            use(entry, id);
          },
        },
        t('members.apps', { entry }),
      ),
    ),
  );
  return details;
}
