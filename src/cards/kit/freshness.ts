import { moment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer, Stale } from '../../service/models/dated.ts';

type Dated = Pick<Answer<unknown>, 'asOf'>;

function since({ asOf }: Dated, t: Translator): string {
  return moment(asOf, 'relative', t);
}

/** The warning above a record that is not current; null if it is. */
export function oldData(answer: Omit<Answer<unknown>, 'record'>, t: Translator): string | null {
  if (answer.stale === null) return null;
  return t('card.old', { ago: since(answer, t), why: t(`stale.${answer.stale}`) });
}

/** The warning above a card with missing parts; null if nothing failed. */
export function partial(faults: readonly Stale[], t: Translator): string | null {
  const whys = new Set(faults.map((fault) => t(`stale.${fault}`)));
  return whys.size === 0 ? null : t('card.partial', { why: [...whys].join(' ') });
}

/** The last line of every card: the record's time. Not the footer, where Discord shows no timestamps. */
export function asOf(dated: Dated, t: Translator): string {
  return `-# ${t('card.asOf')} ${since(dated, t)}`;
}
