import { HOUR, MINUTE } from '../../base/duration.ts';
import { memoiseByObject } from '../../base/memoise-by-object.ts';
import { sumBy } from '../../base/sum-by.ts';
import { formatTimestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Judged } from '../../service/models/facts.ts';
import type { Coverage, DutyFlag, LiveStatus, Player } from '../../service/models/live-status.ts';
import { driverName } from '../kit/driver.ts';
import { joinParts } from '../kit/lines.ts';

/** The duties counted on a server's line, by interest to drivers: with the live file's flag, and the sign in words. */
const duties = [
  ['police', 'cop', '🚓'],
  ['medics', 'med', '🚑'],
  ['tow', 'tow', '🛻'],
  ['chases', 'isChased', '🏃'],
  ['sirens', 'siren', '🚨'],
  ['hazards', 'hazard', '⚠️'],
  ['cautions', 'caution', '🚧'],
  ['joining', 'isJoining', '⏳'],
] as const;

type Duty = (typeof duties)[number];

/** The duties for the duty card: no one is on duty by joining or by hazard lights. */
export const onDuty = duties.filter(([duty]) => !['joining', 'hazards'].includes(duty));

/** The duties in the summary of all servers: people look for these. */
export const summaryDuties = duties.filter(([duty]) => ['police', 'medics', 'tow', 'chases'].includes(duty));

const flags = duties.map(([, flag]) => flag);

/** How many players have each flag set. */
const countsOf = memoiseByObject((players: readonly Player[]) => {
  const counts = { cop: 0, med: 0, tow: 0, siren: 0, isChased: 0, hazard: 0, caution: 0, isJoining: 0 };
  for (const player of players) for (const flag of flags) if (player[flag] === true) counts[flag] += 1;
  return counts;
});

/** How far a file reports these duties together. "Nobody" may be said only of `all`. */
export function dutyCoverage(
  { duty }: Pick<LiveStatus, 'duty'>,
  counted: readonly Duty[] = duties,
): Exclude<Coverage, 'unclear'> {
  const coverages = new Set(counted.map(([, flag]) => duty[flag]));
  const [first] = coverages;
  return coverages.size === 1 && (first === 'all' || first === 'none') ? first : 'some';
}

/** "🚓 4 police · 🚑 1 medic" on these servers together, without zeros; null if the files name nobody on duty. */
export function dutyCounts(
  files: readonly Pick<LiveStatus, 'players' | 'duty'>[],
  t: Translator,
  counted: readonly Duty[] = duties,
): string | null {
  if (files.length > 0 && files.every((file) => dutyCoverage(file, counted) === 'none'))
    return t('duty.missing');
  const counts = counted.map(([duty, flag]) => {
    const count = sumBy(files, ({ players }) => countsOf(players)[flag]);
    // Non-breaking, for narrow lines.
    return count === 0 ? null : t(`duty.${duty}`, { count }).replaceAll(' ', '\u00a0');
  });
  return joinParts(...counts) || null;
}

/** For how long a time stands alone: a day ago would be another one. */
export const RECENT_MS = 20 * HOUR;

/**
 * An unreadable or frozen file does not say who is on duty, which is not the same as nobody. Null where it is known. `now`:
 * where a file can be from another day.
 */
export function dutyGap(
  live: Judged<LiveStatus> | null,
  t: Translator,
  { now = live?.asOf, counted = duties }: { readonly now?: number; readonly counted?: readonly Duty[] } = {},
): string | null {
  if (live === null) return t('duty.unknown');
  if (!live.isStale) return coverageGap(live.record, t, counted);
  const isRecent = (now ?? live.asOf) - live.asOf < RECENT_MS;
  // To the minute, which is what is shown.
  const date = formatTimestamp(live.asOf - (live.asOf % MINUTE), isRecent ? 'clock' : 'time');
  return date === null ? t('duty.unknown') : t('duty.unknownSince', { date });
}

/** Says that a current file reports these duties in part, or not; null where it reports all. */
export function coverageGap(
  file: Pick<LiveStatus, 'duty'>,
  t: Translator,
  counted: readonly Duty[] = duties,
): string | null {
  const coverage = dutyCoverage(file, counted);
  if (coverage === 'all') return null;
  return t(coverage === 'none' ? 'duty.missing' : 'board.dutyPartly');
}

/** A server's duties in short: "🚓 4 🚑 1"; null if nobody is on duty. */
export function shortCounts(players: readonly Player[], t: Translator): string | null {
  const counts = duties.map(([, flag, sign]) => {
    const count = countsOf(players)[flag];
    return count === 0 ? null : `${sign}\u00a0${t.number(count)}`;
  });
  return counts.filter((count) => count !== null).join(' ') || null;
}

/** The meaning of the signs of these players that no summary has in words; null for none. */
export function signLegend(players: readonly Player[], t: Translator): string | null {
  const usedDuties = duties.filter((duty) => !summaryDuties.includes(duty) && countsOf(players)[duty[1]] > 0);
  return joinParts(...usedDuties.map(([, flag]) => t(`live.flag.${flag}`))) || null;
}

/** The sign of the duty that a driver is on; null for none. */
export function dutySign(player: Player): string | null {
  const [first] = setFlags(player);
  return first === 'cop' || first === 'med' || first === 'tow' ? signsOf([first]) : null;
}

/** The flags that are set, the most interesting first. */
export function setFlags(player: Player): readonly DutyFlag[] {
  return flags.filter((flag) => player[flag] === true);
}

/** "🚓🚨". */
export function signsOf(set: readonly DutyFlag[]): string {
  return duties.flatMap(([, flag, sign]) => (set.includes(flag) ? sign : [])).join('');
}

/** A player who has more than a number. */
export function isNamed({ username, nickname }: Player): boolean {
  return username !== null || nickname !== null;
}

/** Players on duty first, then by name; without a name by number, last. */
export function sortedPlayers(players: readonly Player[], t: Translator): readonly Player[] {
  const { compare } = new Intl.Collator(t.locale, { numeric: true });
  return players
    .map((player) => ({
      player,
      rank: dutyRank(player),
      number: numberOf(player),
      name: isNamed(player) ? driverName(player) : null,
    }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.name === null) - Number(b.name === null) ||
        compare(a.name ?? '', b.name ?? '') ||
        a.number - b.number,
    )
    .map(({ player }) => player);
}

function numberOf({ plid }: Player): number {
  return plid !== null && /^\d{1,9}$/.test(plid) ? Number(plid) : Number.MAX_SAFE_INTEGER;
}

/** For sorting by duty: those who only drive come before those who join, and after all others. */
function dutyRank(player: Player): number {
  const first = flags.findIndex((flag) => player[flag] === true);
  return first === -1 ? flags.length - 1.5 : first;
}
