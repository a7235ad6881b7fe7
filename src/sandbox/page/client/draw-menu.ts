import type { ComponentView } from '../protocol.ts';
import { element } from './element.ts';
import { createListbox, type Listbox } from './listbox.ts';
import { t } from './text.ts';

type Menu = Extract<ComponentView, { type: 'menu' }>;
type Choice = Menu['choices'][number];

/** Menus so far: each list has an id of its own. */
let menus = 0;

/** A menu of a message. `busy`: the custom id of the press that is pending, while which nothing else can be picked. */
export function drawMenu(
  menu: Menu,
  busy: string | null,
  press: (customId: string, values: readonly string[]) => void,
): HTMLElement {
  const placeholder = menu.placeholder ?? t('message.select');
  const picks = createPicks(menu);
  const label = element('span', { class: 'menu-label' });
  const opener = drawOpener({ ...menu, placeholder }, busy, label, {
    onclick: () => (listbox.open ? close() : open()),
    onblur: close,
    onkeydown: (event) => keyed(event, listbox, { open, close, pick }),
  });
  const listbox = createListbox(`menu-${++menus}`, () => opener);
  name();

  function name(): void {
    const labels = menu.choices.filter(picks.has).map((choice) => choice.label);
    label.textContent = labels.length === 0 ? placeholder : labels.join(', ');
    label.classList.toggle('placeholder', labels.length === 0);
  }

  function open(): void {
    if (menu.disabled || busy !== null) return;
    const title = menu.max > 1 ? t('message.selectUpTo', { count: menu.max }) : placeholder;
    listbox.show(title, menu.choices.map(itemOf), Math.max(menu.choices.findIndex(picks.has), 0), pick);
  }

  function itemOf(choice: Choice) {
    const text = `${choice.emoji} ${choice.label}`.trim();
    return { label: text, detail: choice.description, picked: picks.has(choice) };
  }

  function pick(index: number): void {
    const choice = menu.choices[index];
    if (choice === undefined) return;
    if (menu.max === 1) {
      listbox.hide();
      press(menu.customId, [choice.value]);
      return;
    }
    picks.toggle(choice);
    name();
    open();
  }

  /** Multiple values are sent when the list closes, if there are enough and they changed. */
  function close(): void {
    if (!listbox.open) return;
    listbox.hide();
    const values = picks.changed;
    if (menu.max > 1 && values !== null && values.length >= menu.min) press(menu.customId, values);
  }

  return element('div', { class: 'menu-box' }, opener, listbox.box);
}

interface OpenerEvents {
  onclick(): void;
  onblur(): void;
  onkeydown(event: KeyboardEvent): void;
}

function drawOpener(
  { customId, placeholder, disabled }: Menu & { readonly placeholder: string },
  busy: string | null,
  label: HTMLElement,
  { onclick, onblur, onkeydown }: OpenerEvents,
): HTMLElement {
  return element(
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
      onclick,
      onblur,
      onkeydown,
    },
    label,
    element('span', { class: 'chevron', 'aria-hidden': 'true' }, '⌄'),
  );
}

interface MenuActions {
  open(): void;
  close(): void;
  pick(index: number): void;
}

function keyed(event: KeyboardEvent, listbox: Listbox, { open, close, pick }: MenuActions): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step !== 0) listbox.open ? listbox.move(step) : open();
  else if (!listbox.open) return;
  else if (event.key === 'Enter' || event.key === ' ') pick(listbox.active);
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Choices picked in a menu that takes several. */
function createPicks({ choices, max }: Menu) {
  const picked = new Set(choices.filter((choice) => choice.picked).map(({ value }) => value));
  const before = [...picked].toSorted().join('\n');
  return {
    has: ({ value }: Choice): boolean => picked.has(value),
    toggle({ value }: Choice): void {
      if (picked.has(value)) picked.delete(value);
      else if (picked.size < max) picked.add(value);
    },
    /** In the menu's order; null where it is what it was. */
    get changed(): readonly string[] | null {
      if ([...picked].toSorted().join('\n') === before) return null;
      return choices.map(({ value }) => value).filter((value) => picked.has(value));
    },
  };
}
