import type { TextKey } from '../../i18n/translator.ts';
import { Username } from '../../service/models/identifiers.ts';
import { matches } from '../../store/names/name-index.ts';
import type { Suggestion, TextOption } from '../option.ts';

/**
 * A driver by username. Suggestions: the person's own driver, then recently seen ones, including those on duty
 * where the service names them; only valid names.
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
