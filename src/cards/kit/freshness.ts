import type { Answer } from '../../service/client.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { WordKey, Words } from '../../i18n/translator.ts';
import type { Section } from './embed.ts';

type Age = Pick<Answer<unknown>, 'asOf' | 'stale'>;

/** Why there is no newer record, or none at all. */
export type Why = NonNullable<Age['stale']>;

/** Why a newer record could not be had. A reason without its words does not compile. */
const reasons: Readonly<Record<Why, WordKey>> = {
  slow: 'stale.slow',
  share: 'stale.share',
  'not-found': 'stale.not-found',
  unauthorised: 'stale.unauthorised',
  'over-budget': 'stale.over-budget',
  unavailable: 'stale.unavailable',
  'bad-response': 'stale.bad-response',
};

function since({ asOf }: Age, words: Words): string {
  return timestamp(asOf, 'relative') ?? words.text('card.momentUnknown');
}

/** The warning at the top of a card whose record is not the newest; nothing where it is. */
export function oldData(age: Age, words: Words): readonly string[] {
  if (age.stale === null) return [];
  return [words.text('card.old', { when: since(age, words), why: words.text(reasons[age.stale]) })];
}

/** The warning at the top of a card that has to do without a part of what it shows; nothing where nothing failed. */
export function partial(faults: readonly Why[], words: Words): readonly string[] {
  const whys = new Set(faults.map((fault) => words.text(reasons[fault])));
  return whys.size === 0 ? [] : [words.text('card.partial', { why: [...whys].join(' ') })];
}

/** The last part of every card: of when it is. A field, because chat draws no moments in a footer. */
export function asOf(age: Age, words: Words): Section {
  return { name: words.text('card.asOf'), lines: [since(age, words)] };
}
