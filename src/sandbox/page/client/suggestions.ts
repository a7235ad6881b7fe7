import type { ChoiceView } from '../protocol.ts';
import type { Field } from './draft-field.ts';
import type { Listbox } from './listbox.ts';

/** As many as Discord shows. */
const MOST = 25;

/** Suggestions for the field that is being typed in. */
export interface Suggestions {
  /** The one that Enter would take. */
  readonly active: ChoiceView | undefined;
  readonly any: boolean;
  /** After `delay` ms without another call, where the bot has to be asked. */
  show(field: Field, delay: number): void;
  stop(): void;
}

interface Needs {
  readonly listbox: Listbox;
  /** Asks the bot. */
  complete(field: Field): Promise<readonly ChoiceView[]>;
  pick(field: Field, choice: ChoiceView): void;
}

export function createSuggestions({ listbox, complete, pick }: Needs): Suggestions {
  let offered: readonly ChoiceView[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Answers to older texts are dropped. */
  let latest = 0;

  /** `fits`: whether they are for the text of the field. */
  function offer(field: Field, turn: number, choices: readonly ChoiceView[], fits = true): void {
    const { option, input } = field;
    if (turn !== latest || document.activeElement !== input) return;
    const marked = offered[listbox.active]?.name;
    const kept = choices.findIndex(({ name }) => name === marked);
    offered = choices;
    const none = choices.length === 0 && input.value !== '' && option.suggested;
    const title = titleOf(field);
    listbox.show(
      none ? `${title} — no suggestions` : title,
      choices.map(({ name }) => ({ label: name })),
      // The Enter that sends does not fill in optional empty fields.
      kept >= 0 || !fits || (input.value === '' && !option.required) ? kept : 0,
      (index) => {
        const choice = offered[index];
        if (choice !== undefined) pick(field, choice);
      },
    );
  }

  return {
    get active() {
      return offered[listbox.active];
    },
    get any() {
      return listbox.open && offered.length > 0;
    },
    show(field, delay) {
      clearTimeout(timer);
      const turn = ++latest;
      const { option } = field;
      if (option.choices.length > 0) {
        const fitting = fixed(field);
        // If no choice fits, all choices are offered.
        if (fitting.length > 0) offer(field, turn, fitting);
        else offer(field, turn, option.choices.slice(0, MOST), false);
      } else if (!option.suggested) offer(field, turn, []);
      else {
        if (!listbox.open) listbox.show(titleOf(field), [], -1, () => {});
        timer = setTimeout(() => void complete(field).then((choices) => offer(field, turn, choices)), delay);
      }
    },
    stop() {
      clearTimeout(timer);
      latest++;
      listbox.hide();
    },
  };
}

/** Returns the option's choices that fit its text; all of them after one was picked. */
function fixed({ option, input, picked }: Field): readonly ChoiceView[] {
  const typed = input.value.toLowerCase();
  const chosen = picked?.name === input.value;
  return option.choices.filter(({ name }) => chosen || name.toLowerCase().includes(typed)).slice(0, MOST);
}

function titleOf({ option: { name, description, required } }: Field): string {
  const option = `${name}: ${description}`;
  return required ? option : `${option} (optional)`;
}
