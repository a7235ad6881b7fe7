import { DiscordAPIError } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { ServiceError, StoreError, UserError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { explainFailure, isMiss } from '../../../src/discord/interactions/failure.ts';
import { createTranslators } from '../../support/translators.ts';

const raw = 'connect ECONNREFUSED 10.0.0.7:6379';

const thrown: readonly (readonly [string, unknown])[] = [
  ['an error', new Error(raw)],
  ['an error of the language', new TypeError(raw, { cause: new Error(raw) })],
  ['an error of the system', Object.assign(new Error(raw), { code: 'ERR_SQLITE_ERROR' })],
  ['a refusal by Discord', new DiscordAPIError({ code: 50035, message: raw }, 50035, 400, 'PATCH', raw, {})],
  ['something named like an error for people', Object.assign(new Error(raw), { name: 'UserError' })],
  ['a text', raw],
  ['an object', { message: raw, content: raw }],
  ['the store', new StoreError(raw)],
  ['a full store', new StoreError(raw, { trouble: 'full' })],
  ['the data service', new ServiceError('bad-response', { endpoint: 'car', sent: 'yes', detail: raw })],
];

const reporting = {
  ...{ id: '0badc0de', t: createTranslators()('en-GB'), onBug: () => {}, clock: systemClock },
  log: createLog({ level: 'silent', secrets: [] }),
};

test.each(thrown)('people never read what %s says', (_what, error) => {
  const { reply, result } = explainFailure(error, reporting);
  expect(result).toMatch(/unavailable|failed/);
  expect(reply.content).not.toBe('');
  expect(JSON.stringify(reply)).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|6379/);
});

/** What ends a command, how that counts, and whether the person sees the id to ask the operator about. */
const ends: readonly (readonly [string, unknown, string, boolean])[] = [
  ['a mistake of the person', new UserError('no such option'), 'declined', false],
  ['an unknown name', new ServiceError('not-found', { endpoint: 'car', sent: 'yes' }), 'declined', false],
  [
    "the person's own share",
    new ServiceError('over-budget', { endpoint: 'car', sent: 'no', share: 'burst' }),
    'declined',
    false,
  ],
  ['a budget used up', new ServiceError('over-budget', { endpoint: 'car', sent: 'no' }), 'unavailable', true],
  [
    'a data service that is down',
    new ServiceError('unavailable', { endpoint: 'car', sent: 'maybe' }),
    'unavailable',
    true,
  ],
  ['a store that is away', new StoreError('away'), 'unavailable', true],
  ['a full store', new StoreError('full', { trouble: 'full' }), 'unavailable', true],
  ['a bug', new TypeError('x is not a function'), 'failed', true],
];

test('a refusal with a next step has it as a button', () => {
  const nextStep = { command: 'link', action: 'form', subject: '', label: 'Link my driver' };
  const { reply } = explainFailure(new UserError('no driver', { nextStep }), reporting);
  expect(reply.components).toMatchObject([
    { components: [{ label: 'Link my driver', custom_id: '1:link:form:' }] },
  ]);
  expect(explainFailure(new UserError('no driver'), reporting).reply.components).toBeUndefined();
});

test.each(ends)('%s', (_what, error, counts, isIdShown) => {
  const { reply, result } = explainFailure(error, reporting);
  expect(result).toBe(counts);
  expect(reply.content?.includes(reporting.id)).toBe(isIdShown);
});

test.each([
  ['the service has not', new ServiceError('not-found', { endpoint: 'profile', sent: 'yes' }), true],
  ['nobody has seen', new UserError('not seen', { unknownName: 'marv' }), true],
  ['cannot be asked for', new UserError('not valid'), false],
  ['the service cannot look up', new ServiceError('unavailable', { endpoint: 'profile', sent: 'no' }), false],
])('similar names may be offered after a name that %s: %s', (_what, error, isOffered) => {
  expect(isMiss(error)).toBe(isOffered);
});
