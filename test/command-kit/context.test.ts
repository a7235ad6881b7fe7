import { expect, test } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { contextFor } from '../../src/command-kit/context.ts';
import { faultMessage } from '../../src/i18n/fault-message.ts';
import { car, profile } from '../../src/service/endpoints.ts';
import { contextParts } from '../support/context.ts';
import { failing } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const t = createTranslators()('en-GB');

const { service } = contextFor(contextParts({ service: failing('not-found') }), {
  t,
  person: { id: '1', guildId: null, channelId: null, mayManage: false, locale: 'en-GB' },
  now: 0,
  sentAt: 0,
});

test.each([
  ['a player', () => service.get(profile, { username: 'mar' }), /No driver named \*\*mar\*\*/],
  [
    'a name with marks',
    () => service.get(profile, { username: '**@everyone' }),
    /named \*\*\\\*\\\*\\@everyone\*\*/,
  ],
  ['a car', () => service.get(car, { vin: 'AB12C' }), /VIN \*\*AB12C\*\*/],
] as const)('%s that nobody knows is named as it was asked for', async (_what, ask, says) => {
  const error = await ask().catch((failure: unknown) => failure);
  expect(error instanceof ServiceError && faultMessage(error, t, 0)).toMatch(says);
});
