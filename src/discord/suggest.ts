import type { Suggestion } from '../app/option.ts';

/** Discord takes 25 suggestions of 100 characters each. */
const CHOICES = 25;
const CHARACTERS = 100;

/**
 * The choices below what somebody types. Discord sends the first of them when Enter is pressed, so known names that fit
 * come first, and the typed text last: any value can be asked for. Where it is itself a known name, it is the first.
 */
export function choices(typed: string, suggestions: readonly Suggestion[]): Suggestion[] {
  const own = cut(typed);
  const usable = suggestions
    .filter(({ value }) => value.length <= CHARACTERS && value.trim() !== '')
    .map(({ name, value }) => ({ name: name.trim() === '' ? value : cut(name), value }));
  const exact = usable.find(({ value }) => value === own);
  if (exact !== undefined) return distinct([exact, ...usable]).slice(0, CHOICES);
  if (own.trim() === '') return distinct(usable).slice(0, CHOICES);
  const last = { name: own, value: own };
  return [...distinct(usable.filter(({ name }) => name !== own)).slice(0, CHOICES - 1), last];
}

/** Two choices that read the same, or mean the same, are one too many. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ name, value }) => {
    const isNew = !seen.has(`name ${name}`) && !seen.has(`value ${value}`);
    seen.add(`name ${name}`).add(`value ${value}`);
    return isNew;
  });
}

/** To what a choice may hold, counted in UTF-16 units, which is the stricter count; never through a character. */
function cut(text: string): string {
  if (text.length <= CHARACTERS) return text;
  return text.slice(0, CHARACTERS).replace(/[\ud800-\udbff]$/, '');
}
