import type { TextKey } from '../../i18n/translator.ts';
import { Username } from '../../service/models/identifiers.ts';
import { matches } from '../../store/names/name-index.ts';
import type { Suggestion, TextOption } from '../option.ts';

/**
 * A driver by username. Suggestions are the person's own, then those seen lately, those on duty among them where the
 * service names them; names that nobody may ask for are none.
 */
export function playerOption<const Required extends boolean>(
  description: TextKey,
  required: Required,
): TextOption & { readonly required: Required } {
  return {
    kind: 'text',
    description,
    required,
    schema: Username,
    wrong: 'input.username',
    complete: (typed, { recentNames, own }) => {
      const mine = own !== null && matches(own, typed) ? [own] : [];
      return suggestions([...mine, ...recentNames.players(typed)]);
    },
    didYouMean: (typed, { recentNames }) => suggestions(recentNames.playersNear(typed)),
  };
}

function suggestions(names: readonly string[]): readonly Suggestion[] {
  return names.filter((name) => Username.safeParse(name).success).map((name) => ({ name, value: name }));
}
