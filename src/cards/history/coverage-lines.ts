import { DAY, MINUTE, SECOND } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import type { Coverage } from '../../community/history/history.ts';
import { formatTimestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import { asOf } from '../kit/freshness.ts';
import { compact } from '../kit/lines.ts';
import { serverName } from '../servers/server-lines.ts';

/** Shorter holes are restarts, and change nothing in what is said. In ms. */
export const MIN_TOLD_HOLE_MS = 10 * MINUTE;

/** Servers without a live file: who is there, the bot does not see. */
export function unseenLine(servers: readonly string[], t: Translator): string | null {
  if (servers.length === 0) return null;
  const names = servers.map((name) => `**${serverName(name, t)}**`);
  return t('past.notSeen', { servers: new Intl.ListFormat(t.locale).format(names) });
}

/** Since which date the bot knows what a card says, and for how long of that time it knows nothing. */
export function coverageLines(coverage: Coverage, t: Translator): readonly (string | null)[] {
  const date = formatTimestamp(coverage.since, 'date');
  return [date && `-# ${t('past.since', { date })}`, missingLine(coverage, t)];
}

export function missingLine(coverage: Pick<Coverage, 'holes'>, t: Translator): string | null {
  const text = missingText(coverage, t);
  return text && `-# ${text}`;
}

export function missingText({ holes }: Pick<Coverage, 'holes'>, t: Translator): string | null {
  return missingTimeText(
    sumBy(holes, ({ from, to }) => to - from),
    t,
  );
}

/** Time online in ms; if not all of it is known, the least that it can be. */
export function knownTime(ms: number, isWhole: boolean, t: Translator): string {
  if (isWhole) return t.duration(ms / SECOND);
  return t('seen.atLeast', { duration: t.duration(ms / SECOND, 'least') });
}

/** Longer unknown times are told in days. In ms. */
const MIN_TOLD_DAYS_MS = 2 * DAY;

/** Tells for how many ms of a period there is no data; null for so little that it changes nothing. */
export function missingTimeText(ms: number, t: Translator): string | null {
  if (ms >= MIN_TOLD_DAYS_MS) return t('past.missingDays', { count: Math.round(ms / DAY) });
  return ms < MIN_TOLD_HOLE_MS ? null : t('past.missing', { duration: t.duration(ms / 1000) });
}

/** Sentences in small letters, one after the other; null without any. */
export function smallPrint(...sentences: readonly (string | null)[]): string | null {
  const fullSentences = compact(...sentences).map((each) => (/[.!?]$/.test(each) ? each : `${each}.`));
  return fullSentences.length === 0 ? null : `-# ${fullSentences.join(' ')}`;
}

/** When the card was true: the newest hour, or session, may be under way. */
export function knownUntil(until: number | null | undefined, now: number, t: Translator): string {
  return asOf({ asOf: Math.min(until ?? now, now) }, t);
}
