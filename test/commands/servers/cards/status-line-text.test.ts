import { expect, test } from 'vitest';
import { statusLineText } from '../../../../commands/servers/cards/status-line-text.ts';
import type { LiveServer } from '../../../../src/service/models/live-status.ts';
import { liveFile, liveJson, NOON, overviewJson, servers } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');
const MINUTE = 60_000;

const known = (json: unknown, age = 0) => ({ record: servers(json), asOf: NOON - age });

function said(facts: Partial<Parameters<typeof statusLineText>[0]>): string {
  return statusLineText({ overview: null, files: [], fault: null, now: NOON, ...facts }, t);
}

function file(server: LiveServer, drivers: number, age = 0) {
  const players = liveFile(
    liveJson(Object.fromEntries(Array.from({ length: drivers }, (_, id) => [id, {}]))),
  );
  return { server, asOf: NOON - age, players: players.players };
}

test.each([
  [
    { one: { online: true, guests: 3, maxGuests: 0 }, two: { online: true, guests: 5, maxGuests: 40 } },
    '8 driving',
  ],
  [overviewJson, '50 driving, 96 slots'],
  [{ one: { online: true, guests: 3 } }, '3 driving'],
  [{ one: { online: true, guests: 3 }, two: { online: true, guests: 1, maxGuests: 2 } }, '4 driving'],
  [{ one: { online: true, guests: 0, maxGuests: 40 } }, '0 driving, 40 slots'],
  [{ one: { online: false, guests: 9, maxGuests: 40 } }, 'All servers are offline'],
  [{ one: { online: true } }, 'Driver count unknown'],
  [{ one: { online: true, guests: 17, maxGuests: 68 }, four: { online: true } }, 'at least 17 driving'],
])('%j reads %s', (json, text) => {
  expect(said({ overview: known(json) })).toBe(text);
});

test('drivers are counted by the live file, even an older one, or without an overview', () => {
  const overview = known({ one: { online: true, guests: 3 }, two: { online: true } });
  expect(said({ overview, files: [file('two', 5, 1000)] })).toBe('8 driving');
  expect(said({ overview, files: [file('one', 5, 1000)] })).toBe('at least 5 driving');
});

test.each([
  ['a poll that failed just now', 2 * MINUTE, 'unavailable', '50 driving, 96 slots'],
  ['a poll that is not due yet', 5 * MINUTE, null, '50 driving, 96 slots'],
  ['a poll that has failed for minutes', 5 * MINUTE, 'unavailable', /^50 driving, 96 slots, 5\s?min ago$/],
  ['an outage', 16 * MINUTE, 'unavailable', "The data service isn't answering"],
  ['a budget that others use', 7 * MINUTE, 'over-budget', /^50 driving, 96 slots, 7\s?min ago$/],
  [
    'an outage that is over, before the next answer',
    14 * MINUTE,
    null,
    /^50 driving, 96 slots, 14\s?min ago$/,
  ],
  ['old numbers', 16 * MINUTE, 'over-budget', 'Driver count unknown'],
] as const)('%s is told as what it is', (_what, age, fault, text) => {
  const overview = { ...known(overviewJson, age), unread: fault ?? undefined };
  expect(said({ overview, fault })).toMatch(text);
});

test.each([
  ['unavailable', "The data service isn't answering"],
  ['over-budget', 'Driver count unknown'],
  [null, 'Driver count unknown'],
] as const)('nothing known, and %s: %s', (fault, text) => {
  expect(said({ overview: null, fault })).toBe(text);
});

test.each([
  ['nothing', null],
  ['old figures', { ...known(overviewJson, 3 * MINUTE), unread: 'unavailable' as const }],
])('if the overview fails and leaves %s, live files give a lower bound', (_what, overview) => {
  const files = [file('one', 8), file('two', 1), file('three', 0)];
  expect(said({ overview, files, fault: 'unavailable' })).toBe('at least 9 driving');
});

test.each([
  [overviewJson, 4, '54 driving'],
  [{ one: { online: false } }, 0, '0 driving'],
  [{ one: { online: true } }, 4, 'at least 4 driving'],
])('with a server that the overview leaves out, %j and %j more reads %s', (json, drivers, text) => {
  expect(said({ overview: known(json), files: [file('four', drivers)] })).toBe(text);
});

test.each([
  ['newer', 2000, '12 driving, 96 slots'],
  ['older', 4000, '12 driving, 96 slots'],
])('a live file that is %s than the overview is counted as it says', (_what, age, text) => {
  const overview = known(overviewJson, 3000);
  expect(said({ overview, files: [file('one', 2, age), file('two', 9, age)] })).toBe(text);
});
