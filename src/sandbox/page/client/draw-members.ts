import type { MemberView } from '../protocol.ts';
import { avatar, byId, element, redraw } from './element.ts';
import { number } from './text.ts';

const statuses = { online: 'Online', idle: 'Idle', dnd: 'Do not disturb', offline: 'Offline' };

/** A click on a person opens the bot's `menu`; `use` is called with the picked entry and the person. */
export function drawMembers(
  members: readonly MemberView[],
  menu: readonly string[],
  use: (entry: string, personId: string) => void,
): void {
  const opened = document.querySelector<HTMLElement>('#members details[open]')?.dataset['person'];
  redraw(
    byId('members'),
    ...Object.entries(statuses).flatMap(([status, title]) => {
      const group = members.filter(
        (member) =>
          member.status === status || (status === 'online' && !Object.hasOwn(statuses, member.status)),
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
          'aria-label': `Apps: ${entry} (${name})`,
          onclick: () => {
            details.open = false;
            details.querySelector('summary')?.focus();
            use(entry, id);
          },
        },
        `Apps: ${entry}`,
      ),
    ),
  );
  return details;
}
