import type { Suggestion } from '../app/command.ts';

/** Discord takes 25 suggestions of 100 characters each. */
const CHOICES = 25;
const CHARACTERS = 100;

/**
 * The choices below what somebody types. The typed text is always the first of them, so that any value can be
 * asked for; where it is one of the suggestions, that one's name stands for it.
 */
export function choices(typed: string, suggestions: readonly Suggestion[]): Suggestion[] {
  const own = cut(typed);
  const usable = suggestions
    .filter(({ value }) => value.length <= CHARACTERS && value.trim() !== '')
    .map(({ name, value }) => ({ name: name.trim() === '' ? value : cut(name), value }));
  const exact = usable.filter(({ value }) => value === own);
  const first = own.trim() === '' ? [] : [exact[0] ?? { name: own, value: own }];
  // Two choices that read the same, or mean the same, are one too many.
  const seen = new Set<string>();
  return [...first, ...usable]
    .filter(({ name, value }) => {
      const isNew = !seen.has(`name ${name}`) && !seen.has(`value ${value}`);
      seen.add(`name ${name}`).add(`value ${value}`);
      return isNew;
    })
    .slice(0, CHOICES);
}

/** To what a choice may hold, counted in UTF-16 units, which is the stricter count; never through a character. */
function cut(text: string): string {
  if (text.length <= CHARACTERS) return text;
  return text.slice(0, CHARACTERS).replace(/[\ud800-\udbff]$/, '');
}
