import { describe, expect, test } from 'vitest';
import watch from '../../../commands/alerts/watch.ts';
import slots from '../../../commands/servers/slots.ts';
import { ServiceError, UserError } from '../../../src/base/errors.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { contextOf } from '../../support/context.ts';
import { press } from '../../support/press.ts';
import { rowsOf } from '../../support/readable.ts';
import { liveJson, NOON, overviewJson, serviceOf } from '../../support/records.ts';

/** A service with the overview and the live files of the servers. `failing`: live files that it has no answer for. */
function setUp(
  failing: readonly string[] = [],
  overview: Pick<Answer<unknown>, 'asOf' | 'stale'> = { asOf: NOON, stale: null },
  overviewBody: object = overviewJson,
): Context {
  const service = serviceOf(
    ({ endpoint, asked }) => {
      if (endpoint === 'overview') return overviewBody;
      if (failing.some((name) => JSON.stringify(asked).includes(`"${name}"`)))
        throw new ServiceError('unavailable', { endpoint, sent: 'maybe' });
      return liveJson({ 1: { cop: true } });
    },
    ({ endpoint }) => (endpoint === 'overview' ? overview : { asOf: NOON, stale: null }),
  );
  return contextOf({ service, person: { channelId: '3' } });
}

const reminders = async ({ features, person }: Context) => (await features.alerts.list(person)).own;

const bells = (reply: Reply) =>
  rowsOf(reply)
    .flatMap(({ components }) => components)
    .filter(({ custom_id: id }) => id.startsWith('1:slots:tell:'));

describe('The button of a full server', () => {
  test('sets a reminder, visible only to the person who asked', async () => {
    const context = setUp(['one']);
    expect(bells(await slots.run({}, context))).toMatchObject([{ custom_id: '1:slots:tell:one' }]);
    const reply = await press(slots, { action: 'tell', subject: 'one' }, context);
    expect(reply.ephemeral).toBe(true);
    expect(reply.content).toContain('One');
    expect(await reminders(context)).toMatchObject([
      {
        person: '1',
        place: { kind: 'direct' },
        condition: { kind: 'server', server: 'one', free: 1, drivers: null },
        locale: 'en-GB',
        once: { until: NOON + 7_200_000, channel: '3' },
      },
    ]);
    const listed = await watch.subcommands['list']?.run({}, context);
    expect(JSON.stringify(listed)).toMatch(/\*\*One\*\* has a free slot, expires/);
  });

  test('is there for no server with free slots, and escapes nothing in its label', async () => {
    const crowded = {
      'strange_^1one': { online: true, guests: 9, maxGuests: 8 },
      training: { online: true },
    };
    expect(
      bells(await slots.run({}, setUp(['one'], undefined, { ...overviewJson, ...crowded }))),
    ).toMatchObject([
      { custom_id: '1:slots:tell:strange_^1one', label: 'Free slot: strange_one' },
      { custom_id: '1:slots:tell:one', label: 'Free slot: One' },
    ]);
  });

  test('promises to announce a free slot rather than trust an old overview', async () => {
    const context = setUp([], { asOf: NOON - 3_600_000, stale: 'unavailable' });
    const reply = await press(slots, { action: 'tell', subject: 'two' }, context);
    expect(reply.content).not.toContain('15 free slots');
    expect(await reminders(context)).toMatchObject([{ condition: { server: 'two' } }]);
  });

  test('says at once that a slot is free now, and promises nothing', async () => {
    const context = setUp(['two']);
    const reply = await press(slots, { action: 'tell', subject: 'two' }, context);
    expect(reply).toMatchObject({ ephemeral: true, content: expect.stringContaining('15 free slots') });
    expect(await reminders(context)).toEqual([]);
  });

  test('promises nothing of a server that is not there', async () => {
    const context = setUp();
    for (const subject of ['', 'nine', '__proto__'])
      await expect(press(slots, { action: 'tell', subject }, context)).rejects.toThrow(UserError);
    await expect(press(slots, { action: 'toll', subject: 'one' }, context)).rejects.toThrow(UserError);
    expect(await reminders(context)).toEqual([]);
  });
});
