import type { Fault } from '../../base/errors.ts';
import type { Translator } from '../../i18n/translator.ts';
import { judge } from '../../service/models/dated.ts';
import type { Fact } from '../../service/models/facts.ts';
import type { Overview } from '../../service/models/overview.ts';
import { slotsOf } from './server-lines.ts';

/** Times in unix milliseconds. */
interface StatusLineFacts {
  readonly overview: Fact<Overview> | null;
  /** Drivers on each server that runs although the overview leaves it out. */
  readonly elsewhere: readonly number[];
  /** Drivers on each server whose live file shows the present. */
  readonly inFiles: readonly number[];
  /** The fault of the last request; null where it succeeded. */
  readonly fault: Fault | null;
  readonly now: number;
}

/**
 * How many are driving, for the bot's activity line. Where the overview fails, live files say as many as they know; else
 * the line gives the age of old figures, or why there are none.
 */
export function statusLineText(
  { overview, elsewhere, inFiles, fault, now }: StatusLineFacts,
  t: Translator,
): string {
  const freshness = overview === null ? 'no-data' : judge(overview, 'polled', now);
  if (overview !== null && freshness === 'live') return drivingText(overview.record, elsewhere, t);
  if (inFiles.length > 0)
    return t('statusLine.atLeast', { n: inFiles.reduce((sum, drivers) => sum + drivers, 0) });
  if (overview === null || freshness === 'no-data')
    return t(fault === 'unavailable' ? 'statusLine.down' : 'statusLine.missing');
  const seconds = (now - overview.asOf) / 1000;
  return t('statusLine.old', {
    driving: drivingText(overview.record, elsewhere, t),
    age: t.duration(seconds),
  });
}

function drivingText(overview: Overview, elsewhere: readonly number[], t: Translator): string {
  const open = overview.filter(({ online }) => online);
  if (open.length + elsewhere.length === 0) return t('statusLine.closed');
  const counts = [...open.flatMap(({ guests }) => (guests === null ? [] : [guests])), ...elsewhere];
  if (counts.length === 0) return t('statusLine.missing');
  const n = counts.reduce((sum, guests) => sum + guests, 0);
  // A server that does not report its drivers may have some.
  if (counts.length < open.length + elsewhere.length) return t('statusLine.atLeast', { n });
  // A live file does not say how many slots there are.
  const places =
    elsewhere.length > 0
      ? Number.NaN
      : open.reduce((sum, server) => sum + (slotsOf(server) ?? Number.NaN), 0);
  return Number.isNaN(places) || places < n
    ? t('statusLine.driving', { n })
    : t('statusLine.drivingOf', { n, places });
}
