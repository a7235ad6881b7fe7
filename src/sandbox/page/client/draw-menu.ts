import type { ComponentView } from '../protocol.ts';
import { element } from './element.ts';
import { createListbox, type Listbox } from './listbox.ts';

type Menu = Extract<ComponentView, { type: 'menu' }>;

/** Menus so far: each list has an id of its own. */
let menus = 0;

/** A menu of a message. While a press is pending, nothing can be picked. */
export function drawMenu(
  menu: Menu,
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
    if (opener.ariaDisabled === 'true') return;
    const items = choices.map((choice) => ({ ...choice, detail: choice.description }));
    listbox.show(placeholder, items, Math.max(picked, 0), pick);
  }

  function pick(index: number): void {
    const choice = choices[index];
    if (choice === undefined) return;
    listbox.hide();
    press(customId, [choice.value]);
  }

  // The opener reads the choices: as new text of the log they would be read twice.
  return element('div', { class: 'menu-box', 'aria-live': 'off' }, opener, listbox.box);
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
