import { driverName } from '../../cards/kit/driver.ts';
import type { TextKey } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import type { CalledPlayer } from '../names/nicknames.ts';
import type { RecentNames } from '../names/recent-names.ts';
import { searchForm } from '../names/search-form.ts';
import type { Suggestion, TextOption } from '../option.ts';

/** Before the server that a driver is on. */
const PLACE_MARK = ' · 🟢 ';
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
    suggested: (typed, { recentNames }) => driverOfSuggestion(typed.trim(), recentNames),
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
          const place = server === null ? '' : `${PLACE_MARK}${t(`server.${server}`)}`;
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

/**
 * The driver of a suggestion, by its text with or without the place; null for what is none. Anyone may take any in-game name,
 * so the text alone never decides between two drivers: a login name that was typed is that driver's, and so is the
 * login name that stands last.
 */
function driverOfSuggestion(typed: string, { players, nicknameOf }: RecentNames): string | null {
  const isLogin = (name: string): boolean =>
    players(name).some((one) => sameSpelling(one) === sameSpelling(name));
  if (isLogin(typed)) return null;
  const placed = typed.lastIndexOf(PLACE_MARK);
  const names = [...new Set([typed, placed > 0 ? typed.slice(0, placed).trim() : typed])];
  const isShownAs = (shown: string) => (username: string) =>
    driverName({ username, nickname: nicknameOf(username) }) === shown;
  const exact = names.flatMap((shown) => loginsIn(shown, players).filter(isShownAs(shown)));
  const [only, ...others] = new Set(exact);
  if (only !== undefined) return others.length === 0 ? only : null;
  // The in-game name may be another one by now.
  const [shown = typed] = names.slice(-1);
  const inParentheses = / \(([^()]+)\)$/.exec(shown)?.[1];
  const login = isLogin(shown) ? shown : (inParentheses ?? '');
  if (isLogin(login)) return login;
  // Only a suggestion has a place, perhaps one of another process, or of a driver who has been forgotten since.
  return placed > 0 ? (inParentheses ?? shown) : null;
}

/** Known login names that may stand at the end of such a text, in its last parentheses: they may hold parentheses too. */
function loginsIn(shown: string, players: RecentNames['players']): readonly string[] {
  const ends = [...shown.matchAll(/ \(/g)].flatMap(({ index }) =>
    shown.endsWith(')') ? [shown.slice(index + 2, -1)] : [],
  );
  // A long one is shown cut.
  return [shown, ...ends].flatMap((end) => players(end.replace(/…$/, '')));
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
