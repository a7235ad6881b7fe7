import type { ComponentView } from '../protocol.ts';
import { element } from './element.ts';
import { createListbox } from './listbox.ts';
import type { Reader } from './reader.ts';

/** The state of an interaction with one message. */
export interface Pressing {
  /** The custom id being waited for. */
  readonly busy: string | null;
  readonly failure: string | null;
}

type Press = (customId: string, values?: readonly string[]) => void;
type Button = Extract<ComponentView, { type: 'button' }>;
type Menu = Extract<ComponentView, { type: 'menu' }>;

export function drawRows(
  reader: Reader,
  rows: readonly (readonly ComponentView[])[],
  { busy, failure }: Pressing,
  press: Press,
): readonly Node[] {
  const drawn = rows.map((row) =>
    element(
      'div',
      { class: 'row', role: 'group', 'aria-label': reader.t('message.actions') },
      ...row.map((component) => {
        if (component.type === 'button') return drawButton(component, busy, press);
        if (component.type === 'menu') return drawMenu(reader, component, busy, press);
        return element(
          'span',
          { class: 'unknown' },
          reader.t('message.unknown', { kind: String(component.kind) }),
        );
      }),
    ),
  );
  return failure === null ? drawn : [...drawn, element('p', { class: 'failure', role: 'alert' }, failure)];
}

function drawButton(button: Button, busy: string | null, press: Press): HTMLElement {
  const inside = [
    button.emoji === '' ? null : element('span', { class: 'emoji', 'aria-hidden': 'true' }, button.emoji),
    button.label === '' ? null : element('span', {}, button.label),
  ];
  const name = button.label === '' ? { 'aria-label': button.emoji } : {};
  if (button.url !== null) {
    // Links of schemes that Discord does not open are inactive.
    const href = /^https?:/.test(button.url) ? { href: button.url } : {};
    const arrow = element('span', { 'aria-hidden': 'true' }, '↗');
    return element(
      'a',
      { class: 'button link', target: '_blank', rel: 'noopener noreferrer', ...href, ...name },
      ...inside,
      arrow,
    );
  }
  const { customId } = button;
  const waiting = customId !== null && busy === customId;
  return element(
    'button',
    {
      type: 'button',
      class: `button ${button.style}`,
      'data-custom-id': customId,
      'aria-busy': waiting ? 'true' : null,
      disabled: button.disabled,
      // While one press is pending, others do nothing; unlike disabled buttons, they keep the focus.
      'aria-disabled': busy !== null ? 'true' : null,
      onclick: () => customId !== null && busy === null && press(customId),
      ...name,
    },
    ...inside,
  );
}

let menus = 0;

function drawMenu({ t }: Reader, menu: Menu, busy: string | null, press: Press): HTMLElement {
  const several = menu.max > 1;
  const placeholder = menu.placeholder ?? t('message.select');
  const picked = new Set(menu.choices.filter((choice) => choice.picked).map(({ value }) => value));
  const label = element('span', { class: 'menu-label' });
  const name = (): void => {
    const labels = menu.choices.filter(({ value }) => picked.has(value)).map((choice) => choice.label);
    label.textContent = labels.length === 0 ? placeholder : labels.join(', ');
    label.classList.toggle('placeholder', labels.length === 0);
  };
  name();
  const listbox = createListbox(`menu-${++menus}`, () => opener);
  const before = [...picked].toSorted().join('\n');

  function open(): void {
    if (menu.disabled || busy !== null) return;
    const items = menu.choices.map((choice) => ({
      label: `${choice.emoji} ${choice.label}`.trim(),
      detail: choice.description,
      picked: picked.has(choice.value),
    }));
    const first = Math.max(
      menu.choices.findIndex(({ value }) => picked.has(value)),
      0,
    );
    listbox.show(several ? t('message.selectUpTo', { count: menu.max }) : placeholder, items, first, pick);
  }

  function pick(index: number): void {
    const choice = menu.choices[index];
    if (choice === undefined) return;
    if (!several) {
      listbox.hide();
      press(menu.customId, [choice.value]);
      return;
    }
    if (picked.has(choice.value)) picked.delete(choice.value);
    else if (picked.size < menu.max) picked.add(choice.value);
    name();
    open();
  }

  /** Multiple values are sent when the list closes, if there are enough and they changed. */
  function close(): void {
    if (!listbox.open) return;
    listbox.hide();
    const values = menu.choices.map(({ value }) => value).filter((value) => picked.has(value));
    if (several && values.length >= menu.min && values.toSorted().join('\n') !== before)
      press(menu.customId, values);
  }

  const opener = element(
    'button',
    {
      type: 'button',
      class: 'menu',
      role: 'combobox',
      'aria-haspopup': 'listbox',
      'aria-expanded': 'false',
      'aria-busy': busy === menu.customId ? 'true' : null,
      'aria-label': placeholder,
      'data-custom-id': menu.customId,
      disabled: menu.disabled,
      onclick: () => (listbox.open ? close() : open()),
      onblur: close,
      onkeydown: (event: KeyboardEvent) => {
        if (!listbox.open && event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          if (listbox.open) listbox.move(event.key === 'ArrowDown' ? 1 : -1);
          else open();
        } else if (event.key === 'Enter' || event.key === ' ') pick(listbox.active);
        else if (event.key === 'Escape') close();
        else return;
        event.preventDefault();
        event.stopPropagation();
      },
    },
    label,
    element('span', { class: 'chevron', 'aria-hidden': 'true' }, '⌄'),
  );
  return element('div', { class: 'menu-box' }, opener, listbox.box);
}
