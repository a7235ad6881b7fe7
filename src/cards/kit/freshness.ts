import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer, Stale } from '../../service/models/dated.ts';

/** The sentences for why there is nothing newer, each once: the same on every card and board, and where nothing can be shown. */
export function faultReasons(faults: readonly Stale[], t: Translator): string {
  return [...new Set(faults.map((fault) => t(`stale.${fault}`)))].join(' ');
}

/** The warning above a record that is not current; null if it is. */
export function oldData(answer: Omit<Answer<unknown>, 'record'>, t: Translator): string | null {
  return answer.stale === null ? null : oldSince(answer.asOf, [answer.stale], t);
}

/** Returns the notice above several records, with the time of the oldest. */
export function oldSince(asOf: number | null, faults: readonly Stale[], t: Translator): string {
  return t('card.old', { ago: formatMoment(asOf, 'relative', t), why: faultReasons(faults, t) }).trim();
}

/** The warning above a card with missing parts; null if nothing failed. */
export function partialNotice(faults: readonly Stale[], t: Translator): string | null {
  return faults.length === 0 ? null : t('card.partial', { why: faultReasons(faults, t) });
}

/** The last line of every card: the record's time. Not the footer, where Discord shows no timestamps. */
export function asOf(dated: Pick<Answer<unknown>, 'asOf'>, t: Translator): string {
  return `-# ${t('card.asOf')} ${formatMoment(dated.asOf, 'relative', t)}`;
}
