/** Whom a command is about: by login name, in-game name, mention or link. */
import { describe, expect, test } from 'vitest';
import compare from '../../commands/drivers/compare.ts';
import garage from '../../commands/drivers/garage.ts';
import profile from '../../commands/drivers/profile.ts';
import seen from '../../commands/drivers/seen.ts';
import link from '../../commands/people/link.ts';
import { ServiceError, UserError } from '../../src/base/errors.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { type Context, contextFor } from '../../src/command-kit/context.ts';
import { forDriver } from '../../src/command-kit/for-driver.ts';
import type { CalledPlayer } from '../../src/command-kit/names/nicknames.ts';
import type { Service } from '../../src/service/client.ts';
import { contextParts } from '../support/context.ts';
import { noNames } from '../support/no-names.ts';
import { peopleInMemory } from '../support/people.ts';
import { controls, titledDriver } from '../support/readable.ts';
import { driverJson, NOON, serviceOf } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';
const anna = { id: ANNA, guildId: '1', channelId: '7', mayManage: false, locale: 'en-GB' };
const t = createTranslators()('en-GB');

/** A service that knows some drivers, and a memory of some in-game names. */
function setUp({ drivers = ['k3nny'], called = [] as readonly CalledPlayer[] } = {}) {
  const asked: string[] = [];
  const service = serviceOf(({ endpoint, asked: params }) => {
    const { username = '' } = { username: '', ...(params as { username?: string }) };
    asked.push(username);
    if (endpoint !== 'live' && !drivers.includes(username))
      throw new ServiceError('not-found', { endpoint, sent: 'yes' });
    return endpoint === 'profile' ? { ...driverJson, username } : { players: {} };
  });
  const people = peopleInMemory();
  const context: Context = contextFor(
    contextParts({ service, recentNames: { ...noNames, playersCalled: () => called }, ...people }),
    { t, person: { ...anna, members: new Set([BORIS]) }, now: NOON, sentAt: NOON },
  );
  return { asked, context, links: context.store.links };
}

const mario = (fit: CalledPlayer['fit'], username = 'k3nny'): CalledPlayer => ({
  ...{ username, nickname: '[TC] *Mario*', at: NOON - 60_000, fit },
});

/** Whom a command turned out to be about. */
const named = (username: string) => Promise.resolve({ content: username });

describe('without a driver', () => {
  const refusalOf = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      (error: unknown) => (error instanceof UserError ? error.nextStep : null),
    );

  test('a person is offered the window of the command that refused', async () => {
    const { context } = setUp();
    const step = (command: string) => ({ command, action: 'form', subject: '', label: 'Link my driver' });
    for (const [name, command] of Object.entries({ profile, garage }))
      expect(await refusalOf(command.run({ player: null, picture: null }, context))).toEqual(step(name));
    expect(await refusalOf(seen.run({ player: null }, context))).toEqual(step('link'));
    expect(await refusalOf(forDriver(`<@${BORIS}>`, context, named))).toBeNull();
  });

  test('a window links the driver, by either name, and shows the card that was asked for', async () => {
    const { context, links } = setUp({ called: [mario('only')] });
    const reply = await profile.form?.submit({ player: ' Mario ' }, context, {});
    expect((await links.of(ANNA))?.username).toBe('k3nny');
    expect(titledDriver(reply ?? {})).toBe('k3nny');
    expect(reply?.content).toContain('Linked to **k3nny**');
  });

  test('a window links nobody to a driver who is taken, or unknown', async () => {
    const { context, links } = setUp();
    await links.set(BORIS, { username: 'k3nny', since: 1 });
    const taken = await profile.form?.submit({ player: 'k3nny' }, context, {});
    expect([taken?.content, taken?.embeds]).toEqual([t('link.taken', { player: 'k3nny' }), undefined]);
    expect(controls(taken ?? {}).map(({ label }) => label)).toEqual(['Verify']);
    await expect(profile.form?.submit({ player: 'nobody' }, context, {})).rejects.toThrow(ServiceError);
    await expect(profile.form?.submit({ player: '  ' }, context, {})).rejects.toThrow(
      new UserError(t('input.username')),
    );
    expect(await links.of(ANNA)).toBeNull();
  });
});

describe('a mentioned person', () => {
  test('stands for the driver that counts for them in this server', async () => {
    const { context, links } = setUp();
    await links.set(BORIS, { username: 'boris77', since: 1 });
    expect(await forDriver(`<@${BORIS}>`, context, named)).toEqual({ content: 'boris77' });
    expect(await forDriver(`<@!${BORIS}>`, context, named)).toEqual({ content: 'boris77' });
    await links.correct(BORIS, { guild: '1', username: 'Boris', since: 2 });
    expect(await forDriver(`<@${BORIS}>`, context, named)).toEqual({ content: 'Boris' });
  });

  test('without a driver is reported as such, and so is the person who asks', async () => {
    const { context } = setUp();
    await expect(forDriver(`<@${BORIS}>`, context, named)).rejects.toThrow(
      new UserError(t('link.missingOf', { person: `<@${BORIS}>` })),
    );
    await expect(forDriver(`<@${ANNA}>`, context, named)).rejects.toMatchObject({
      message: t('link.none'),
      nextStep: { command: 'link', action: 'form' },
    });
  });

  describe('who has a driver is no secret of that person, but none for everybody who knows the account', () => {
    const none = new UserError(t('link.missingOf', { person: `<@${BORIS}>` }));
    const ways = (context: Context) => [
      () => profile.run({ player: `<@${BORIS}>`, picture: null }, context),
      () => profile.userMenu?.run(BORIS, context),
      () => compare.run({ first: 'k3nny', second: `<@!${BORIS}>` }, context),
      () => compare.run({ first: `<@${BORIS}>`, second: 'k3nny' }, context),
    ];

    test.each([
      ['in a server where they are no member', { ...anna, members: new Set(['9']) }],
      ['where Discord says nothing of them', anna],
      ['in a direct message', { ...anna, guildId: null, members: new Set<string>() }],
    ])('%s', async (_where, person) => {
      const { context, links, asked } = setUp({ drivers: ['k3nny', 'boris77'] });
      await links.set(BORIS, { username: 'boris77', since: 1 });
      await links.setPrivacy(BORIS, { unwatched: true });
      for (const way of ways({ ...context, person })) await expect(way()).rejects.toThrow(none);
      expect(asked).not.toContain('boris77');
      expect(await forDriver(`<@${BORIS}>`, { ...context, person: { ...anna, id: BORIS } }, named)).toEqual({
        content: 'boris77',
      });
    });

    test.each(['by themselves', 'by the operator'])('hidden %s', async (by) => {
      const { context, links } = setUp({ drivers: ['k3nny', 'boris77'] });
      await links.set(BORIS, { username: 'boris77', since: 1 });
      if (by === 'by themselves') await links.setPrivacy(BORIS, { hidden: true });
      const isHidden = (name: string) => by === 'by the operator' && name === 'boris77';
      const hiding = { ...context, hidden: { ...context.hidden, isHidden } };
      for (const way of ways(hiding)) await expect(way()).rejects.toThrow(none);
      await links.correct(BORIS, { guild: '1', username: 'Boris77', since: 2 });
      if (by === 'by themselves') await expect(ways(hiding)[0]?.()).rejects.toThrow(none);
    });
  });

  test('is no part of a name', async () => {
    const { context, links } = setUp();
    await links.set(BORIS, { username: 'boris77', since: 1 });
    for (const name of [`x<@${BORIS}>`, '<@12>', '<#281474976710657002>'])
      expect(await forDriver(name, context, named)).toEqual({ content: name });
  });
});

describe('an in-game name where a login name is asked for', () => {
  const word =
    /^No login name \*\*\\\[TC\\\] \\\*Mario\\\*\*\*, but \*\*k3nny\*\* uses it as in-game name \(seen <t:\d+:R>\)\./;

  test('is taken for the one known driver that it fits, and the answer says so', async () => {
    const { context, asked } = setUp({ called: [mario('only')] });
    const reply = await profile.run({ player: '[TC] *Mario*', picture: null }, context);
    expect(reply.content).toMatch(word);
    expect(reply.embeds?.[0]?.title).toBe('k3nny');
    expect(asked).toEqual(['[TC] *Mario*', 'k3nny']);
  });

  test('stands before what the command says itself', async () => {
    const { context, links } = setUp({ called: [mario('only')] });
    const reply = await link.run({ player: '[TC] *Mario*', user: null }, context);
    expect(reply.content).toMatch(new RegExp(`${word.source}\nLinked to \\*\\*k3nny\\*\\*`));
    expect(await links.of(ANNA)).toMatchObject({ username: 'k3nny' });
  });

  test.each(['whole', 'part'] as const)('is not guessed where it fits as a %s', async (fit) => {
    const { context } = setUp({ called: [mario(fit), mario(fit, 'other')] });
    await expect(profile.run({ player: 'Mario', picture: null }, context)).rejects.toMatchObject({
      fault: 'not-found',
    });
  });

  test('gives way to a driver who logs in with that name', async () => {
    const { context, asked } = setUp({ drivers: ['k3nny', 'Mario'], called: [mario('only')] });
    const reply = await profile.run({ player: 'Mario', picture: null }, context);
    expect(reply.content).toBeUndefined();
    expect(asked).toEqual(['Mario']);
  });

  test('is reported as typed where its driver is unknown as well', async () => {
    const { context } = setUp({ drivers: [], called: [mario('only')] });
    await expect(profile.run({ player: 'Mario', picture: null }, context)).rejects.toMatchObject({
      unknownName: 'Mario',
    });
  });

  test('in a pair is taken for the name that was missed, and for no other', async () => {
    const called = [mario('only')];
    const { context, asked } = setUp({ drivers: ['k3nny', 'mad_max'], called });
    const reply = await compare.run({ first: 'mad_max', second: 'Mario' }, context);
    expect(reply.content).toMatch(word);
    expect(reply.embeds?.[0]?.title).toContain('k3nny');
    expect(asked.filter((name) => name === 'k3nny')).toHaveLength(1);
  });

  test('is not taken for another driver if the service was not asked', async () => {
    const { context } = setUp({ called: [mario('only')] });
    const history: Context['history'] = {
      ...context.history,
      driver: async (username) =>
        username === 'k3nny'
          ? { driver: 'k3nny', sessions: [], current: null, since: NOON, until: NOON, holes: [] }
          : null,
    };
    await expect(seen.run({ player: 'Mario' }, { ...context, history })).rejects.toMatchObject({
      name: 'UserError',
      message: expect.not.stringMatching(word),
      unknownName: 'Mario',
    });
  });

  test('is offered for a login name that is unknown, but never that login name itself', () => {
    const seenNames = (called: readonly CalledPlayer[]) => ({
      t,
      recentNames: { ...noNames, playersCalled: () => called },
    });
    const { didYouMean } = playerOption('seen.options.player', false);
    expect(didYouMean?.('Mario', seenNames([mario('only')]))).toMatchObject([{ value: 'k3nny' }]);
    expect(didYouMean?.('K3NNY', seenNames([mario('only')]))).toEqual([]);
  });
});

describe('a linked driver whose login name the service no longer knows', () => {
  test.each([
    ['self', /linked to \*\*old\\_name\*\*, but .*\n.*`\/link`/],
    ['administrator', /linked your account to \*\*old\\_name\*\*, but .*\n.*\*Manage Server\*/],
  ] as const)('is named as that, and what to do (%s)', async (by, says) => {
    const { context, links } = setUp();
    const old = { username: 'old_name', since: 1 };
    if (by === 'self') await links.set(ANNA, old);
    else await links.correct(ANNA, { ...old, guild: context.person.guildId ?? '' });
    await expect(profile.run({ player: null, picture: null }, context)).rejects.toThrow(says);
    await expect(profile.userMenu?.run(ANNA, context)).rejects.toThrow(says);
  });

  test('is theirs to link again where somebody else asks', async () => {
    const { context, links } = setUp({ called: [mario('only')] });
    await links.set(BORIS, { username: 'old_name', since: 1 });
    const says = new RegExp(`^<@${BORIS}> is linked to \\*\\*old\\\\_name\\*\\*, but`);
    await expect(profile.run({ player: `<@${BORIS}>`, picture: null }, context)).rejects.toThrow(says);
    await expect(profile.userMenu?.run(BORIS, context)).rejects.toThrow(says);
  });

  test('is none where the service is down, or where only the history has not seen it', async () => {
    const { context, links } = setUp();
    await links.set(ANNA, { username: 'old_name', since: 1 });
    const down: Service = {
      get: ({ name: endpoint }) =>
        Promise.reject(new ServiceError('unavailable', { endpoint, sent: 'maybe' })),
    };
    await expect(
      profile.run({ player: null, picture: null }, { ...context, service: down }),
    ).rejects.toMatchObject({
      fault: 'unavailable',
    });
    await expect(seen.run({ player: null }, context)).rejects.toThrow(/no history yet/);
  });
});
