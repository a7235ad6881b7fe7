import { describe, expect, test } from 'vitest';
import compare from '../../commands/drivers/compare.ts';
import garage from '../../commands/drivers/garage.ts';
import options from '../../commands/drivers/options.ts';
import profile from '../../commands/drivers/profile.ts';
import duty from '../../commands/servers/duty.ts';
import slots from '../../commands/servers/slots.ts';
import { ServiceError, UserError } from '../../src/base/errors.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import type { Ask } from '../../src/service/client.ts';
import type { Answer } from '../../src/service/models/dated.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import { Overview } from '../../src/service/models/overview.ts';
import { contextOf } from '../support/context.ts';
import { press } from '../support/press.ts';
import { rowsOf } from '../support/readable.ts';
import { driverJson, liveJson, NOON, overviewJson, serviceOf } from '../support/records.ts';

interface Question {
  readonly endpoint: string;
  readonly asked: unknown;
  readonly ask: Ask | undefined;
}

type Age = Pick<Answer<unknown>, 'asOf' | 'stale'>;

/**
 * A service that knows two drivers and the servers, and remembers what it was asked. `old`: endpoints whose answers are
 * not of now.
 */
function setUp(failing: readonly string[] = [], old: Readonly<Record<string, Age>> = {}) {
  const questions: Question[] = [];
  const body = (endpoint: string, asked: string): unknown => {
    switch (endpoint) {
      case 'profile':
        return { ...driverJson, username: asked.includes('mad_max') ? 'mad_max' : 'k3nny' };
      case 'options':
        return { mph: '1' };
      case 'overview':
        return overviewJson;
      default:
        return liveJson({ 1: { cop: true } });
    }
  };
  const service = serviceOf(
    (question) => {
      questions.push(question);
      const { endpoint, asked } = question;
      const typed = JSON.stringify(asked).toLowerCase();
      if (failing.some((name) => typed.includes(`"${name}"`)))
        throw new ServiceError('unavailable', { endpoint, sent: 'maybe' });
      if ('username' in Object(asked) && !/k3nny|mad_max/.test(typed))
        throw new ServiceError('not-found', { endpoint, sent: 'yes' });
      return body(endpoint, typed);
    },
    ({ endpoint }) => old[endpoint] ?? { asOf: NOON, stale: null },
  );
  const context = contextOf({ service, person: { channelId: '3' } });
  return { questions, context };
}

/** The ids of the buttons and menus that are the command's own. */
function own(name: string, reply: Reply) {
  return rowsOf(reply)
    .flatMap(({ components }) => components)
    .map(({ custom_id: id, options: choices }) => ({ parts: id.split(':'), choices }))
    .filter(({ parts }) => parts[1] === name)
    .map(({ parts: [, , action = '', ...subject], choices }) => ({
      action,
      subject: subject.join(':'),
      choices,
    }));
}

describe('a profile with a picture', () => {
  test('asks the history of the driver once', async () => {
    const { context } = setUp();
    let count = 0;
    const history: Context['history'] = {
      ...context.history,
      async bestRanks() {
        count += 1;
        return new Map();
      },
    };
    const reply = await profile.run({ player: 'k3nny', picture: true }, { ...context, history });
    expect([reply.picture?.name, count]).toEqual(['driver', 1]);
  });

  test('asks for the driver while the store is asked what the person prefers', async () => {
    const { questions, context } = setUp();
    const preference = Promise.withResolvers<boolean>();
    const profileLooks = { ...context.store.profileLooks, isPicture: () => preference.promise };
    const reply = profile.run(
      { player: 'k3nny', picture: null },
      { ...context, store: { ...context.store, profileLooks } },
    );
    await expect.poll(() => questions.length).toBeGreaterThan(0);
    preference.resolve(true);
    expect((await reply).picture?.name).toBe('driver');
  });

  test('expects a picture while the driver is asked for, and none if the answer is text', async () => {
    const record = Promise.withResolvers<typeof driverJson>();
    const { promise: expected, resolve: expectPicture } = Promise.withResolvers<void>();
    const context = contextOf({ service: serviceOf(() => record.promise), expectPicture });
    const reply = profile.run({ player: 'k3nny', picture: null }, context);
    await expected;
    record.resolve(driverJson);
    expect((await reply).picture?.name).toBe('driver');

    let count = 0;
    const textual = {
      ...setUp().context,
      expectPicture: () => {
        count += 1;
      },
    };
    await profile.run({ player: 'k3nny', picture: false }, textual);
    await textual.store.profileLooks.set(textual.person.id, false);
    await profile.run({ player: 'k3nny', picture: null }, textual);
    expect(count).toBe(0);
  });

  test('offers to always answer so, or no longer, to its reader alone', async () => {
    const { context } = setUp();
    const drawn = () => press(profile, { action: 'drawn', subject: 'k3nny' }, context);
    for (const { ownButtons, ...seenByAll } of [
      await drawn(),
      await profile.run({ player: 'k3nny', picture: null }, context),
    ]) {
      expect(JSON.stringify(ownButtons)).toContain('Always as text');
      expect(JSON.stringify(seenByAll)).not.toContain('Always as');
    }
    await context.store.profileLooks.set(context.person.id, false);
    expect(JSON.stringify((await drawn()).ownButtons)).toContain('Always as a picture');
  });
});

const text = (reply: Reply): string => `${reply.content ?? ''}\n${JSON.stringify(reply.embeds ?? [])}`;

describe('/garage', () => {
  test('sorts and pages without another request; only refresh asks for a newer record', async () => {
    const { questions, context } = setUp();
    const first = await garage.run({ player: 'k3nny' }, context);
    const sort = own('garage', first).find(({ action }) => action === 'sort');
    for (const { value } of sort?.choices ?? []) {
      const sorted = await press(garage, { action: 'sort', subject: 'k3nny', values: [value] }, context);
      const refresh = own('garage', sorted).find(({ action }) => action.startsWith('refresh'));
      expect(refresh?.action).toBe(`refresh-${value}-0`);
      await press(garage, { ...refresh }, context);
      expect(questions.at(-1)?.ask).toMatchObject({ maxAge: 30_000 });
      expect(questions.at(-2)?.ask).toBeUndefined();
    }
    expect(new Set(questions.map(({ asked }) => JSON.stringify(asked)))).toEqual(
      new Set(['{"username":"k3nny"}']),
    );
  });

  test.each([
    { action: 'sort', subject: 'k3nny', values: ['colour'] },
    { action: 'sort', subject: 'k3nny' },
    { action: 'km', subject: 'k3nny' },
    { action: 'none', subject: 'k3nny' },
    { action: 'km-12345', subject: 'k3nny' },
    { action: 'km-1', subject: '' },
  ])('a button of another version, %j, is reported as such and asks nothing', async (button) => {
    const { questions, context } = setUp();
    await expect(press(garage, button, context)).rejects.toThrow(UserError);
    expect(questions).toEqual([]);
  });
});

describe('without a name', () => {
  test.each([
    ['garage', garage],
    ['options', options],
  ] as const)(
    '/%s is about the driver that the person is linked to, or tells how to link one',
    async (_name, command) => {
      const { questions, context } = setUp();
      await expect(command.run({ player: null }, context)).rejects.toThrow(/\/link/);
      expect(questions).toEqual([]);
      await context.store.links.set('1', { username: 'mad_max', since: NOON });
      await command.run({ player: null }, context);
      expect(questions.at(-1)?.asked).toEqual({ username: 'mad_max' });
    },
  );
});

describe('/options', () => {
  test('shows the options; only refresh asks for newer ones', async () => {
    const { questions, context } = setUp();
    expect(text(await options.run({ player: 'k3nny' }, context))).toContain('miles per hour');
    const reply = await press(options, { action: 'refresh', subject: 'k3nny' }, context);
    expect(questions.map(({ ask }) => ask)).toMatchObject([undefined, { maxAge: 30_000 }]);
    expect(own('options', reply)).toHaveLength(1);
    await expect(press(options, { action: 'shown', subject: 'k3nny' }, context)).rejects.toThrow(UserError);
  });
});

describe('/compare', () => {
  test('asks for both records at once, each as every view of a driver does', async () => {
    const { questions, context } = setUp();
    const reply = await compare.run({ first: 'k3nny', second: 'mad_max' }, context);
    expect(questions).toEqual([
      { endpoint: 'profile', asked: { username: 'k3nny' }, ask: undefined },
      { endpoint: 'profile', asked: { username: 'mad_max' }, ask: undefined },
    ]);
    const [refresh] = own('compare', reply);
    await press(compare, { ...refresh }, context);
    expect(questions.slice(2)).toMatchObject([
      { endpoint: 'profile', asked: { username: 'k3nny' }, ask: { maxAge: 30_000 } },
      { endpoint: 'profile', asked: { username: 'mad_max' }, ask: { maxAge: 30_000 } },
    ]);
  });

  test('of a driver with the same one says so', async () => {
    const { context } = setUp();
    await expect(compare.run({ first: 'k3nny', second: 'K3NNY' }, context)).rejects.toThrow(/same driver/);
  });

  test.each([
    { action: 'show-0', subject: 'k3nny' },
    { action: 'show-5', subject: 'k3nny' },
    { action: 'show-999', subject: 'k3nnymad_max' },
    { action: 'show-', subject: 'k3nnymad_max' },
    { action: 'refresh', subject: 'k3nnymad_max' },
  ])('a button of another version, %j, is reported as such and asks nothing', async (button) => {
    const { questions, context } = setUp();
    await expect(press(compare, button, context)).rejects.toThrow(UserError);
    expect(questions).toEqual([]);
  });
});

describe('/duty', () => {
  test('reads the four files and nothing that costs budget', async () => {
    const { questions, context } = setUp();
    expect(text(await duty.run({}, context))).toContain('4\u00a0police');
    expect(new Set(questions.map(({ endpoint }) => endpoint))).toEqual(new Set(['live']));
    expect(questions).toHaveLength(4);
  });

  test('reports the servers that it can read, and one failure if it can read none', async () => {
    const reply = await duty.run({}, setUp(['two']).context);
    expect(text(reply)).toContain('3\u00a0police');
    expect(text(reply)).toContain("The data service isn't answering.");
    await expect(duty.run({}, setUp(['one', 'two', 'three', 'four']).context)).rejects.toMatchObject({
      fault: 'unavailable',
    });
  });
});

describe('/slots', () => {
  test('shows a server missing in the overview only if it has a live file', async () => {
    const { context } = setUp();
    expect(JSON.stringify(await slots.run({}, context))).toMatch(/\*\*Four\*\*[^*]*free slots unknown/);
    expect(JSON.stringify(await slots.run({}, setUp(['four']).context))).not.toContain('**Four**');
  });

  test('costs a person nothing while the bot polls, with drivers counted by live files', async () => {
    const { context, questions } = setUp();
    const record = Overview.parse(overviewJson);
    const polled = (asOf: number): Context => ({
      ...context,
      poll: { facts: { ...noFacts, overview: { record, asOf } } },
    });
    const asked = () => questions.filter(({ endpoint }) => endpoint === 'overview').length;
    const card = text(await slots.run({}, polled(NOON - 5 * 60_000)));
    expect(asked()).toBe(0);
    expect(card).not.toContain('Old data');
    expect(card).toContain(`<t:${(NOON - 5 * 60_000) / 1000}:R>`);
    // One driver, by the newer file.
    expect(card).toMatch(/\*\*One\*\* ▰▱+\u00a01\/40/);
    await slots.run({}, polled(NOON - 7 * 60_000));
    expect(asked()).toBe(1);
  });

  test.for<Age>([
    { asOf: NOON - 60_000, stale: null },
    { asOf: NOON - 60_000, stale: 'unavailable' },
  ])('does not call a server running because of a file of %j, but uncounted', async (age) => {
    const card = JSON.stringify(await slots.run({}, setUp([], { live: age }).context));
    expect(card).toMatch(/\*\*Four\*\*\\n❔ free slots unknown/);
    expect(card).toContain('1:live:page-0:four.slots');
    expect(card).toContain("don't report their slots");
    expect(card).toMatch(/\*\*Incomplete\.\*\* The data service (isn't answering|has stopped updating)\./);
    const gone = setUp([], { live: { asOf: NOON - 16 * 60_000, stale: null } });
    expect(JSON.stringify(await slots.run({}, gone.context))).not.toContain("don't report their slots");
  });

  test('takes a file of some seconds ago where the service is slow', async () => {
    const { context } = setUp([], { live: { asOf: NOON - 20_000, stale: 'slow' } });
    expect(JSON.stringify(await slots.run({}, context))).toContain('**Four**');
    expect(text(await duty.run({}, context))).toContain('4\u00a0police');
  });
});
