import { driverName } from '../../cards/kit/driver.ts';
import type { TextKey } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import type { CalledPlayer } from '../names/nicknames.ts';
import { searchForm } from '../names/search-form.ts';
import type { Suggestion, TextOption } from '../option.ts';

/** Shorter texts are a part of too many names. */
const PART = 3;

/**
 * A driver by username. Suggestions: the person's own driver, then recently seen ones, including those on duty
 * where the service names them, by either of their names, those who drive now first: "Zsolt (zsolt) · 🟢 Two". Only valid
 * usernames.
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
    complete: (typed, { recentNames, own, serverOf, t }) => {
      const mine = own !== null && searchForm(own).includes(searchForm(typed)) ? [own] : [];
      const called = recentNames.playersCalled(typed);
      const usernamesOf = (isWhole: boolean): readonly string[] =>
        called.flatMap(({ username, fit }) => ((fit !== 'part') === isWhole ? [username] : []));
      const players = recentNames.players(typed);
      // Anyone can take somebody's login name for an in-game name.
      const exact = players.filter((name) => sameSpelling(name) === sameSpelling(typed.trim()));
      const suggested = (names: readonly string[]): readonly Suggestion[] =>
        valid(names).map((username) => {
          const name = driverName({ username, nickname: recentNames.nicknameOf(username) });
          const server = serverOf(username);
          const place = server === null ? '' : ` · 🟢 ${t(`server.${server}`)}`;
          return { name: name + place, value: username };
        });
      // People ask most about drivers who are online now.
      const others = [...players, ...usernamesOf(false)];
      const isDriving = (username: string): boolean => serverOf(username) !== null;
      return [
        ...suggested([...mine, ...exact, ...usernamesOf(true)]),
        ...suggested(others.filter(isDriving)),
        ...suggested(others.filter((username) => !isDriving(username))),
      ];
    },
    didYouMean: (typed, { recentNames }) => {
      // The login name that was typed is no other one, although its driver is called so, too.
      const isOther = ({ username }: CalledPlayer): boolean => sameSpelling(username) !== sameSpelling(typed);
      const called = recentNames.playersCalled(typed).filter(isOther);
      return [
        ...byNickname(called.filter(({ fit }) => fit !== 'part')),
        ...valid(recentNames.playersNear(typed)).map((name) => ({ name, value: name })),
        ...byNickname(called.filter(({ fit }) => fit === 'part' && typed.length >= PART)),
      ];
    },
  };
}

/** A person who types an in-game name finds it again beside the username. */
function byNickname(called: readonly CalledPlayer[]): readonly Suggestion[] {
  return called.flatMap(({ username, nickname }) =>
    valid([username]).map((value) => ({ name: driverName({ username, nickname }), value })),
  );
}

function valid(names: readonly string[]): readonly string[] {
  return names.filter((name) => Username.safeParse(name).success);
}
