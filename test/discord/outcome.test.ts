import { DiscordAPIError } from 'discord.js';
import { expect, test } from 'vitest';
import { outcomeOf } from '../../src/discord/outcome.ts';
import { ServiceError, StoreError } from '../../src/errors.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { createLog } from '../../src/log.ts';

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

test.each(thrown)('people never read what %s says', async (_what, error) => {
  const t = createTranslators()('en-GB');
  const { reply, failed } = await outcomeOf(() => Promise.reject(error), {
    ...{ t, onBug: () => {}, illustrate: async () => null },
    log: createLog({ level: 'silent', secrets: [] }),
  });
  expect(failed).toBe(true);
  expect(reply.content).not.toBe('');
  expect(JSON.stringify(reply)).not.toMatch(/ECONNREFUSED|10\.0\.0\.7|6379/);
});
