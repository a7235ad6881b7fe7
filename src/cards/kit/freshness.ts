import { timestamp } from '../../i18n/timestamp.ts';
import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer, Stale } from '../../service/models/dated.ts';
import type { Section } from './embed.ts';

/** A new reason does not compile without its text. */
const reasons: Readonly<Record<Stale, TextKey>> = {
  slow: 'stale.slow',
  share: 'stale.share',
  refused: 'stale.refused',
  frozen: 'stale.frozen',
  'not-found': 'stale.not-found',
  unauthorised: 'stale.unauthorised',
  'over-budget': 'stale.over-budget',
  'no-turn': 'stale.no-turn',
  'store-away': 'stale.store-away',
  unavailable: 'stale.unavailable',
  rejected: 'stale.rejected',
  'bad-response': 'stale.bad-response',
};

function since({ asOf }: Pick<Answer<unknown>, 'asOf'>, t: Translator): string {
  return timestamp(asOf, 'relative') ?? t('card.unknownDate');
}

/** The warning above a record that is not current; empty if it is. */
export function oldData(answer: Omit<Answer<unknown>, 'record'>, t: Translator): readonly string[] {
  if (answer.stale === null) return [];
  return [t('card.old', { ago: since(answer, t), why: t(reasons[answer.stale]) })];
}

/** The warning above a card with missing parts; empty if nothing failed. */
export function partial(faults: readonly Stale[], t: Translator): readonly string[] {
  const whys = new Set(faults.map((fault) => t(reasons[fault])));
  return whys.size === 0 ? [] : [t('card.partial', { why: [...whys].join(' ') })];
}

/** The last part of every card: the record's time. A field, because Discord shows no timestamps in a footer. */
export function asOf(dated: Pick<Answer<unknown>, 'asOf'>, t: Translator): Section {
  return { name: t('card.asOf'), lines: [since(dated, t)] };
}

/** The same as the last line of a card without sections. */
export function asOfLine(dated: Pick<Answer<unknown>, 'asOf'>, t: Translator): string {
  return `-# ${t('card.asOf')} ${since(dated, t)}`;
}
