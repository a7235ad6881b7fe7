import { sumBy } from '../../base/sum-by.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { JudgedFacts } from '../../service/models/facts.ts';
import { drivingPlayers, type LiveStatus, type Player } from '../../service/models/live-status.ts';
import { nameLines } from '../kit/block.ts';
import type { Section } from '../kit/card.ts';
import { nameCell } from '../kit/driver.ts';
import { fitLines } from '../kit/fit-lines.ts';
import { joinParts } from '../kit/lines.ts';
import { isNamed, setFlags, signLegend, signsOf, sortedPlayers } from './duty.ts';
import { playersOf, rowsOf, serverLabel } from './server-lines.ts';

/** Columns of a name. */
const MAX_NAME_WIDTH = 24;
/** Names of one server that are written; the others only count. No server of the game takes as many. */
const MAX_NAMES = 64;

/** Characters of the names of all servers that name nobody. */
const MAX_SILENT_LENGTH = 160;

/** No line ends between two of them. */
function signsTogether(player: LiveStatus['players'][number]): string {
  return setFlags(player)
    .map((flag) => signsOf([flag]))
    .join('\u2060');
}

function runningRows(facts: JudgedFacts) {
  return rowsOf(facts).filter(({ server }) => server?.online !== false);
}

function driversIn(row: Parameters<typeof playersOf>[0]): readonly Player[] | null {
  const online = playersOf(row);
  return online && drivingPlayers(online);
}

/** The signs of those who drive, in words; null where none needs them. */
export function drivingSigns(facts: JudgedFacts, t: Translator): string | null {
  return signLegend(
    runningRows(facts).flatMap((row) => playersOf(row) ?? []),
    t,
  );
}

/** How many drivers have a name to be shown. */
export function namedDrivers(facts: JudgedFacts): number {
  return sumBy(runningRows(facts), (row) => (driversIn(row) ?? []).filter(isNamed).length);
}

/**
 * A line for each server with the names of its drivers and their duty signs, all servers that name nobody in one more.
 * Everybody is counted, also drivers without a name. Null where live files name nobody.
 */
export function drivingSection(facts: JudgedFacts, t: Translator): Section | null {
  const servers = runningRows(facts).flatMap(({ name, server, live }) => {
    const players = driversIn({ live });
    const namedPlayers = sortedPlayers(players ?? [], t)
      .filter(isNamed)
      .slice(0, MAX_NAMES);
    const count = players?.length ?? (facts.overview?.isStale === false ? (server?.guests ?? 0) : 0);
    const names = namedPlayers.map(
      (player) => [nameCell(player, MAX_NAME_WIDTH), signsTogether(player)] as const,
    );
    return count === 0 ? [] : [{ label: serverLabel(name, t), names, count }];
  });
  const { naming = [], silent = [] } = Object.groupBy(servers, ({ names }) =>
    names.length > 0 ? 'naming' : 'silent',
  );
  if (naming.length === 0) return null;
  const sumOf = (some: typeof servers): number => sumBy(some, ({ count }) => count);
  const lines = naming.map(({ label, names, count }) => ({ label, names, others: count - names.length }));
  const labels = silent.map(({ label }) => label);
  const label = fitLines(labels, { characters: MAX_SILENT_LENGTH, between: ', ' }, t);
  const rest = { label, names: [], others: sumOf(silent) };
  return {
    name: joinParts(t('board.driving'), t.number(sumOf(servers))),
    lines: (characters) => nameLines(silent.length === 0 ? lines : [...lines, rest], characters, t),
  };
}
