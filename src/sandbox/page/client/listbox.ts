import { element } from './element.ts';

interface Item {
  readonly label: string;
  readonly detail?: string;
  readonly picked?: boolean;
}

export interface Listbox {
  readonly box: HTMLElement;
  readonly open: boolean;
  /** Shows `items` under `title`; Enter picks the item at `active` (-1: none). */
  show(title: string, items: readonly Item[], active: number, pick: (index: number) => void): void;
  hide(): void;
  move(by: number): void;
  /** Deselects, so that Enter picks nothing until the selection moves. */
  rest(): void;
  /** -1 where none is. */
  readonly active: number;
}

/**
 * A list for the element currently returned by `owner`, which keeps the focus: arrow keys move through it with
 * `aria-activedescendant`.
 */
export function createListbox(id: string, owner: () => HTMLElement | null): Listbox {
  const heading = element('div', { class: 'list-title' });
  const list = element('div', { role: 'listbox', id, class: 'list-items' });
  const box = element('div', { class: 'list', hidden: true }, heading, list);
  let active = -1;

  function activate(index: number): void {
    active = index;
    [...list.children].forEach((child, position) => {
      child.setAttribute('aria-selected', String(position === index));
    });
    const current = list.children[index];
    current?.scrollIntoView({ block: 'nearest' });
    if (current === undefined) owner()?.removeAttribute('aria-activedescendant');
    else owner()?.setAttribute('aria-activedescendant', current.id);
  }

  return {
    box,
    get open() {
      return !box.hidden;
    },
    get active() {
      return active;
    },
    show(title, items, first, pick) {
      heading.textContent = title;
      list.setAttribute('aria-label', title);
      list.replaceChildren(
        ...items.map((item, index) =>
          drawItem(`${id}-${index}`, item, {
            onmousemove: () => index !== active && activate(index),
            onclick: () => pick(index),
          }),
        ),
      );
      box.hidden = false;
      tellExpanded(owner(), items.length > 0);
      owner()?.setAttribute('aria-controls', id);
      activate(Math.min(first, items.length - 1));
      // A list within a message makes it taller, and may end below the visible part.
      if (box.closest('#messages') !== null) box.scrollIntoView({ block: 'nearest' });
    },
    hide() {
      box.hidden = true;
      active = -1;
      list.replaceChildren();
      tellExpanded(owner(), false);
      owner()?.removeAttribute('aria-activedescendant');
    },
    move(by) {
      const count = list.children.length;
      const from = active === -1 && by < 0 ? 0 : active;
      if (count > 0) activate((from + by + count) % count);
    },
    rest: () => activate(-1),
  };
}

function drawItem(
  id: string,
  { label, detail = '', picked = false }: Item,
  events: { readonly onmousemove: () => void; readonly onclick: () => void },
): HTMLElement {
  // Keeps the focus in the owner, so that typing continues.
  const onmousedown = (event: MouseEvent): void => event.preventDefault();
  return element(
    'div',
    { role: 'option', id, class: picked ? 'item picked' : 'item', onmousedown, ...events },
    element('span', { class: 'item-label' }, label),
    detail === '' ? null : element('span', { class: 'item-detail' }, detail),
  );
}

/** A field of several lines is no combobox, and has no such state. */
function tellExpanded(owner: HTMLElement | null, expanded: boolean): void {
  if (owner?.role === 'combobox') owner.setAttribute('aria-expanded', String(expanded));
}
