import { describe, expect, test } from 'vitest';
import { type Fault, ServiceError } from '../../src/errors.ts';
import { faultMessage } from '../../src/i18n/fault-message.ts';
import { createTranslators } from '../../src/i18n/translator.ts';

const t = createTranslators()('en-GB');

function said(fault: Fault, detail: Partial<ConstructorParameters<typeof ServiceError>[1]> = {}): string {
  return faultMessage(new ServiceError(fault, { endpoint: 'profile', sent: 'yes', ...detail }), t);
}

describe('an unknown name', () => {
  test.each([
    ['profile', /^No player/],
    ['options', /^No player/],
    ['car', /^No car with that VIN/],
    ['overview', /nothing by that name/],
  ])('asked of %s is called what it is', (endpoint, expected) => {
    expect(said('not-found', { endpoint })).toMatch(expected);
  });

  test('is never told of an outage, nor an outage of it', () => {
    for (const fault of [
      'unauthorised',
      'over-budget',
      'no-turn',
      'store-away',
      'unavailable',
      'rejected',
      'bad-response',
    ] as const)
      expect(said(fault)).not.toMatch(/no player|no car|knows no|spelling|unknown/i);
    expect(said('not-found')).not.toMatch(/down|not answering|try again|side/i);
  });
});

test.each([
  ['unauthorised', { refusal: 'key' }, /key/],
  ['unauthorised', { refusal: 'address' }, /address/],
  ['unauthorised', { refusal: 'command' }, /does not allow/],
  ['unauthorised', {}, /refuses/],
  ['over-budget', {}, /request limit is used up/],
  ['no-turn', {}, /so slow/],
  ['store-away', {}, /record of requests/],
  ['unavailable', {}, /not answering/],
  ['rejected', { refusal: 'request' }, /rejected .* as invalid/],
  ['rejected', { refusal: 'not-implemented' }, /does not offer this/],
  ['bad-response', {}, /cannot read/],
] as const)('%s %j says what failed, on whose side, and what to do', (fault, detail, what) => {
  const [failed = '', todo = ''] = said(fault, detail).split('\n');
  expect(failed).toMatch(what);
  expect(failed).toMatch(/The fault is on (my|its) side/);
  expect(todo).toMatch(/^(Try again|Tell whoever)/);
});

test('a spent budget says when to come back, and never a second too early', () => {
  expect(said('over-budget', { retryAt: 1_795_176_000_001 })).toContain('Next request <t:1795176001:R>.');
  expect(said('over-budget', { retryAt: 1e300 })).toContain('in a few minutes');
});

test.each([
  ['burst', /your share/],
  ['person', /your share.*per person/],
  ['guild', /everyone asking from here has had their share/],
] as const)('a share of kind %s that is used up is not told as a spent budget', (share, whose) => {
  const told = said('over-budget', { share, retryAt: 1_795_176_000_001 });
  expect(told).toMatch(whose);
  expect(told).toMatch(/Next look-up (from here )?<t:1795176001:R>\./);
  expect(told).not.toMatch(/my side|limit is used up/);
});

test('nothing that was seen on the wire is repeated', () => {
  expect(said('unavailable', { detail: 'https://service.example/?key=SECRET' })).not.toMatch(
    /SECRET|https?:/,
  );
});
