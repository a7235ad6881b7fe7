import type { ChoiceView, OptionView } from '../protocol.ts';

/** Null where the text is not valid for the option. */
export function valueOfText(
  option: OptionView,
  picked: ChoiceView | null,
  text: string,
): string | number | boolean | null {
  if (picked?.name === text) return picked.value;
  if (option.choices.length > 0) return option.choices.find(({ name }) => same(name, text))?.value ?? null;
  if (option.kind === 'integer' || option.kind === 'number') {
    const number = Number(text);
    const fits = option.kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
    return fits ? number : null;
  }
  return text;
}

/** What to type instead. */
export function expected(option: OptionView): string {
  if (option.choices.length > 0) return 'pick one of the list';
  return option.kind === 'integer' ? 'write a whole number' : 'write a number';
}

/** Typed text and choices match regardless of case. */
export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
