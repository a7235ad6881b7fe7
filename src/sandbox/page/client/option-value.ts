import type { ChoiceView, OptionView } from '../protocol.ts';

/** Null where the text is not valid for the option. */
export function valueOfText(
  option: OptionView,
  picked: ChoiceView | null,
  text: string,
): string | number | boolean | null {
  if (picked?.name === text) return picked.value;
  if (option.choices.length > 0)
    // By its value, too: pasted commands say `private:true` in every language. Names of channels and roles go without their sign.
    return (
      option.choices.find(({ name, value }) =>
        [name, name.replace(/^[#@]/, ''), String(value)].some((called) => same(called, text)),
      )?.value ?? null
    );
  if (option.kind === 'integer' || option.kind === 'number') {
    const number = Number(text);
    const fits = option.kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number);
    return fits ? number : null;
  }
  return text;
}

/** The text that says what to type instead. */
export function expected({ name, kind, choices }: OptionView): string {
  if (choices.length > 0) return `${name}: pick one from the list`;
  return `${name}: enter a ${kind === 'integer' ? 'whole number' : 'number'}`;
}

/** Typed text and choices match regardless of case. */
export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
