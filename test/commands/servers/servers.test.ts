import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import duty from '../../../commands/servers/duty.ts';
import live from '../../../commands/servers/live.ts';
import members from '../../../commands/servers/members.ts';
import servers from '../../../commands/servers/servers.ts';
import slots from '../../../commands/servers/slots.ts';
import { ServiceError, UserError } from '../../../src/base/errors.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import type { Ask, Service } from '../../../src/service/client.ts';
import { ChatStatus } from '../../../src/service/models/chat-status.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import { Overview } from '../../../src/service/models/overview.ts';
import { contextOf } from '../../support/context.ts';
import { breaches } from '../../support/embed-limits.ts';
import { press } from '../../support/press.ts';
import { rowsOf } from '../../support/readable.ts';
import { chatJson, liveJson, NOON, overviewJson, serviceOf } from '../../support/records.ts';

interface Question {
  readonly endpoint: string;
  readonly asked: unknown;
  readonly ask: Ask | undefined;
}

interface State {
  /** Endpoints that fail, and with what. */
  readonly failing?: Readonly<Record<string, Error>>;
  /** Endpoints whose record is an old one, and why. */
  readonly stale?: Readonly<Record<string, Answer<unknown>['stale']>>;
  /** When the records of these endpoints were true, where that is not now. */
  readonly asOf?: Readonly<Record<string, number>>;
}

const fault = (endpoint: string) => new ServiceError('unavailable', { endpoint, sent: 'maybe' });

/** A service with servers and members, some of it failing, that remembers what it was asked. */
function setUp({ failing = {}, stale = {}, asOf = {} }: State = {}) {
  const questions: Question[] = [];
  const hundred = Array.from({ length: 50 }, (_, index) => ({
    id: String(index),
    username: `driver ${index}`,
    status: 'online',
  }));
  const crowd = Object.fromEntries(
    Array.from({ length: 47 }, (_, index) => [index + 1, { cop: index === 0, un: `driver ${index}` }]),
  );
  const bodies = {
    overview: overviewJson,
    'chat-status': { ...chatJson, members: hundred },
    live: liveJson(crowd),
  };
  const told = serviceOf(bodies, ({ endpoint }) => ({
    asOf: asOf[endpoint] ?? NOON,
    stale: stale[endpoint] ?? null,
  }));
  const service: Service = {
    async get(endpoint, asked, ask) {
      const { name } = endpoint;
      questions.push({ endpoint: name, asked: endpoint.params.parse(asked), ask });
      if (failing[name] !== undefined) throw failing[name];
      return told.get(endpoint, asked, ask);
    },
  };
  const context = contextOf({ service, person: { guildId: null, channelId: null } });
  return { questions, context };
}

const commands = { servers, members, live };
const Name = z.enum(['servers', 'members', 'live']);

const text = (reply: Reply): string => JSON.stringify(reply.embeds);

/** Presses every button that there is, and every one of what comes of it. */
async function pressAll(first: Reply, context: Context): Promise<readonly Reply[]> {
  const replies = new Map<string, Reply>();
  const follow = async (reply: Reply): Promise<void> => {
    for (const control of rowsOf(reply).flatMap(({ components }) => components)) {
      const [, name, action = '', ...subject] = control.custom_id.split(':');
      if ('disabled' in control && control.disabled === true) continue;
      if (replies.has(control.custom_id) || name === 'profile') continue;
      const next = await press(commands[Name.parse(name)], { action, subject: subject.join(':') }, context);
      replies.set(control.custom_id, next);
      await follow(next);
    }
  };
  await follow(first);
  return [...replies.values()];
}

describe('/servers', () => {
  test('counts the drivers of a server by its live file, as boards do', async () => {
    // Each file lists 47: on One, Two and Three, and on Four, which the overview leaves out; 1 drives on Training.
    const { context } = setUp({ asOf: { overview: NOON - 40_000 } });
    const reply = await servers.run({}, context);
    expect(text(reply)).toContain('**189 driving**');
    expect(text(reply)).toContain('47/40');
  });

  test('asks every source once; only refresh asks for newer data', async () => {
    const { questions, context } = setUp();
    const reply = await servers.run({}, context);
    expect(text(reply)).toContain('47/40');
    expect(text(reply)).toContain('On Discord · 50');
    const asked = questions.map(({ endpoint, asked: params }) => [endpoint, params]);
    expect(asked).toEqual([
      ['overview', {}],
      ['chat-status', {}],
      ...['one', 'two', 'three', 'four'].map((server) => ['live', { server }]),
    ]);
    expect(questions.every(({ ask }) => ask === undefined)).toBe(true);
    await press(servers, { action: 'refresh' }, context);
    expect(questions.slice(6).map(({ ask }) => ask?.maxAge)).toEqual(Array(6).fill(30_000));
  });

  test.each([
    [['overview'], ['47 drivers', 'On Discord ·'], ['47/40']],
    [['chat-status'], ['47/40', 'police'], ['On Discord ·']],
    [['overview', 'chat-status'], ['47 drivers'], ['47/40', 'On Discord ·']],
  ])('without %j it shows the rest and says why', async (down, shown, missing) => {
    const { context } = setUp({ failing: Object.fromEntries(down.map((name) => [name, fault(name)])) });
    const reply = await servers.run({}, context);
    expect(breaches(reply)).toEqual([]);
    expect(text(reply)).toContain("⚠️ **Incomplete.** The data service isn't answering.");
    for (const part of shown) expect(text(reply)).toContain(part);
    for (const part of missing) expect(text(reply)).not.toContain(part);
  });

  test('shows everything but duty without live files, which a deployment may lack', async () => {
    const { context } = setUp({ failing: { live: fault('live') } });
    const reply = await servers.run({}, context);
    expect(text(reply)).toContain('40/40');
    expect(text(reply).match(/duty unknown/g)).toHaveLength(1);
    expect(text(reply)).not.toMatch(/isn't answering/);
  });

  test('without anything, the fault is left for others to tell', async () => {
    const failing = {
      overview: fault('overview'),
      'chat-status': fault('chat-status'),
      live: fault('live'),
    };
    const { context } = setUp({ failing });
    await expect(servers.run({}, context)).rejects.toBe(failing.overview);
  });

  test('a bug is never taken for a fault of the service', async () => {
    const { context } = setUp({ failing: { live: new TypeError('a bug') } });
    await expect(servers.run({}, context)).rejects.toThrow('a bug');
  });

  test('an old record is marked with its age and the reason', async () => {
    const { context } = setUp({ stale: { overview: 'over-budget' } });
    const reply = await servers.run({}, context);
    expect(reply.embeds?.[0]?.description).toMatch(
      /^⚠️ \*\*Incomplete\.\*\* My hourly request limit is used up/,
    );
    expect(reply.embeds?.[0]?.description).toContain(`⚠️ Old data, from <t:${NOON / 1000}:f>:`);
  });

  test('what the bot reads anyway costs nothing, here and in /members', async () => {
    const { questions, context } = setUp();
    const poll = {
      facts: {
        ...noFacts,
        overview: { record: Overview.parse(overviewJson), asOf: NOON - 60_000 },
        chat: { record: ChatStatus.parse(chatJson), asOf: NOON - 60_000 },
      },
    };
    await servers.run({}, { ...context, poll });
    await members.run({}, { ...context, poll });
    expect(questions.map(({ endpoint }) => endpoint)).toEqual(Array(4).fill('live'));
  });

  test('in an outage an old live file tells no duty, as on a board', async () => {
    const stale = { overview: 'unavailable', 'chat-status': 'unavailable', live: 'unavailable' } as const;
    const asOf = { overview: NOON - 60_000, 'chat-status': NOON - 60_000, live: NOON - 60_000 };
    const reply = await servers.run({}, setUp({ stale, asOf }).context);
    expect(reply.embeds?.[0]?.description).toBe(
      `⚠️ **Old data**, from <t:${NOON / 1000 - 60}:R>. The data service isn't answering.`,
    );
    expect(text(reply).match(/duty unknown since/g)).toHaveLength(1);
    expect(text(reply).match(/Old data/g)).toHaveLength(1);
    expect(text(reply)).not.toContain('🚓');
  });

  test.each([12_000, 60_000])(
    'cached live files do not make the rest old: the card is incomplete, and says why',
    async (ago) => {
      const { context } = setUp({ stale: { live: 'unavailable' }, asOf: { live: NOON - ago } });
      const reply = await servers.run({}, context);
      expect(text(reply)).toContain("⚠️ **Incomplete.** The data service isn't answering.");
      expect(text(reply)).toContain('⚠️ partly old');
      expect(text(reply)).toContain('**at least 50 driving**');
      expect(text(reply).match(/duty unknown since/g)).toHaveLength(1);
      expect(text(reply)).not.toMatch(/Old data|🟢 live|police/);
    },
  );

  test('the frozen file of an offline server makes nothing incomplete', async () => {
    const { context } = setUp({ asOf: { live: NOON - 20_000 }, stale: { live: 'unavailable' } });
    const closed = Object.fromEntries(
      ['one', 'two', 'three', 'four'].map((name) => [name, { online: false }]),
    );
    const poll = { facts: { ...noFacts, overview: { record: Overview.parse(closed), asOf: NOON } } };
    const reply = text(await servers.run({}, { ...context, poll }));
    expect(reply).toContain('🟢 live');
    expect(reply).not.toContain('Incomplete');
  });

  test.for([null, 'unavailable'] as const)(
    'live files that are all there is, and old (%s), are marked',
    async (why) => {
      const failing = { overview: fault('overview'), 'chat-status': fault('chat-status') };
      const { context } = setUp({ failing, stale: { live: why }, asOf: { live: NOON - 60_000 } });
      const reply = await servers.run({}, context);
      expect(reply.embeds?.[0]?.description).toContain('⚠️ **Old data');
      expect(reply.embeds?.[0]?.description).not.toContain('driving');
    },
  );

  test('live files that stand still give no duty, and the card says so', async () => {
    const asOf = { overview: NOON - 80_000, 'chat-status': NOON - 110_000, live: NOON - 52_000 };
    const reply = await servers.run({}, setUp({ asOf }).context);
    expect(reply.embeds?.[0]?.description).toBe(
      `⚠️ **Old data**, from <t:${NOON / 1000 - 52}:R>. The data service has stopped updating.`,
    );
    expect(text(reply)).not.toContain('🚓');
    expect(reply.embeds?.[0]?.fields?.[0]?.value).not.toMatch(/🟢|🔴/);
    expect(text(reply)).toContain('⚠️ old data');
  });

  test('an old member list is marked, and does not make the servers old', async () => {
    const { context } = setUp({
      stale: { 'chat-status': 'unavailable' },
      asOf: { 'chat-status': NOON - 60_000 },
    });
    const [embed] = (await servers.run({}, context)).embeds ?? [];
    expect(embed?.description).toMatch(/^⚠️ .*isn't answering\.\n\*\*189 driving/);
    expect(embed?.fields?.map(({ value }) => value.includes('Old data'))).toEqual([false, true, false]);
    expect(embed?.fields?.at(-1)?.value).toMatch(/-# .*(?:drivers <t:\d+:R>, the rest )?<t:\d+:R>$/);
  });

  test('each server that runs and has a live file is opened by its button', async () => {
    const { context } = setUp();
    const opened = await pressAll(await servers.run({}, context), context);
    const titles = new Set(opened.map((reply) => reply.embeds?.[0]?.title));
    expect(titles).toEqual(
      new Set(['Live servers', 'Server One', 'Server Two', 'Server Three', 'Server Four']),
    );
    const { context: without } = setUp({ failing: { live: fault('live') } });
    expect(rowsOf(await servers.run({}, without)).flatMap(({ components }) => components)).toHaveLength(1);
  });

  test('the button below a board answers with the same card', async () => {
    const { context } = setUp();
    const board = await press(servers, { action: 'mine', subject: 'some board' }, context);
    expect(board).toEqual(await servers.run({}, context));
  });
});

describe('/members', () => {
  test('every page is reached by its buttons, and refresh keeps the page', async () => {
    const { questions, context } = setUp();
    const replies = await pressAll(await members.run({}, context), context);
    const pages = replies.map((reply) => /Page \d of 3/.exec(text(reply))?.[0]);
    expect(new Set(pages)).toEqual(new Set(['Page 1 of 3', 'Page 2 of 3', 'Page 3 of 3']));
    expect(questions.filter(({ ask }) => ask !== undefined)).toHaveLength(3);
    const last = await press(members, { action: 'refresh-2' }, context);
    expect(text(last)).toContain('Page 3 of 3');
  });
});

describe('/duty of files that report it in part', () => {
  const duties = async (body: unknown) => {
    const told = serviceOf({ live: body });
    return text(await duty.run({}, contextOf({ service: told }))).replaceAll('\u00a0', ' ');
  };
  const later = { t: NOON, n: 'One', ps: { 3: { un: 'ann' }, 4: { un: 'bob' } } };
  const unclear = liveJson({ 1: {} });

  test('counts and names those in a chase, and says that there may be more', async () => {
    const said = await duties({ ...later, cs: [{ su: { u: 3 }, co: [{ u: 4 }] }] });
    expect(said).toContain('**🚓 4 police · 🏃 4 chases**');
    expect(said).toContain('**One** · **Two** · **Three** · **Four** ❔ duty partly unknown');
    expect(said).not.toContain("don't report");
    expect(said).toMatch(/bob.*🚓/);
  });

  test.each([
    ['nobody is chased', { ...later, cs: [] }],
    ['a flag is unreadable', { ...unclear, players: { ...unclear.players, 2: { cop: 'perhaps' } } }],
  ])('never says that nobody is on duty where %s', async (_what, body) => {
    const said = await duties(body);
    expect(said).toContain('❔ duty partly unknown');
    expect(said).not.toMatch(/No drivers|No one/);
  });
});

describe('a server without a live file', () => {
  const noFile = new ServiceError('unavailable', { endpoint: 'live', sent: 'yes', isMissing: true });

  /** The service has files of One and Two alone. */
  function withTwoFiles(failure: ServiceError = noFile) {
    const overview = { ...overviewJson, three: { ...overviewJson.three, guests: 2 } };
    const told = serviceOf({
      ...{ overview, 'chat-status': chatJson, live: liveJson({ 1: { cop: true } }) },
    });
    const service: Service = {
      async get(endpoint, asked, ask) {
        if (endpoint.name === 'live' && /three|four/.test(JSON.stringify(asked))) throw failure;
        return told.get(endpoint, asked, ask);
      },
    };
    return contextOf({ service });
  }

  test('is no outage on /duty, which says it once', async () => {
    const said = text(await duty.run({}, withTwoFiles()));
    expect(said).not.toContain('Incomplete');
    expect(said).not.toContain("don't report");
    expect(said).toContain('2\u00a0police');
    expect(said.match(/no live data/g)).toHaveLength(1);
    expect(said).toContain('**Three** · **Four** ❔ no live data');
  });

  test('is said by /live of that server alone', async () => {
    const context = withTwoFiles();
    await expect(live.run({ server: 'three' }, context)).rejects.toThrow(/\*\*Three\*\* has no live data/);
    expect(text(await live.run({ server: 'one' }, context))).toContain('1 driving');
  });

  test('is no outage on /servers and /slots', async () => {
    for (const command of [servers, slots])
      expect(text(await command.run({}, withTwoFiles()))).not.toContain("isn't answering");
  });

  test('is said on /servers as on the other cards', async () => {
    const said = text(await servers.run({}, withTwoFiles()));
    expect(said).toContain('❔ no live data: **Three**');
    expect(said).not.toContain('duty unknown');
    expect(text(await servers.run({}, withTwoFiles(fault('live'))))).toContain('duty unknown');
  });

  test('is an outage while no file is answered, or where the file fails otherwise', async () => {
    const { context } = setUp({ failing: { live: noFile } });
    await expect(live.run({ server: 'three' }, context)).rejects.toThrow(ServiceError);
    await expect(duty.run({}, context)).rejects.toThrow(ServiceError);
    expect(text(await duty.run({}, withTwoFiles(fault('live'))))).toContain("isn't answering");
  });
});

describe('/live', () => {
  test('asks for the file of the server that was chosen, and every page stays with it', async () => {
    const { questions, context } = setUp();
    const reply = await live.run({ server: 'three' }, context);
    expect(reply.embeds?.[0]?.title).toBe('Server Three');
    expect(text(reply)).toContain('driver 0  🚓');
    const replies = await pressAll(reply, context);
    expect(replies).toHaveLength(12);
    for (const { endpoint, asked } of questions)
      expect([endpoint, asked]).toEqual(['live', { server: 'three' }]);
  });
});

test.each([
  [servers, { action: 'nosuch' }],
  [servers, { action: '' }],
  [members, { action: 'page-' }],
  [members, { action: 'page-99999' }],
  [members, { action: 'page-none' }],
  [live, { action: 'page-1', subject: 'five' }],
  [live, { action: 'page-1', subject: '../../' }],
  [live, { action: 'refresh--1', subject: 'one' }],
] as const)('a button of another version is told as such and asks nothing', async (command, button) => {
  const { questions, context } = setUp();
  await expect(press(command, button, context)).rejects.toThrow(UserError);
  expect(questions).toEqual([]);
});
