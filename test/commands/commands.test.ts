import { describe, expect, test } from 'vitest';
import car from '../../commands/cars/car.ts';
import garage from '../../commands/drivers/garage.ts';
import profile from '../../commands/drivers/profile.ts';
import { ServiceError, StoreError, UserError } from '../../src/base/errors.ts';
import { compact } from '../../src/cards/kit/lines.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import type { Ask } from '../../src/service/client.ts';
import { contextOf } from '../support/context.ts';
import { press } from '../support/press.ts';
import { rowsOf } from '../support/readable.ts';
import { carJson, driverJson, serviceOf } from '../support/records.ts';

interface Question {
  readonly endpoint: string;
  readonly asked: unknown;
  readonly ask: Ask | undefined;
}

/** A service that knows one driver and one car, and remembers what it was asked. */
function setUp() {
  const questions: Question[] = [];
  const service = serviceOf((question) => {
    questions.push(question);
    const known = JSON.stringify(question.asked).match(/k3nny|AB12C/);
    if (known === null) throw new ServiceError('not-found', { endpoint: question.endpoint, sent: 'yes' });
    return question.endpoint === 'profile' ? driverJson : carJson;
  });
  const context = contextOf({
    service,
    recentNames: {
      players: (typed) => ['k3nny', `x${typed}`, '\u202ereversed', 'x'.repeat(90)],
      vins: () => [
        { vin: 'AB12C', type: 'UF1.XMAS' },
        { vin: 'ZZ9Z9', type: null },
        { vin: 'too long', type: 'XRT' },
        { vin: 'AAAAA', type: 'y'.repeat(500) },
      ],
      playersNear: () => [],
      vinsNear: () => [],
      licences: () => [],
      playersCalled: () => [],
      nicknameOf: () => null,
      playerWithId: () => null,
    },
    person: { guildId: null, channelId: null },
  });
  return { questions, context };
}

describe('/profile', () => {
  test('answers with the overview of the player, in one question that serves every view', async () => {
    const { questions, context } = setUp();
    const reply = await profile.run({ player: 'k3nny', picture: null }, context);
    expect(reply.embeds?.[0]?.title).toBe('k3nny');
    for (const action of ['record', 'licences', 'properties', 'overview'])
      await press(profile, { action, subject: 'k3nny' }, context);
    expect(new Set(questions.map((question) => JSON.stringify(question))).size).toBe(1);
    expect(questions[0]).toEqual({ endpoint: 'profile', asked: { username: 'k3nny' }, ask: undefined });
  });

  test('answers with a picture unless a person wants text; the text stands in for it', async () => {
    const { questions, context } = setUp();
    const ask = (picture: boolean | null) => profile.run({ player: 'k3nny', picture }, context);
    const text = await ask(false);
    expect(text.picture).toBeUndefined();
    expect((await ask(null)).picture).toMatchObject({ name: 'driver', isUnasked: true });
    const { picture, ownButtons, ...rest } = await ask(true);
    // The text is the same, but its *Picture* takes its place.
    expect(JSON.stringify(rest)).toBe(JSON.stringify(text).replace(':picture:', ':drawn:'));
    expect(JSON.stringify(ownButtons)).toContain('Always as text');
    expect(picture).toMatchObject({ name: 'driver', embeds: [], chart: { kind: 'driver', login: 'k3nny' } });
    expect(picture?.isUnasked).toBe(false);
    expect(new Set(questions.map((question) => JSON.stringify(question))).size).toBe(1);

    const saved = await press(profile, { action: 'text', subject: 'k3nny' }, context);
    expect(saved).toEqual({ ephemeral: true, content: 'From now on, `/profile` answers you with text.' });
    const open = () => press(profile, { action: 'open', values: ['k3nny'] }, context);
    for (const reply of [await ask(null), await open()]) expect(reply.picture).toBeUndefined();
    expect((await ask(true)).picture).toBeDefined();
    const other = { ...context, person: { ...context.person, id: '8' } };
    expect((await profile.run({ player: 'k3nny', picture: null }, other)).picture).toBeDefined();

    await press(profile, { action: 'pictures', subject: 'k3nny' }, context);
    for (const reply of [await ask(null), await open()]) expect(reply.picture).toBeDefined();
  });

  test('answers as the server has chosen, and as a person has chosen in any server', async () => {
    const { context } = setUp();
    const { store, person } = context;
    await store.guildSettings.change('7', { profiles: 'text' });
    const ask = async (where: { id?: string; guildId: string | null }, picture: boolean | null = null) =>
      profile.run({ player: 'k3nny', picture }, { ...context, person: { ...person, ...where } });
    expect((await ask({ guildId: '7' })).picture).toBeUndefined();
    for (const guildId of ['9', null]) expect((await ask({ guildId })).picture).toBeDefined();
    const drawn = await ask({ guildId: '7' }, true);
    expect(drawn.picture).toBeDefined();
    expect(JSON.stringify(drawn.ownButtons)).toContain('Always as a picture');

    await press(profile, { action: 'pictures', subject: 'k3nny' }, context);
    expect((await ask({ guildId: '7' })).picture).toBeDefined();
    expect((await ask({ id: '8', guildId: '7' })).picture).toBeUndefined();
    await store.guildSettings.change('7', { profiles: 'picture' });
    await store.profileLooks.set('8', false);
    expect((await ask({ id: '8', guildId: '7' })).picture).toBeUndefined();
  });

  test('a person reads in /privacy which look of profiles they have chosen', async () => {
    const { context } = setUp();
    const told = async () =>
      (await context.store.userData.stored(context.person.id, context.t)).lines.join('\n');
    expect(await told()).not.toContain('/profile');
    await press(profile, { action: 'text', subject: 'k3nny' }, context);
    expect(await told()).toContain('`/profile` answers you with text');
    await press(profile, { action: 'pictures', subject: 'k3nny' }, context);
    expect(await told()).toContain('`/profile` answers you with a picture');
  });

  test('answers with text where the store cannot say what the person prefers', async () => {
    const { context } = setUp();
    const failing = async () => Promise.reject(new StoreError('away'));
    const profileLooks = { ...context.store.profileLooks, isPicture: failing };
    const reply = await profile.run(
      { player: 'k3nny', picture: null },
      { ...context, store: { ...context.store, profileLooks } },
    );
    expect(reply.picture).toBeUndefined();
  });

  test('every button of every view leads to a view; only refresh asks for a newer record', async () => {
    const { questions, context } = setUp();
    const pressed = new Set<string>();
    const follow = async (reply: Reply): Promise<void> => {
      const rows = [...rowsOf(reply), ...rowsOf({ components: compact(reply.ownButtons ?? null) })];
      for (const { custom_id: id } of rows.flatMap(({ components }) => components)) {
        const [, command, action = '', subject = ''] = id.split(':');
        if (command !== 'profile' || pressed.has(id)) continue;
        pressed.add(id);
        const asked = questions.length;
        const view = await press(profile, { action, subject }, context);
        // What the reader prefers is no question to the service.
        if (questions.length > asked)
          expect(questions.at(-1)?.ask?.maxAge).toBe(action.startsWith('refresh') ? 30_000 : undefined);
        await follow(view);
      }
    };
    await follow(await profile.run({ player: 'k3nny', picture: null }, context));
    expect(pressed.size).toBe(11);
  });

  test('shows a driver picked below a list to the reader alone, and keeps the list', async () => {
    const { context } = setUp();
    const reply = await press(profile, { action: 'open', values: ['k3nny'] }, context);
    expect(reply).toMatchObject({
      ...(await profile.run({ player: 'k3nny', picture: null }, context)),
      ephemeral: true,
    });
    await expect(press(profile, { action: 'open' }, context)).rejects.toThrow(UserError);
  });

  test('what the service cannot answer is left for others to tell', async () => {
    const { context } = setUp();
    await expect(profile.run({ player: 'nobody', picture: null }, context)).rejects.toMatchObject({
      fault: 'not-found',
    });
  });

  test.each([
    { action: 'nosuch', subject: 'k3nny' },
    { action: 'licences', subject: '' },
    { action: 'licences', subject: 'x'.repeat(65) },
    { action: 'refresh-', subject: 'k3nny' },
    { action: '', subject: 'k3nny' },
  ])('a button of another version, %j, is reported as such and asks nothing', async (button) => {
    const { questions, context } = setUp();
    await expect(press(profile, button, context)).rejects.toThrow(UserError);
    expect(questions).toEqual([]);
  });

  test('suggests names that may be asked for', () => {
    const { context } = setUp();
    const names = profile.options.player
      .complete?.('k', { ...context, own: null, serverOf: () => null, zone: 'UTC' })
      .map(({ value }) => value);
    expect(names).toEqual(['k3nny', 'xk']);
  });

  test.each([
    ['  k3nny ', true],
    ['a b', true],
    ['日本語', true],
    ['x'.repeat(64), true],
    ['', false],
    ['   ', false],
    ['x'.repeat(65), false],
    ['a\nb', false],
    ['a\u202eb', false],
  ])('%j as a name: %s', (name, good) => {
    expect(profile.options.player.schema.safeParse(name).success).toBe(good);
  });
});

describe('/car', () => {
  test('answers with the car, whatever the case of its VIN', async () => {
    const { questions, context } = setUp();
    const vin = car.options.vin.schema.parse('ab12c');
    const reply = await car.run({ vin }, context);
    expect(reply.embeds?.[0]?.title).toContain('AB12C');
    expect(questions).toEqual([{ endpoint: 'car', asked: { vin: 'AB12C' }, ask: undefined }]);
  });

  test("a garage's menu opens the car that was picked", async () => {
    const { questions, context } = setUp();
    const shown = await press(garage, { action: 'condition-0', subject: 'k3nny' }, context);
    const menu = rowsOf(shown)
      .flatMap(({ components }) => components)
      .find(({ custom_id: id }) => id.startsWith('1:car:'));
    expect(menu?.custom_id).toBe('1:car:opencondition-0:k3nny');
    const [first] = menu?.options ?? [];
    const picked = { subject: 'k3nny', values: [first?.value ?? ''] };
    const reply = await press(car, { action: 'opencondition-0', ...picked }, context);
    expect(reply.embeds?.[0]?.title).toContain('AB12C');
    expect(JSON.stringify(reply.components)).toContain('"1:garage:condition-0:k3nny"');
    expect(questions.at(-1)?.ask).toBeUndefined();
  });

  test('refresh asks for a newer record of the same car', async () => {
    const { questions, context } = setUp();
    await press(car, { action: 'refresh', subject: 'AB12C' }, context);
    expect(questions).toMatchObject([{ endpoint: 'car', asked: { vin: 'AB12C' }, ask: { maxAge: 30_000 } }]);
  });

  test.each([
    { action: 'overview', subject: 'AB12C' },
    { action: 'refresh', subject: '../' },
    { action: 'open', subject: 'AB12C' },
    { action: 'open', subject: 'k3nny', values: ['../..'] },
  ])('a button of another version, %j, is reported as such and asks nothing', async (button) => {
    const { questions, context } = setUp();
    await expect(press(car, button, context)).rejects.toThrow(UserError);
    expect(questions).toEqual([]);
  });

  test('suggests VINs with their models, within what a choice may hold', () => {
    const { context } = setUp();
    const asker = { own: null, serverOf: () => null, zone: 'UTC' };
    const choices = car.options.vin.complete?.('', { ...context, ...asker }) ?? [];
    expect(choices.slice(0, 2)).toEqual([
      { name: 'AB12C · UF 1000 (XMAS)', value: 'AB12C' },
      { name: 'ZZ9Z9', value: 'ZZ9Z9' },
    ]);
    expect(choices.map(({ value }) => value)).toEqual(['AB12C', 'ZZ9Z9', 'AAAAA']);
    for (const { name } of choices) expect(name.length).toBeLessThanOrEqual(100);
  });

  test.each(['ABC', 'AB12CD', 'AB-12', '../..', 'ÄB12C', 'AB12C\u0000'])('%j is no VIN', (vin) => {
    expect(car.options.vin.schema.safeParse(vin).success).toBe(false);
  });
});
