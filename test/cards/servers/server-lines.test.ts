import { expect, test } from 'vitest';
import { serverLines } from '../../../src/cards/servers/server-lines.ts';
import { type JudgedFacts, noFacts } from '../../../src/service/models/facts.ts';
import { NOON, servers } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const HOUR = 3_600_000;
const t = createTranslators()('en-GB');

const facts = (offlineSince?: ReadonlyMap<string, number>): JudgedFacts => ({
  ...noFacts,
  overview: {
    record: servers({
      One: { online: false },
      events: { online: false },
      two: { online: true, guests: 0, maxGuests: 8 },
    }),
    asOf: NOON,
    isStale: false,
  },
  offlineSince,
});
const linesOf = (given: JudgedFacts): string => serverLines(given, true, 2000, t).join('\n');

test('an offline server says since when: the time within a day, else the day', () => {
  const since = new Map([
    ['one', NOON - HOUR],
    ['events', NOON - 50 * HOUR],
    ['two', NOON - HOUR],
  ]);
  expect(linesOf(facts(since))).toContain(
    `⚫ Offline: **One** (since <t:${(NOON - HOUR) / 1000}:t>) · **Events** (since <t:${(NOON - 50 * HOUR) / 1000}:d>)`,
  );
});

test('and nothing where that is not known', () => {
  expect(linesOf(facts())).toContain('⚫ Offline: **One** · **Events**');
});
