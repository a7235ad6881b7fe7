import { timestamp } from '../../i18n/timestamp.ts';
import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Section } from './embed.ts';

type Age = Pick<Answer<unknown>, 'asOf' | 'stale'>;

/** Why there is no newer record, or none at all. */
export type Why = NonNullable<Age['stale']>;

/** A new reason does not compile without its text. */
const reasons: Readonly<Record<Why, TextKey>> = {
  slow: 'stale.slow',
  share: 'stale.share',
  'not-found': 'stale.not-found',
  unauthorised: 'stale.unauthorised',
  'over-budget': 'stale.over-budget',
  'no-turn': 'stale.no-turn',
  'store-away': 'stale.store-away',
  unavailable: 'stale.unavailable',
  rejected: 'stale.rejected',
  'bad-response': 'stale.bad-response',
};

function since({ asOf }: Age, t: Translator): string {
  return timestamp(asOf, 'relative') ?? t('card.unknownDate');
}

/** The warning above a record that is not current; empty if it is. */
export function oldData(age: Age, t: Translator): readonly string[] {
  if (age.stale === null) return [];
  return [t('card.old', { ago: since(age, t), why: t(reasons[age.stale]) })];
}

/** The warning above a card with missing parts; empty if nothing failed. */
export function partial(faults: readonly Why[], t: Translator): readonly string[] {
  const whys = new Set(faults.map((fault) => t(reasons[fault])));
  return whys.size === 0 ? [] : [t('card.partial', { why: [...whys].join(' ') })];
}

/** The last part of every card: the record's time. A field, because Discord shows no timestamps in a footer. */
export function asOf(age: Age, t: Translator): Section {
  return { name: t('card.asOf'), lines: [since(age, t)] };
}
