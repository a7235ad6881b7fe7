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
  failure: string | null,
  press: Press,
): readonly Node[] {
  const drawn = rows.map((row) =>
    element(
      'div',
      { class: 'row', role: 'group', 'aria-label': 'Actions' },
      ...row.map((component) => {
        if (component.type === 'button') return drawButton(component, press);
        if (component.type === 'menu') return drawMenu(component, press);
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

/**
 * Shows in place which control of a message is waited for: a message that is drawn anew would be read aloud again. The others
 * do nothing meanwhile; unlike disabled ones they keep the focus.
 */
export function showBusy(message: HTMLElement, busy: string | null): void {
  for (const control of message.querySelectorAll<HTMLElement>('[data-custom-id]')) {
    control.ariaBusy = busy === control.dataset['customId'] ? 'true' : null;
    control.ariaDisabled = busy === null ? null : 'true';
  }
}

function drawButton(button: Button, press: Press): HTMLElement {
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
      disabled: button.disabled,
      onclick: () => press(customId),
      ...name,
    },
    ...inside,
  );
}
