import type { CommandView, OptionView } from '../protocol.ts';
import { createField, type Field, type FieldEvents } from './draft-field.ts';
import { element } from './element.ts';

/** The fields of a command in a row, with a button for each option that has none yet. */
export interface DraftRow {
  readonly line: HTMLElement;
  readonly fields: readonly Field[];
  /** The field of the option with that name, with that text; made if there is none yet. */
  write(name: string, text: string): Field | undefined;
  remove(field: Field): void;
  /** The first empty field, or the last one; none for a command without options. */
  readonly next: Field | undefined;
}

/** Row of fields that begins with the required options, and those that `initial` has a text for. */
export function createDraftRow(
  command: CommandView,
  initial: ReadonlyMap<string, string>,
  events: FieldEvents,
): DraftRow {
  const fields: Field[] = [];
  const more = element('span', { class: 'more' });
  const name = element('span', { class: 'chip' }, `/${command.name}`);
  const line = element('div', { class: 'draft-line' }, name, more);

  function add(option: OptionView, text: string): Field {
    const field = createField(option, text, events);
    fields.push(field);
    line.insertBefore(field.label, more);
    return field;
  }

  function drawMore(): void {
    const left = command.options.filter((option) => !fields.some((field) => field.option === option));
    more.replaceChildren(
      ...left.map((option) => drawAdd(option, () => write(option.name, '')?.input.focus())),
    );
  }

  function write(name: string, text: string): Field | undefined {
    const there = fields.find(({ option }) => option.name === name);
    if (there !== undefined) {
      there.write(text);
      return there;
    }
    const option = command.options.find((one) => one.name === name);
    if (option === undefined) return undefined;
    const field = add(option, text);
    drawMore();
    return field;
  }

  for (const option of command.options)
    if (option.required || initial.has(option.name)) add(option, initial.get(option.name) ?? '');
  // Without required options, start with the one that has suggestions.
  const inviting = command.options.find(({ suggested }) => suggested);
  if (fields.length === 0 && inviting !== undefined) add(inviting, '');
  drawMore();

  return {
    line,
    fields,
    write,
    remove(field) {
      fields.splice(fields.indexOf(field), 1);
      field.label.remove();
      drawMore();
    },
    get next() {
      return fields.find(({ input }) => input.value === '') ?? fields.at(-1);
    },
  };
}

function drawAdd({ name, description }: OptionView, onclick: () => void): HTMLElement {
  return element(
    'button',
    { type: 'button', class: 'text-button', title: description, onclick },
    `+ ${name}`,
  );
}
