import type { ChoiceView, CommandView } from '../protocol.ts';
import { readOptions } from './command-text.ts';
import type { Field } from './draft-field.ts';
import { createDraftRow, type DraftRow } from './draft-row.ts';
import { element } from './element.ts';
import type { Listbox } from './listbox.ts';
import { expected, same, valueOfText } from './option-value.ts';
import { createSuggestions, type Suggestions } from './suggestions.ts';

/** Pause in typing before suggestions are requested, in ms. */
const DEBOUNCE = 120;

interface TypedOption {
  name: string;
  value: string | number | boolean;
}

/** A slash command being filled in. */
export interface Draft {
  readonly box: HTMLElement;
  /** The field that has the focus. */
  readonly input: HTMLElement | null;
  focus(): void;
  /** As Enter does: takes the highlighted suggestion, or else sends. */
  enter(): void;
}

interface Needs {
  readonly command: CommandView;
  readonly initial: ReadonlyMap<string, string>;
  readonly listbox: Listbox;
  complete(options: TypedOption[], focused: string): Promise<readonly ChoiceView[]>;
  submit(options: TypedOption[]): void;
  cancel(): void;
}

interface Parts {
  readonly needs: Needs;
  readonly row: DraftRow;
  readonly suggestions: Suggestions;
  readonly problem: HTMLElement;
}

export function createDraft(needs: Needs): Draft {
  const { command, initial, listbox } = needs;
  let current: Field | null = null;
  const suggestions = createSuggestions({
    listbox,
    complete: (field) => needs.complete(typedSoFar(row.fields, field), field.option.name),
    pick: (field, choice) => pick(parts, field, choice),
  });
  const row = createDraftRow(command, initial, {
    focused(field) {
      current = field;
      suggestions.show(field, 0);
    },
    left: () => suggestions.stop(),
    typed(field) {
      forgive(parts, field);
      // A space after the name of the option is not yet part of its text.
      if (field.input.value.trim() === '') field.write('');
      const now = divide(parts, field);
      // The list belongs to an older text: only deliberate navigation may pick from it.
      if (listbox.open) listbox.rest();
      suggestions.show(now, DEBOUNCE);
    },
    keyed: (event, field) => keyed(parts, event, field),
  });
  const problem = element('p', { class: 'problem', role: 'alert', id: 'draft-problem', hidden: true });
  const name = `Command /${command.name}`;
  // A command without fields still needs an element for Enter and Escape.
  const look = { class: 'draft', role: 'group', tabindex: '-1', 'aria-label': name };
  const box = element('div', look, row.line, problem);
  const parts: Parts = { needs, row, suggestions, problem };
  box.addEventListener('keydown', (event) => {
    if (event.target !== box) return;
    if (event.key === 'Enter') send(parts);
    else if (event.key === 'Escape' || event.key === 'Backspace') needs.cancel();
    else return;
    // The focus moves at once; the key must not be typed there.
    event.preventDefault();
  });

  return {
    box,
    get input() {
      return current?.input ?? null;
    },
    focus: () => (row.next?.input ?? box).focus(),
    enter: () => enter(parts, current),
  };
}

/** All options as typed, the focused one even when empty. */
function typedSoFar(fields: readonly Field[], focused: Field): TypedOption[] {
  return fields
    .filter((field) => field === focused || field.input.value !== '')
    .map(({ option, input }) => ({ name: option.name, value: input.value }));
}

/** Moves text after an option's name into the option's field. Returns the field that is typed in now. */
function divide({ needs: { command }, row }: Parts, field: Field): Field {
  const { option, input } = field;
  const filled = row.fields.filter((other) => other !== field && other.input.value !== '');
  const texts = readOptions(input.value, command, option, new Set(filled.map((other) => other.option)));
  if (texts.size === 1 && texts.get(option.name) === input.value.trim()) return field;
  field.write('');
  const fields = [...texts].map(([name, text]) => row.write(name, text));
  const last = fields.at(-1) ?? field;
  last.input.focus();
  return last;
}

function pick(parts: Parts, field: Field, choice: ChoiceView): void {
  field.fill(choice);
  forgive(parts, field);
  parts.needs.listbox.hide();
  const next = parts.row.fields.find(({ option, input }) => option.required && input.value === '');
  if (next !== undefined) next.input.focus();
}

/** The suggestion that Enter takes, unless the field says the same already: its name, or what it stands for. */
function highlighted({ needs: { listbox }, suggestions }: Parts, { input }: Field): ChoiceView | null {
  const choice = suggestions.active;
  if (!listbox.open || choice === undefined) return null;
  return [choice.name, String(choice.value)].some((text) => same(text, input.value)) ? null : choice;
}

function enter(parts: Parts, field: Field | null): void {
  const choice = field === null ? null : highlighted(parts, field);
  if (field === null || choice === null) send(parts);
  else pick(parts, field, choice);
}

function keyed(parts: Parts, event: KeyboardEvent, field: Field): void {
  if (event.isComposing) return;
  const { needs, suggestions } = parts;
  const { listbox, cancel } = needs;
  const choice = highlighted(parts, field);
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (!listbox.open) suggestions.show(field, 0);
    else listbox.move(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Enter') enter(parts, field);
  else if (event.key === 'Tab' && !event.shiftKey && choice !== null) pick(parts, field, choice);
  else if (event.key === 'Escape') suggestions.any ? listbox.hide() : cancel();
  else if (event.key !== 'Backspace' || field.input.value !== '' || !withdraw(parts, field)) return;
  event.preventDefault();
}

/** An empty field goes, and with the first one the whole command. False for a required one, which stays. */
function withdraw({ needs, row }: Parts, field: Field): boolean {
  if (field === row.fields[0]) needs.cancel();
  else if (field.option.required) return false;
  else {
    row.remove(field);
    row.fields.at(-1)?.input.focus();
  }
  return true;
}

function send(parts: Parts): void {
  const options: TypedOption[] = [];
  for (const field of parts.row.fields) {
    const { option, picked, input } = field;
    const text = input.value.trim();
    if (text === '' && !option.required) continue;
    const value = text === '' ? null : valueOfText(option, picked, text);
    if (value === null) {
      complain(parts, field, text === '' ? `${option.name} is required` : expected(option));
      return;
    }
    options.push({ name: option.name, value });
  }
  parts.needs.submit(options);
}

function complain({ problem }: Parts, field: Field, text: string): void {
  field.mark(problem.id);
  problem.textContent = text;
  problem.hidden = false;
  field.input.focus();
}

function forgive({ problem }: Parts, field: Field): void {
  field.mark(null);
  problem.hidden = true;
}
