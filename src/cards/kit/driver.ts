import type { Translator } from '../../i18n/translator.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import { cut } from '../../text/cut.ts';
import { markdown } from '../../text/markdown.ts';
import { displayName, visibleName } from '../../text/plain.ts';
import { menu, type Row } from './card.ts';
import { rememberingNames } from './lines.ts';

/** A driver as profiles and live files name one; either name may be missing. */
export interface DriverNames {
  readonly username: string | null;
  /** With its colour codes. */
  readonly nickname: string | null;
}

/** In-game names by login names; null for one that was not seen. */
export type NicknameOf = (username: string) => string | null;

/** Maximum characters of each of the two names: both with their parentheses fit into a button's label, which has 80. */
const NAME = 38;

const loginName = rememberingNames((username) => cut(displayName(null, username), NAME));
const inGameName = rememberingNames((nickname) => {
  const name = visibleName(nickname);
  return name === null ? null : cut(name.trim(), NAME);
});

/**
 * What every card calls a driver, in plain text: "Old·Timer (oldtimer)", the in-game name and in parentheses the login
 * name, by which all commands ask; once where both read alike. Never empty.
 */
export function driverName({ username, nickname }: DriverNames): string {
  const inGame = nickname === null ? null : inGameName(nickname);
  if (username === null) return inGame ?? loginName('');
  const login = loginName(username);
  if (inGame === null) return login;
  return sameSpelling(inGame) === sameSpelling(login) ? inGame : `${inGame} (${login})`;
}

/** The same, made safe for a line. */
export function driverInLine(driver: DriverNames): string {
  return markdown(driverName(driver));
}

/** Discord's limit for the choices of a menu. */
const CHOICES = 25;

/**
 * The menu below a list of names: it opens one driver's profile for the reader alone, so that the list stays. The first 25
 * whose login name is known; no row if none is.
 */
export function driverMenu(drivers: readonly DriverNames[], t: Translator): readonly Row[] {
  const valid = drivers.flatMap((driver) => {
    const { data: value } = Username.safeParse(driver.username);
    return value === undefined ? [] : [{ driver, value }];
  });
  const byName = Map.groupBy(valid, ({ value }) => sameSpelling(value));
  const choices = [...byName.values()].flatMap(([first]) => first ?? []).slice(0, CHOICES);
  if (choices.length === 0) return [];
  return [
    menu(
      { command: 'profile', action: 'open', subject: '' },
      t('card.openDriver'),
      choices.map(({ driver, value }) => ({ label: driverName(driver), description: '', value })),
    ),
  ];
}
