import { expect, test } from 'vitest';
import { statusLineText } from '../../../src/cards/servers/status-line-text.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import { NOON, overviewJson, servers } from '../../support/records.ts';

const t = createTranslators()('en-GB');
const MINUTE = 60_000;

const known = (json: unknown, age = 0) => ({ record: servers(json), asOf: NOON - age });

test.each([
  [overviewJson, '50 driving, 96 slots'],
  [{ one: { online: true, guests: 3 } }, '3 driving'],
  [{ one: { online: true, guests: 3 }, two: { online: true, guests: 1, maxGuests: 2 } }, '4 driving'],
  [{ one: { online: true, guests: 0, maxGuests: 40 } }, '0 driving, 40 slots'],
  [{ one: { online: false, guests: 9, maxGuests: 40 } }, 'All servers are offline'],
  [{ one: { online: true } }, 'Driver count unknown'],
  [{ one: { online: true, guests: 17, maxGuests: 68 }, four: { online: true } }, '17+ driving'],
])('%j reads %s', (json, text) => {
  expect(statusLineText({ overview: known(json), elsewhere: [], fault: null, now: NOON }, t)).toBe(text);
});

test.each([
  ['a fault that nobody sees yet', 5 * MINUTE, 'unavailable', '50 driving, 96 slots'],
  ['an outage', 7 * MINUTE, 'unavailable', 'The data service is down'],
  ['a budget that others use', 7 * MINUTE, 'over-budget', /^50 driving, 96 slots, 7\s?min ago$/],
  [
    'an outage that is over, before the next answer',
    14 * MINUTE,
    null,
    /^50 driving, 96 slots, 14\s?min ago$/,
  ],
  ['old numbers', 16 * MINUTE, 'over-budget', 'Driver count unknown'],
] as const)('%s is told as what it is', (_what, age, fault, text) => {
  expect(statusLineText({ overview: known(overviewJson, age), elsewhere: [], fault, now: NOON }, t)).toMatch(
    text,
  );
});

test.each([
  ['unavailable', 'The data service is down'],
  ['over-budget', 'Driver count unknown'],
  [null, 'Driver count unknown'],
] as const)('nothing known, and %s: %s', (fault, text) => {
  expect(statusLineText({ overview: null, elsewhere: [], fault, now: NOON }, t)).toBe(text);
});

test.each([
  [overviewJson, [4], '54 driving'],
  [{ one: { online: false } }, [0], '0 driving'],
  [{ one: { online: true } }, [4], '4+ driving'],
])('with servers that the overview leaves out, %j and %j more reads %s', (json, elsewhere, text) => {
  expect(statusLineText({ overview: known(json), elsewhere, fault: null, now: NOON }, t)).toBe(text);
});
