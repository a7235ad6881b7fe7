import type { Translator } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import { cutText } from '../../text/cut.ts';
import { toMarkdown } from '../../text/markdown.ts';
import { rememberingNames } from '../../text/names.ts';
import { displayName, visibleName } from '../../text/plain.ts';
import type { Span } from '../../text/scan.ts';
import { cutCell, inColours, inGame, widthOf } from './block.ts';
import { type ActionRow, menuRow } from './card.ts';

/** A driver as profiles and live files name one; either name may be missing. */
export interface DriverNames {
  readonly username: string | null;
  /** In-game name with its colour codes. */
  readonly nickname: string | null;
}

/** In-game names by login names; null for one that was not seen. */
export type NicknameOf = (username: string) => string | null;

/** Maximum characters of each of the two names: both with their parentheses fit into a button's label, which has 80. */
const MAX_NAME_LENGTH = 38;

const loginName = rememberingNames((username) => cutText(displayName(null, username), MAX_NAME_LENGTH));
const inGameName = rememberingNames((nickname) => {
  const name = visibleName(nickname);
  return name === null ? null : cutText(name.trim(), MAX_NAME_LENGTH);
});

/**
 * A driver's name on every card, in plain text: "Old·Timer (oldtimer)", the in-game name and in parentheses the login
 * name, by which all commands ask; once where both read alike. Never empty.
 */
export function driverName({ username, nickname }: DriverNames): string {
  const gameName = nickname === null ? null : inGameName(nickname);
  return gameName === null ? loginName(username ?? '') : gameName + loginBehind(gameName, username);
}

function loginBehind(gameName: string, username: string | null): string {
  const login = username === null ? gameName : loginName(username);
  return sameSpelling(gameName) === sameSpelling(login) ? '' : ` (${login})`;
}

/** Returns the name with the mark of a verified link behind it, if the link is verified. */
export function markVerified(name: string, isVerified: boolean): string {
  return isVerified ? `${name} ✅` : name;
}

/**
 * The heading of a card about one driver: where the in-game name has colours that are shown, the login name is the title,
 * and `name` a block for the first line below it; else the title has both names, and `name` is null.
 */
export function driverHeading({ username, nickname }: DriverNames, t: Translator) {
  const name = nickname === null || inGameName(nickname) === null ? null : inColours(nickname, t);
  return username === null || name === null
    ? { title: driverName({ username, nickname }), name: null }
    : { title: loginName(username), name };
}

/** The in-game name in its colours, or the login name where none is known, in at most so many columns of a block. */
export function nameCell({ username, nickname }: DriverNames, maxWidth: number): readonly Span[] {
  const isSeen = nickname !== null && inGameName(nickname) !== null;
  return cutCell(isSeen ? inGame(nickname) : loginName(username ?? ''), maxWidth);
}

/** Returns the in-game name followed by the login name, which commands take, if both fit; else the in-game name alone. */
export function namesCell(driver: DriverNames, maxWidth: number): readonly Span[] {
  const name = nameCell(driver, maxWidth);
  const gameName = inGameName(driver.nickname ?? '');
  const text = gameName === null ? '' : loginBehind(gameName, driver.username);
  const both: readonly Span[] = [...name, { colour: 'default', text }];
  return text !== '' && widthOf(both) <= maxWidth ? both : name;
}

/** Returns {@link driverName}, made safe for a line. */
export function driverInLine(driver: DriverNames): string {
  return toMarkdown(driverName(driver));
}

/** The in-game name alone, or the login name where none is known, made safe for a line. */
export function shortNameInLine({ username, nickname }: DriverNames): string {
  return toMarkdown((nickname === null ? null : inGameName(nickname)) ?? loginName(username ?? ''));
}

/**
 * The menu below a list of names: it opens one driver's profile for the reader alone, so that the list stays. The first 25
 * whose login name is known; no row if none is.
 */
export function driverMenu(drivers: readonly DriverNames[], t: Translator): readonly ActionRow[] {
  const valid = drivers.flatMap((driver) => {
    const { data: value } = Username.safeParse(driver.username);
    return value === undefined ? [] : [{ driver, value }];
  });
  const byName = Map.groupBy(valid, ({ value }) => sameSpelling(value));
  const choices = [...byName.values()].flatMap(([first]) => first ?? []);
  if (choices.length === 0) return [];
  return [
    menuRow(
      { command: 'profile', action: 'open', subject: '' },
      t('card.openDriver'),
      choices.map(({ driver, value }) => ({ label: driverName(driver), value })),
    ),
  ];
}
