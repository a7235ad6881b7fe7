import type { ChoiceView, OptionView } from '../protocol.ts';
import { element } from './element.ts';

/** One option of a command being filled in. */
export interface Field {
  readonly option: OptionView;
  readonly input: HTMLInputElement;
  readonly label: HTMLElement;
  /** The picked choice behind the field's text, if any. */
  picked: ChoiceView | null;
  fill(choice: ChoiceView): void;
  write(text: string): void;
  /** Marks it as wrong, as said in the element with that id; null: it is right. */
  mark(problemId: string | null): void;
}

/** Events of a field. */
export interface FieldEvents {
  focused(field: Field): void;
  left(field: Field): void;
  typed(field: Field): void;
  keyed(event: KeyboardEvent, field: Field): void;
}

export function createField(option: OptionView, text: string, events: FieldEvents): Field {
  const input = element('input', {
    type: 'text',
    role: 'combobox',
    name: option.name,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'send',
    'aria-label': `${option.name}: ${option.description}`,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-required': String(option.required),
    onfocus: () => events.focused(field),
    onblur: () => events.left(field),
    oninput: () => events.typed(field),
    onkeydown: (event: KeyboardEvent) => events.keyed(event, field),
  });
  const name = element('span', { class: 'option-name' }, option.name);
  const label = element('label', { class: 'option' }, name, input);
  const field: Field = {
    option,
    input,
    label,
    picked: null,
    fill(choice) {
      field.picked = choice;
      field.write(choice.name);
    },
    write(text) {
      input.value = text;
    },
    mark(problemId) {
      label.classList.toggle('invalid', problemId !== null);
      if (problemId === null) {
        input.removeAttribute('aria-invalid');
        input.removeAttribute('aria-describedby');
      } else {
        input.setAttribute('aria-invalid', 'true');
        input.setAttribute('aria-describedby', problemId);
      }
    },
  };
  field.write(text);
  return field;
}
