import type { Suggestion } from '../app/option.ts';

/** Discord accepts 25 suggestions of 100 characters each. */
const CHOICES = 25;
const CHARACTERS = 100;

/**
 * The choices while a person types. On Enter, Discord sends the first one, so matching known names come first and
 * the typed text last, which allows any value. If the typed text is itself a known name, it comes first.
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

/** Removes choices with the same text or the same value. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const seen = new Set<string>();
  return suggestions.filter(({ name, value }) => {
    const isNew = !seen.has(`name ${name}`) && !seen.has(`value ${value}`);
    seen.add(`name ${name}`).add(`value ${value}`);
    return isNew;
  });
}

/** Cuts to a choice's limit in UTF-16 units, the stricter count, without splitting a character. */
export function cut(text: string): string {
  if (text.length <= CHARACTERS) return text;
  return text.slice(0, CHARACTERS).replace(/[\ud800-\udbff]$/, '');
}
