import type { ChoiceView, CommandView, OptionView } from '../protocol.ts';
import { element } from './element.ts';
import type { Listbox } from './listbox.ts';
import { expected, same, valueOfText } from './option-value.ts';
import type { Reader } from './reader.ts';

/** Pause in typing before suggestions are requested, in ms. */
const DEBOUNCE = 120;

export interface TypedOption {
  name: string;
  value: string | number | boolean;
}

/** A slash command being filled in. */
export interface Draft {
  readonly box: HTMLElement;
  /** The field that has the focus. */
  readonly input: HTMLElement | null;
  focus(): void;
  submit(): void;
}

interface Needs {
  readonly reader: Reader;
  readonly command: CommandView;
  readonly initial: ReadonlyMap<string, string>;
  readonly listbox: Listbox;
  complete(options: TypedOption[], focused: string): Promise<readonly ChoiceView[]>;
  submit(options: TypedOption[]): void;
  cancel(): void;
}

interface Field {
  readonly option: OptionView;
  readonly input: HTMLInputElement;
  readonly label: HTMLElement;
  /** The picked choice behind the field's text, if any. */
  picked: ChoiceView | null;
}

export function createDraft({ reader, command, initial, listbox, complete, submit, cancel }: Needs): Draft {
  const { t } = reader;
  const fields: Field[] = [];
  const more = element('span', { class: 'more' });
  const problem = element('p', { class: 'problem', role: 'alert', id: 'draft-problem', hidden: true });
  const line = element(
    'div',
    { class: 'draft-line' },
    element('span', { class: 'chip' }, `/${command.name}`),
    more,
  );
  const box = element(
    'div',
    { class: 'draft', role: 'group', 'aria-label': t('composer.command', { command: command.name }) },
    line,
    problem,
  );
  let current: Field | null = null;
  let offered: readonly ChoiceView[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  function add(option: OptionView, text: string): Field {
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
      onfocus: () => {
        current = field;
        suggest(field, 0);
      },
      onblur: () => {
        clearTimeout(timer);
        latest++;
        listbox.hide();
      },
      oninput: () => {
        clearProblem(field);
        widen(field);
        // The list belongs to an older text: only deliberate navigation may pick from it.
        if (listbox.open) listbox.rest();
        suggest(field, DEBOUNCE);
      },
      onkeydown: (event: KeyboardEvent) => keydown(event, field),
    });
    const label = element(
      'label',
      { class: 'option' },
      element('span', { class: 'option-name' }, option.name),
      input,
    );
    const field: Field = { option, input, label, picked: null };
    input.value = text;
    widen(field);
    fields.push(field);
    line.insertBefore(label, more);
    return field;
  }

  function drawMore(): void {
    const left = command.options.filter(({ name }) => !fields.some(({ option }) => option.name === name));
    more.replaceChildren(
      ...left.map((option) =>
        element(
          'button',
          {
            type: 'button',
            class: 'text-button',
            title: option.description,
            onclick: () => {
              const field = add(option, '');
              drawMore();
              field.input.focus();
            },
          },
          `+ ${option.name}`,
        ),
      ),
    );
  }

  function suggest(field: Field, delay: number): void {
    clearTimeout(timer);
    const { option, input } = field;
    const turn = ++latest;
    const text = input.value;
    const about = `${option.name}: ${option.description}`;
    const title = option.required ? about : t('composer.optional', { option: about });
    const offer = (choices: readonly ChoiceView[]): void => {
      if (turn !== latest || document.activeElement !== input) return;
      const marked = offered[listbox.active]?.name;
      const kept = choices.findIndex(({ name }) => name === marked);
      offered = choices;
      listbox.show(
        choices.length === 0 && text !== '' && option.suggested
          ? t('composer.noSuggestions', { option: title })
          : title,
        choices.map(({ name }) => ({ label: name })),
        // The Enter that sends does not fill in optional empty fields.
        kept >= 0 || (text === '' && !option.required) ? kept : 0,
        (index) => pick(field, index),
      );
    };
    if (option.choices.length > 0) {
      const typed = text.toLowerCase();
      const chosen = field.picked?.name === text;
      offer(option.choices.filter(({ name }) => chosen || name.toLowerCase().includes(typed)).slice(0, 25));
      return;
    }
    if (!option.suggested) {
      offer([]);
      return;
    }
    if (!listbox.open) listbox.show(title, [], -1, () => {});
    timer = setTimeout(() => {
      // All options are sent as typed, the focused one even when empty.
      const options = fields
        .filter((other) => other === field || other.input.value !== '')
        .map((other) => ({ name: other.option.name, value: other.input.value }));
      void complete(options, option.name).then(offer);
    }, delay);
  }

  function pick(field: Field, index: number): void {
    const choice = offered[index];
    if (choice === undefined) return;
    field.picked = choice;
    field.input.value = choice.name;
    clearProblem(field);
    widen(field);
    listbox.hide();
    const next = fields.find(({ option, input }) => option.required && input.value === '');
    if (next !== undefined) next.input.focus();
  }

  function keydown(event: KeyboardEvent, field: Field): void {
    if (event.isComposing) return;
    const { input } = field;
    const choice = offered[listbox.active];
    const takes = listbox.open && choice !== undefined && !same(choice.name, input.value);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!listbox.open) suggest(field, 0);
      else listbox.move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') takes ? pick(field, listbox.active) : send();
    else if (event.key === 'Tab' && !event.shiftKey && takes) pick(field, listbox.active);
    else if (event.key === 'Escape' && listbox.open && offered.length > 0) listbox.hide();
    else if (event.key === 'Escape') cancel();
    else if (event.key === 'Backspace' && input.value === '') {
      if (field === fields[0] || field.option.required) {
        if (field === fields[0]) cancel();
        else return;
      } else {
        fields.splice(fields.indexOf(field), 1);
        field.label.remove();
        drawMore();
        fields.at(-1)?.input.focus();
      }
    } else return;
    event.preventDefault();
  }

  function send(): void {
    const options: TypedOption[] = [];
    for (const field of fields) {
      const text = field.input.value.trim();
      if (text === '') {
        if (field.option.required) {
          complain(field, t('composer.required', { option: field.option.name }));
          return;
        }
        continue;
      }
      const value = valueOfText(field.option, field.picked, text);
      if (value === null) {
        complain(field, t(expected(field.option), { option: field.option.name }));
        return;
      }
      options.push({ name: field.option.name, value });
    }
    submit(options);
  }

  function complain(field: Field, text: string): void {
    field.label.classList.add('invalid');
    field.input.setAttribute('aria-invalid', 'true');
    field.input.setAttribute('aria-describedby', problem.id);
    problem.textContent = text;
    problem.hidden = false;
    field.input.focus();
  }

  function clearProblem(field: Field): void {
    field.label.classList.remove('invalid');
    field.input.removeAttribute('aria-invalid');
    field.input.removeAttribute('aria-describedby');
    problem.hidden = true;
  }

  for (const option of command.options)
    if (option.required || initial.has(option.name)) add(option, initial.get(option.name) ?? '');
  // Without required options, start with the one that has suggestions.
  const inviting = command.options.find(({ suggested }) => suggested);
  if (fields.length === 0 && inviting !== undefined) add(inviting, '');
  drawMore();
  // A command without fields still needs an element for Enter and Escape.
  box.tabIndex = -1;
  box.addEventListener('keydown', (event) => {
    if (event.target !== box) return;
    if (event.key === 'Enter') send();
    else if (event.key === 'Escape' || event.key === 'Backspace') cancel();
    else return;
    // The focus moves at once; the key must not be typed there.
    event.preventDefault();
  });

  return {
    box,
    get input() {
      return current?.input ?? null;
    },
    focus() {
      const field = fields.find(({ input }) => input.value === '') ?? fields.at(-1);
      (field?.input ?? box).focus();
    },
    submit: send,
  };
}

function widen({ input }: Field): void {
  input.style.setProperty('--letters', String(Math.max(input.value.length + 2, 10)));
}
