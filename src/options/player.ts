import type { Suggestion, TextOption } from '../command.ts';
import { Username } from '../service/models.ts';
import type { WordKey } from '../words/words.ts';

/** A driver by username. Suggestions are those seen lately; names that nobody may ask for are none. */
export function playerOption<const Required extends boolean>(
  description: WordKey,
  required: Required,
): TextOption & { readonly required: Required } {
  return {
    kind: 'text',
    description,
    required,
    schema: Username,
    wrong: 'input.username',
    complete: (typed, { seen }) => suggestions(seen.players(typed)),
    near: (typed, { seen }) => suggestions(seen.playersNear(typed)),
  };
}

function suggestions(names: readonly string[]): readonly Suggestion[] {
  return names.filter((name) => Username.safeParse(name).success).map((name) => ({ name, value: name }));
}
