import type { TextKey } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import type { CalledPlayer } from '../names/nicknames.ts';
import { matches } from '../names/search-form.ts';
import type { Suggestion, TextOption } from '../option.ts';

/** Maximum characters of a button's label in Discord, the least of the places for a suggestion. */
const LABEL = 80;
/** Shorter texts are a part of too many names. */
const PART = 3;

/**
 * A driver by username. Suggestions: the person's own driver, then recently seen ones, including those on duty
 * where the service names them, by either of their names; only valid usernames.
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
      const called = recentNames.playersCalled(typed);
      const whole = called.filter(({ fit }) => fit !== 'part');
      const parts = called.filter(({ fit }) => fit === 'part');
      const players = recentNames.players(typed);
      // Anyone can take somebody's login name for an in-game name.
      const exact = players.filter((name) => sameSpelling(name) === sameSpelling(typed.trim()));
      return [
        ...suggestions([...mine, ...exact]),
        ...byNickname(whole),
        ...suggestions(players),
        ...byNickname(parts),
      ];
    },
    didYouMean: (typed, { recentNames }) => {
      // The login name that was typed is no other one, although its driver is called so, too.
      const isOther = ({ username }: CalledPlayer): boolean => sameSpelling(username) !== sameSpelling(typed);
      const called = recentNames.playersCalled(typed).filter(isOther);
      return [
        ...byNickname(called.filter(({ fit }) => fit !== 'part')),
        ...suggestions(recentNames.playersNear(typed)),
        ...byNickname(called.filter(({ fit }) => fit === 'part' && typed.length >= PART)),
      ];
    },
  };
}

/** A person who types an in-game name finds it again beside the username. */
function byNickname(called: readonly CalledPlayer[]): readonly Suggestion[] {
  return called.flatMap(({ username, nickname }) => {
    const both = `${username} · ${nickname}`;
    const isOneEnough = both.length > LABEL || sameSpelling(username) === sameSpelling(nickname);
    return suggestions([username]).map((each) => (isOneEnough ? each : { ...each, name: both }));
  });
}

function suggestions(names: readonly string[]): readonly Suggestion[] {
  return names.filter((name) => Username.safeParse(name).success).map((name) => ({ name, value: name }));
}
