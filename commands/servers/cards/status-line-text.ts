import type { Fault } from '../../../src/base/errors.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { slotsOf } from '../../../src/cards/servers/server-lines.ts';
import { leftOut } from '../../../src/cards/servers/summary.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { judgeFreshness } from '../../../src/service/models/dated.ts';
import type { Fact } from '../../../src/service/models/facts.ts';
import {
  drivingPlayers,
  type LiveServer,
  liveServer,
  type Player,
} from '../../../src/service/models/live-status.ts';
import type { Overview } from '../../../src/service/models/overview.ts';

interface CurrentFile {
  readonly server: LiveServer;
  /** Unix milliseconds. */
  readonly asOf: number;
  readonly players: readonly Player[];
}

/**
 * How many are driving, for the bot's activity line. Where the overview fails, live files say as many as they know; else
 * the line gives the age of old figures, or why there are none.
 */
export function statusLineText(
  facts: {
    readonly overview: Fact<Overview> | null;
    /** The live files that show the present. */
    readonly files: readonly CurrentFile[];
    /** The fault of the last request; null where it succeeded. */
    readonly fault: Fault | null;
    readonly now: number;
  },
  t: Translator,
): string {
  const { overview, files, fault, now } = facts;
  const freshness = overview === null ? 'no-data' : judgeFreshness(overview, 'polled', now);
  if (overview !== null && freshness === 'live') return drivingText(overview, files, t);
  const n = sumBy(files, driversIn);
  if (n > 0) return t('statusLine.atLeast', { n });
  if (overview === null || freshness === 'no-data')
    return t(fault === 'unavailable' ? 'statusLine.down' : 'statusLine.missing');
  const seconds = (now - overview.asOf) / 1000;
  return t('statusLine.old', { driving: drivingText(overview, [], t), age: t.duration(seconds) });
}

function driversIn({ players }: CurrentFile): number {
  return drivingPlayers(players).length;
}

function drivingText(overview: Fact<Overview>, files: readonly CurrentFile[], t: Translator): string {
  const countIn = (server: LiveServer | null): number | null => {
    const file = files.find((current) => current.server === server);
    return file === undefined ? null : driversIn(file);
  };
  const open = overview.record.filter(({ online }) => online !== false);
  const omittedCounts = leftOut(overview.record).flatMap((server) => countIn(server) ?? []);
  if (open.length + omittedCounts.length === 0) return t('statusLine.closed');
  const listed = open.flatMap(({ name, guests }) => countIn(liveServer(name)) ?? guests ?? []);
  const counts = [...listed, ...omittedCounts];
  if (counts.length === 0) return t('statusLine.missing');
  const n = counts.reduce((sum, guests) => sum + guests, 0);
  // A server that does not report its drivers may have some.
  if (counts.length < open.length + omittedCounts.length) return t('statusLine.atLeast', { n });
  // A live file does not say how many slots there are.
  const places =
    omittedCounts.length > 0 ? Number.NaN : sumBy(open, (server) => slotsOf(server) ?? Number.NaN);
  return Number.isNaN(places) || places < n
    ? t('statusLine.driving', { n })
    : t('statusLine.drivingOf', { n, places });
}
