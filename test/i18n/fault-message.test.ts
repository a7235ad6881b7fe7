import { describe, expect, test } from 'vitest';
import { type Fault, faults, ServiceError } from '../../src/base/errors.ts';
import { faultMessage } from '../../src/i18n/fault-message.ts';
import { createTranslators } from '../support/translators.ts';

const t = createTranslators()('en-GB');
const NOW = 1_795_176_000_000;

function said(fault: Fault, detail: Partial<ConstructorParameters<typeof ServiceError>[1]> = {}): string {
  return faultMessage(new ServiceError(fault, { endpoint: 'profile', sent: 'yes', ...detail }), t, NOW);
}

describe('an unknown name', () => {
  test.each([
    ['profile', /^No driver/],
    ['options', /^No driver/],
    ['car', /^No car with that VIN/],
    ['overview', /nothing by that name/],
  ])('asked of %s is called what it is', (endpoint, expected) => {
    expect(said('not-found', { endpoint })).toMatch(expected);
  });

  test('is never said of an outage, nor an outage of it', () => {
    for (const fault of faults.filter((each) => each !== 'not-found'))
      expect(said(fault)).not.toMatch(/no driver|no car|knows no|spelling|unknown/i);
    expect(said('not-found')).not.toMatch(/down|isn't answering|try again|side/i);
  });
});

test.each([
  ['unauthorised', { refusal: 'key' }, /key/],
  ['unauthorised', { refusal: 'address' }, /address/],
  ['unauthorised', { refusal: 'command' }, /doesn't allow/],
  ['unauthorised', {}, /refuses/],
  ['over-budget', {}, /request limit is used up/],
  ['no-turn', {}, /slow right now/],
  ['store-away', {}, /can't reach my database/],
  ['unavailable', {}, /isn't answering/],
  ['rejected', { refusal: 'request' }, /rejected .* as invalid/],
  ['rejected', { refusal: 'not-implemented' }, /doesn't offer this/],
  ['bad-response', {}, /can't read/],
] as const)('%s %j says what failed, on whose side, and what to do', (fault, detail, what) => {
  const [failed = '', todo = ''] = said(fault, detail).split('\n');
  expect(failed).toMatch(what);
  expect(failed).toMatch(/The fault is on (my|its) side/);
  expect(todo).toMatch(/^(Try again|Tell the bot's operator)/);
});

test.each(['en-GB', 'de', 'tr', 'pl', 'fr', 'nl', 'es-ES', 'pt-BR', 'it', 'ru'])(
  'what failed is said in the sentence that cards have for it: %s',
  (locale) => {
    const own = createTranslators()(locale);
    for (const fault of ['over-budget', 'no-turn', 'store-away', 'unavailable', 'bad-response'] as const) {
      const error = new ServiceError(fault, { endpoint: 'profile', sent: 'no' });
      expect(faultMessage(error, own, NOW).startsWith(`${own(`stale.${fault}`)} `)).toBe(true);
    }
  },
);

test('a refusal while requests are left is not worded as a used-up limit', () => {
  expect(said('over-budget', { refusal: 'limit', retryAt: NOW + 60_000 })).toBe(
    'The data service accepts no requests from me for now.\nNext request in 60 seconds.',
  );
});

test.each([
  [1, 'in 1 second'],
  [39_001, 'in 40 seconds'],
  [61_000, 'in 61 seconds'],
  [121_000, 'in 3 minutes'],
  [3_601_000, 'in 61 minutes'],
  [3 * 3_600_000 + 1, 'in 4 hours'],
  [6 * 86_400_000, 'in 6 days'],
  [-120_000, 'in 1 second'],
])('a budget that is spent for %d ms says "%s": never too early or in the past', (ms, when) => {
  expect(said('over-budget', { retryAt: NOW + ms })).toContain(`${when}.`);
});

test.each([1e300, NOW + 8 * 86_400_000])('a time as far as %d is none to name', (retryAt) => {
  expect(said('over-budget', { retryAt })).toContain('in a few minutes');
});

test('the wait is in the words of each language', () => {
  const error = new ServiceError('over-budget', { endpoint: 'profile', sent: 'no', retryAt: NOW + 40_000 });
  const told = ['de', 'tr', 'pl', 'fr'].map((language) =>
    faultMessage(error, createTranslators()(language), NOW),
  );
  for (const [index, when] of [
    'in 40 Sekunden',
    '40 saniye sonra',
    'za 40 sekund',
    'dans 40 secondes',
  ].entries())
    expect(told[index]).toContain(when);
});

test.each([
  ['burst', /your share/],
  ['person', /your share.*per person/],
  ['guild', /this server has used its share/],
] as const)('a share of kind %s that is used up is not told as a spent budget', (share, whose) => {
  const told = said('over-budget', { share, retryAt: NOW + 1 });
  expect(told).toMatch(whose);
  expect(told).toMatch(/Next lookup (in this server )?in 1 second\./);
  expect(told).not.toMatch(/my side|limit is used up/);
});

test('nothing that was seen on the wire is repeated', () => {
  expect(said('unavailable', { detail: 'https://service.example/?key=SECRET' })).not.toMatch(
    /SECRET|https?:/,
  );
});
