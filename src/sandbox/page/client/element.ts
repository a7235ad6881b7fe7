type Value = string | boolean | null | ((event: never) => void);
export type Child = Node | string | null;

/**
 * Builds an element. Strings become text nodes, never markup; `true` sets a bare attribute, `false` and null none;
 * a function is a listener (`onclick`, `onkeydown`).
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as (event: Event) => void);
    else if (value === true) made.setAttribute(name, '');
    else if (typeof value === 'string') made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** An element of the page's static HTML. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

/** Replaces the children; the focus stays on the one with the same id. */
export function redraw(host: HTMLElement, ...children: readonly Node[]): void {
  const focused = host.contains(document.activeElement) ? document.activeElement?.id : undefined;
  host.replaceChildren(...children);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A round avatar made of initials: no image is fetched from outside. */
export function avatar(id: string, name: string): HTMLElement {
  const initials = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  const letters = initials.filter((letter) => /[\p{L}\p{N}]/u.test(letter)).slice(0, 2);
  const hue = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);
  const made = element(
    'span',
    { class: 'avatar', 'aria-hidden': 'true' },
    letters.join('').toUpperCase() || '·',
  );
  made.style.setProperty('--hue', String(hue));
  return made;
}
