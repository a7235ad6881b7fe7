import { driverName } from '../../cards/kit/driver.ts';
import type { TextKey } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import { searchForm } from '../names/name-index.ts';
import type { CalledPlayer } from '../names/nicknames.ts';
import type { RecentNames } from '../names/recent-names.ts';
import type { Suggestion, TextOption } from '../option.ts';

/** Before the server that a driver is on. */
const PLACE_MARK = ' · 🟢 ';
/** Shorter texts are a part of too many names. */
const MIN_PART_LENGTH = 3;

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
    suggested: (input, { recentNames }) => driverOfSuggestion(input.trim(), recentNames),
    complete: (input, { recentNames, own, serverOf, t }) => {
      const ownMatches = own !== null && searchForm(own).includes(searchForm(input)) ? [own] : [];
      const nicknameMatches = recentNames.playersCalled(input);
      const usernamesOf = (isWhole: boolean): readonly string[] =>
        nicknameMatches.flatMap(({ username, fit }) => ((fit !== 'part') === isWhole ? [username] : []));
      const players = recentNames.players(input);
      // Anyone can take somebody's login name for an in-game name.
      const exact = players.filter((name) => sameSpelling(name) === sameSpelling(input.trim()));
      const suggested = (names: readonly string[]): readonly Suggestion[] =>
        valid(names).map((username) => {
          const name = driverName({ username, nickname: recentNames.nicknameOf(username) });
          const server = serverOf(username);
          const place = server === null ? '' : `${PLACE_MARK}${t(`server.${server}`)}`;
          return { name: name + place, value: username };
        });
      // People ask most about drivers who are online now.
      const otherPlayers = [...players, ...usernamesOf(false)];
      const isDriving = (username: string): boolean => serverOf(username) !== null;
      return [
        ...suggested([...ownMatches, ...exact, ...usernamesOf(true)]),
        ...suggested(otherPlayers.filter(isDriving)),
        ...suggested(otherPlayers.filter((username) => !isDriving(username))),
      ];
    },
    didYouMean: (input, { recentNames }) => {
      // The login name that was typed is no other one, although its driver is called so, too.
      const isOther = ({ username }: CalledPlayer): boolean => sameSpelling(username) !== sameSpelling(input);
      const nicknameMatches = recentNames.playersCalled(input).filter(isOther);
      return [
        ...byNickname(nicknameMatches.filter(({ fit }) => fit !== 'part')),
        ...valid(recentNames.playersNear(input)).map((name) => ({ name, value: name })),
        ...byNickname(nicknameMatches.filter(({ fit }) => fit === 'part' && input.length >= MIN_PART_LENGTH)),
      ];
    },
  };
}

/**
 * The driver of a suggestion, by its text with or without the place; null for what is none. Anyone may take any in-game name,
 * so the text alone never decides between two drivers: a login name that was typed is that driver's, and so is the
 * login name that stands last.
 */
function driverOfSuggestion(input: string, { players, nicknameOf }: RecentNames): string | null {
  const isLogin = (name: string): boolean =>
    players(name).some((player) => sameSpelling(player) === sameSpelling(name));
  if (isLogin(input)) return null;
  const placed = input.lastIndexOf(PLACE_MARK);
  const names = [...new Set([input, placed > 0 ? input.slice(0, placed).trim() : input])];
  const isShownAs = (shownName: string) => (username: string) =>
    driverName({ username, nickname: nicknameOf(username) }) === shownName;
  const exact = names.flatMap((name) => loginsIn(name, players).filter(isShownAs(name)));
  const [match, ...otherMatches] = new Set(exact);
  if (match !== undefined) return otherMatches.length === 0 ? match : null;
  // The in-game name may be another one by now.
  const [label = input] = names.slice(-1);
  const inParentheses = / \(([^()]+)\)$/.exec(label)?.[1];
  const login = isLogin(label) ? label : (inParentheses ?? '');
  if (isLogin(login)) return login;
  // Only a suggestion has a place, perhaps one of another process, or of a driver who has been forgotten since.
  return placed > 0 ? (inParentheses ?? label) : null;
}

/** Known login names that may stand at the end of such a text, in its last parentheses: they may hold parentheses too. */
function loginsIn(label: string, players: RecentNames['players']): readonly string[] {
  const ends = [...label.matchAll(/ \(/g)].flatMap(({ index }) =>
    label.endsWith(')') ? [label.slice(index + 2, -1)] : [],
  );
  // A long one is shown cut.
  return [label, ...ends].flatMap((end) => players(end.replace(/…$/, '')));
}

/** A person who types an in-game name finds it again beside the username. */
function byNickname(players: readonly CalledPlayer[]): readonly Suggestion[] {
  return players.flatMap(({ username, nickname }) =>
    valid([username]).map((value) => ({ name: driverName({ username, nickname }), value })),
  );
}

function valid(names: readonly string[]): readonly string[] {
  return names.filter((name) => Username.safeParse(name).success);
}
