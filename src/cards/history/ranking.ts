/** Drivers by one figure, a line each. */

import type { TopRow, TopSubject } from '../../community/history/history.ts';
import type { Translator } from '../../i18n/translator.ts';
import { type Column, listBlock } from '../kit/block.ts';
import { type DriverNames, type NicknameOf, nameCell } from '../kit/driver.ts';
import type { Lines } from '../kit/fit-lines.ts';

const MEDALS = ['🥇', '🥈', '🥉'];

/** The medal of a rank, or its number. */
function formatRank(rank: number): string {
  return MEDALS[rank - 1] ?? String(rank);
}

export function namesOf(username: string, nicknameOf: NicknameOf): DriverNames {
  return { username, nickname: nicknameOf(username) };
}

/** Columns of a name. */
const MAX_NAME_WIDTH = 20;
type RankedDriver = Pick<TopRow, 'rank' | 'driver' | 'value'>;

export function columnsOf(
  subject: TopSubject,
  nicknameOf: NicknameOf,
  t: Translator,
): readonly Column<RankedDriver>[] {
  return [
    { align: 'right', cell: ({ rank }) => formatRank(rank) },
    { before: ' ', cell: ({ driver }) => nameCell(namesOf(driver, nicknameOf), MAX_NAME_WIDTH) },
    { align: 'right', cell: ({ value }) => topValue(value, subject, t) },
  ];
}

/** Drivers by time on the live servers, for a card that shows the first of them. */
export function playtimeBlock(rows: readonly RankedDriver[], nicknameOf: NicknameOf, t: Translator): Lines {
  return listBlock(columnsOf('playtime', nicknameOf, t), rows, t);
}

export function topValue(value: number, subject: TopSubject, t: Translator): string {
  switch (subject) {
    case 'playtime':
    case 'police':
      return t.duration(value / 1000);
    case 'distance':
      return t.distance(value);
    case 'chases':
    case 'money':
      return t.number(value);
  }
}
