import type { ComponentView } from '../protocol.ts';
import { element } from './element.ts';
import { createListbox, type Listbox } from './listbox.ts';

type Menu = Extract<ComponentView, { type: 'menu' }>;

/** Menus so far: each list has an id of its own. */
let menus = 0;

/** A menu of a message. `busy`: the custom id of the press that is pending, while which nothing else can be picked. */
export function drawMenu(
  menu: Menu,
  busy: string | null,
  press: (customId: string, values: readonly string[]) => void,
): HTMLElement {
  const { customId, choices, disabled, placeholder = 'Make a selection' } = menu;
  const picked = choices.findIndex((choice) => choice.picked);
  const opener = element(
    'button',
    {
      type: 'button',
      class: 'menu',
      role: 'combobox',
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      'aria-busy': busy === customId ? 'true' : null,
      'aria-label': placeholder,
      'data-custom-id': customId,
      disabled,
      onclick: () => (listbox.open ? listbox.hide() : open()),
      onblur: () => listbox.hide(),
      onkeydown: (event: KeyboardEvent) => keyed(event, listbox, open, pick),
    },
    element('span', { class: picked === -1 ? 'placeholder' : '' }, choices[picked]?.label ?? placeholder),
    element('span', { class: 'chevron', 'aria-hidden': 'true' }, '⌄'),
  );
  const listbox = createListbox(`menu-${++menus}`, () => opener);

  function open(): void {
    if (busy !== null) return;
    const items = choices.map((choice) => ({ ...choice, detail: choice.description }));
    listbox.show(placeholder, items, Math.max(picked, 0), pick);
  }

  function pick(index: number): void {
    const choice = choices[index];
    if (choice === undefined) return;
    listbox.hide();
    press(customId, [choice.value]);
  }

  return element('div', { class: 'menu-box' }, opener, listbox.box);
}

function keyed(
  event: KeyboardEvent,
  listbox: Listbox,
  open: () => void,
  pick: (index: number) => void,
): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step !== 0) listbox.open ? listbox.move(step) : open();
  else if (!listbox.open) return;
  else if (event.key === 'Enter' || event.key === ' ') pick(listbox.active);
  else if (event.key === 'Escape') listbox.hide();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
