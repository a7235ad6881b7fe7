import { type Language, languageNames } from '../../../base/languages.ts';
import type { Snapshot } from '../protocol.ts';
import { avatar, byId, element } from './element.ts';

/** Menus of the visitor and their language. Another visitor is another page, with their own private replies. */
export function drawVisitor(language: Language, { me, people }: Pick<Snapshot, 'me' | 'people'>): void {
  byId('me').replaceChildren(
    avatar(me.id, me.name),
    element(
      'div',
      { class: 'choices' },
      drawChoice('You are', 'as', me.id, people),
      drawChoice(
        'Language',
        'lang',
        language,
        Object.entries(languageNames).map(([id, name]) => ({ id, name, lang: id })),
      ),
    ),
  );
}

/** Draws a menu whose choice becomes a parameter of the page's address. */
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
