import { MINUTE } from '../../base/duration.ts';
import type { Coverage } from '../../history/history.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';

/** Shorter holes are restarts, and change nothing in what is said. In ms. */
const WORTH_TELLING = 10 * MINUTE;

/** Since date the bot knows what a card says, and for how long of that time it knows nothing. */
export function knownLines({ since, holes }: Coverage, t: Translator): readonly string[] {
  const missing = holes.reduce((sum, { from, to }) => sum + to - from, 0);
  const date = since === null ? null : timestamp(since, 'day');
  return [
    ...(date === null ? [] : [`-# ${t('past.since', { date })}`]),
    ...(missing < WORTH_TELLING ? [] : [`-# ${t('past.missing', { duration: t.duration(missing / 1000) })}`]),
  ];
}
