import type { ComponentView } from '../protocol.ts';
import { drawMenu } from './draw-menu.ts';
import { element } from './element.ts';

/** The state of an interaction with one message. */
export interface Pressing {
  /** The custom id being waited for. */
  readonly busy: string | null;
  readonly failure: string | null;
}

type Press = (customId: string, values?: readonly string[]) => void;
type Button = Extract<ComponentView, { type: 'button' }>;

export function drawRows(
  rows: readonly (readonly ComponentView[])[],
  { busy, failure }: Pressing,
  press: Press,
): readonly Node[] {
  const drawn = rows.map((row) =>
    element(
      'div',
      { class: 'row', role: 'group', 'aria-label': 'Actions' },
      ...row.map((component) => {
        if (component.type === 'button') return drawButton(component, busy, press);
        if (component.type === 'menu') return drawMenu(component, busy, press);
        return element(
          'span',
          { class: 'unknown' },
          `A component of kind ${component.kind} is not drawn here.`,
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
  const { customId } = button;
  return element(
    'button',
    {
      type: 'button',
      class: `button ${button.style}`,
      'data-custom-id': customId,
      'aria-busy': busy === customId ? 'true' : null,
      disabled: button.disabled,
      // While one press is pending, others do nothing; unlike disabled buttons, they keep the focus.
      'aria-disabled': busy !== null ? 'true' : null,
      onclick: () => busy === null && press(customId),
      ...name,
    },
    ...inside,
  );
}
