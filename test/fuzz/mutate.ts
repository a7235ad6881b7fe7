import fc from 'fast-check';
import { longNames } from '../support/hostile-names.ts';
import { hostile } from '../text/in-game.ts';

const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) as unknown;

/** What a field has been sent as, here or elsewhere, that it should not be. No word in it looks like a slip of ours. */
const oddities: readonly unknown[] = [
  ...[null, true, false, '', '0', '1', 'x', [], {}, [null], [[]], { x: 1 }, deep],
  ...[0, -0, -1, -4.5, 0.0199, 99.96, 1e15, 1.7e308, -1.7e308, 5e-324, 1_700_000_000, 8.64e15, 9e15],
  ...['1e400', '-3', ' 12 ', '12,5', '0000-00-00', '2026-02-30T00:00:00Z', '9999-12-31', 'AB12C'],
  ...['//flags.example/x.png', 'https://localhost/x.png', `https://flags.example/${'x'.repeat(3000)}`],
  ...['https://discord.gg/abc', 'x'.repeat(65), '😀'.repeat(64), 'a\u200bb', '\ud800', 'ring\0'],
  ...hostile,
  ...Object.values(longNames),
];

const ways = [
  'replace',
  'replace',
  'replace',
  'remove',
  'rename',
  'repeat',
  'as-text',
  'wrap',
  'swap',
] as const;

export interface Mutation {
  readonly way: (typeof ways)[number];
  /** Which place of the document, counted round. */
  readonly place: number;
  readonly other: number;
  readonly oddity: unknown;
}

/** One to four changes, so that a failing document shrinks to the one that matters. */
export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    way: fc.constantFrom(...ways),
    place: fc.nat(999),
    other: fc.nat(999),
    oddity: fc.constantFrom(...oddities),
  }),
  { minLength: 1, maxLength: 4 },
);

/** A place in a document: what holds the value, and under which key. */
interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function isHolder(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function placesIn(holder: Record<string, unknown>): Place[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(isHolder(value) ? placesIn(value) : []),
  ]);
}

/** The document with the changes made to it; the original stays as it is. */
export function mutate(document: unknown, changes: readonly Mutation[]): unknown {
  const root: Record<string, unknown> = { document: structuredClone(document) };
  for (const change of changes) apply(root, change);
  return root['document'];
}

/** The document once for each text in it, with another in its place. */
export function withTextReplaced(document: unknown, text: string): readonly unknown[] {
  return placesIn({ document }).flatMap(({ holder, key }, place) =>
    typeof holder[key] === 'string'
      ? [mutate(document, [{ way: 'replace', place, other: 0, oddity: text }])]
      : [],
  );
}

function apply(root: Record<string, unknown>, { way, place, other, oddity }: Mutation): void {
  const places = placesIn(root);
  const at = places[place % places.length];
  if (at === undefined) return;
  const { holder, key } = at;
  const value = holder[key];
  switch (way) {
    case 'replace':
      holder[key] = structuredClone(oddity);
      break;
    case 'remove':
      delete holder[key];
      break;
    case 'rename':
      delete holder[key];
      holder[key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase()] = value;
      break;
    case 'repeat':
      holder[key] = Array.isArray(value) ? Array.from({ length: 40 }, () => value).flat() : [value, value];
      break;
    case 'as-text':
      if (!isHolder(value)) holder[key] = String(value ?? '');
      break;
    case 'wrap':
      holder[key] = [value];
      break;
    case 'swap': {
      const partner = places[other % places.length];
      holder[key] = partner === undefined ? value : structuredClone(partner.holder[partner.key]);
      break;
    }
  }
}
