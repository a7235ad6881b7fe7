/** The bot as its own process: how it starts, what keeps it from starting, what it survives, how it ends. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChannelType } from 'discord.js';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ChatServer } from '../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../src/sandbox/service/data-service.ts';
import { type Bot, createBot, main } from './support/bot.ts';
import { createBotWithin } from './support/bot-within.ts';
import { startChatServer } from './support/outside-judge.ts';
import { listenTo, runProgram } from './support/program.ts';
import { hasScript, SCRIPT } from './support/requirements.ts';
import { acknowledgement, test as base, guest } from './support/sandbox.ts';
import { type Tap, tap } from './support/tap.ts';

const test = base.extend<{
  /** The working directory of a bot that is started by hand. */
  folder: string;
}>({
  folder: async ({ task: _ }, use) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-main-'));
    await use(folder.path);
  },
});

/** Runs it until it ends by itself. */
const run = (folder: string, settings: Readonly<Record<string, string>>) =>
  runProgram(main, [], { cwd: folder, env: { PATH: process.env['PATH'], ...settings } });

/** How often a bot has logged in since. */
function countIdentifies(chat: ChatServer): () => number {
  let count = 0;
  chat.subscribe((event) => {
    if (event.type === 'payload' && event.method === 'IDENTIFY') count += 1;
  });
  return () => count;
}

function settingsFor(folder: string, chat: ChatServer): Readonly<Record<string, string>> {
  return {
    DISCORD_TOKEN: chat.token,
    DISCORD_API_URL: chat.apiUrl,
    SERVICE_URL: 'http://127.0.0.1:9',
    SERVICE_KEY: 'a-key-of-the-service',
    STORE_URL: `sqlite://${join(folder, 'store.sqlite')}`,
  };
}

/** One bot for all that can be seen of the same one. */
interface Life extends AsyncDisposable {
  readonly bot: Bot;
  readonly chat: ChatServer;
  readonly dataService: DataService;
  readonly between: Tap;
}

async function beginLife(): Promise<Life> {
  await using opening = new AsyncDisposableStack();
  const dataService = await startDataService();
  opening.defer(() => dataService.close());
  const chat = await startChatServer();
  opening.defer(() => chat.close());
  const between = await tap(chat);
  opening.defer(() => between.close());
  const bot = opening.use(await createBot(chat, dataService, { DISCORD_API_URL: between.apiUrl }));
  await bot.start();
  const open = opening.move();
  return { bot, chat, dataService, between, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function endsAtOnce(bot: Bot, signal: NodeJS.Signals): Promise<void> {
  const ends = () => bot.output.match(/"stopped"/g)?.length ?? 0;
  const before = ends();
  const begun = Date.now();
  expect(await bot.stop(signal)).toBe(0);
  // A stop that waits although nothing runs takes five seconds.
  expect(Date.now() - begun).toBeLessThan(5000);
  expect(ends()).toBe(before + 1);
}

/** Its last line, by which an operator's system knows why it ended. */
const lastLine = (stdout: string): unknown => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
/** That line, where another start is pointless. */
const refusal = (msg: RegExp) => ({ level: 'fatal', exit: 78, msg: expect.stringMatching(msg) });

describe('the start', () => {
  test('ends with 78 and one list of all that is wrong with the settings', async ({ folder }) => {
    const { code, stdout, stderr } = await run(folder, {
      SERVICE_URL: 'http://data.example/?key=most-secret',
      LOG_LEVEL: 'loud',
    });
    expect([code, stderr]).toEqual([78, '']);
    expect(JSON.parse(stdout)).toMatchObject(refusal(/^Pitwall cannot run: 4 settings are wrong/));
    for (const name of ['DISCORD_TOKEN', 'SERVICE_URL', 'SERVICE_KEY', 'LOG_LEVEL'])
      expect(stdout).toContain(`  ${name} `);
    expect(stdout).not.toMatch(/most-secret|at .*\.ts:\d/);
  });

  test('reads .env in the working directory, and the environment wins over it', async ({ folder }) => {
    writeFileSync(
      join(folder, '.env'),
      'DISCORD_TOKEN="token-in-file"\n# a comment\nSERVICE_KEY=key-in-file\nSERVICE_URL=https://data.example\nLOG_LEVEL=loud\n',
    );
    const { stdout } = await run(folder, { LOG_LEVEL: 'info', DISCORD_GUILD_ID: 'x' });
    expect(stdout.match(/expected:/g)).toHaveLength(1);
    expect(stdout).toContain('DISCORD_GUILD_ID');
  });

  test('reads a .env that begins with a byte-order mark', async ({ folder }) => {
    writeFileSync(join(folder, '.env'), '\uFEFFLOG_LEVEL=loud\n');
    expect((await run(folder, {})).stdout).toContain('  LOG_LEVEL ');
  });

  test('where .env is a folder ends with 78 and one line', async ({ folder }) => {
    mkdirSync(join(folder, '.env'));
    const { code, stdout } = await run(folder, {});
    expect(code).toBe(78);
    expect(JSON.parse(stdout)).toMatchObject(
      refusal(/^Pitwall cannot run: \.env is a folder; put a file there, or remove it$/),
    );
  });

  test('with a wrong token ends with 78 and one line', async ({ chat, folder }) => {
    const { code, stdout, stderr } = await run(folder, {
      ...settingsFor(folder, chat),
      DISCORD_TOKEN: `${chat.token}x`,
    });
    expect([code, stderr]).toEqual([78, '']);
    expect(lastLine(stdout)).toMatchObject(refusal(/^Pitwall cannot run: DISCORD_TOKEN/));
    expect(stdout).not.toContain(chat.token);
  });

  test('with a database that is none ends with 78 and one line about the end', async ({ chat, folder }) => {
    writeFileSync(join(folder, 'store.sqlite'), 'not a database '.repeat(1000));
    const { code, stdout } = await run(folder, settingsFor(folder, chat));
    expect(code).toBe(78);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ level: 'info', msg: 'stopping' }, refusal(/^Pitwall cannot run: STORE_URL.*damaged/)]);
  });

  test.runIf(hasScript)('at a terminal says why it cannot run in plain text, too', ({ folder }) => {
    const { stdout } = spawnSync(
      SCRIPT,
      ['-qec', `"${process.execPath}" "${main}" > "${join(folder, 'out.log')}"`, '/dev/null'],
      { cwd: folder, env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
    );
    expect(stdout).toMatch(/^Pitwall cannot run: 3 settings are wrong/);
    expect(JSON.parse(readFileSync(join(folder, 'out.log'), 'utf8'))).toMatchObject(refusal(/3 settings/));
  });

  test('waits for an unreachable Discord, with one line of the log, and can be stopped', async ({
    chat,
    folder,
  }) => {
    const env = { ...settingsFor(folder, chat), DISCORD_API_URL: 'http://127.0.0.1:9/api' };
    const child = spawn(process.execPath, [main], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...env },
    });
    let stdout = '';
    listenTo(child, (text) => {
      stdout += text;
    });
    const ended = once(child, 'close');
    // A crowded machine may let the process stand still for a while, which has a line of its own.
    const lines = () =>
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg);
    await expect.poll(() => stdout).toContain('Discord cannot be reached');
    child.kill('SIGTERM');
    await ended;
    expect(child.exitCode).toBe(0);
    expect(lines().filter((line) => line !== 'the process did not run for a while')).toEqual([
      'Discord cannot be reached; the start waits',
      'stopping',
      'stopped',
    ]);
  });

  test('tells systemd that it is alive while it waits, and no secret', async ({ chat, folder }) => {
    const [told, environment] = [join(folder, 'told'), join(folder, 'environment')];
    const program = `#!/bin/sh\nenv >'${environment}'\necho "$*" >>'${told}'\n`;
    writeFileSync(join(folder, 'systemd-notify'), program, { mode: 0o755 });
    const child = spawn(process.execPath, [main], {
      cwd: folder,
      env: {
        ...settingsFor(folder, chat),
        DISCORD_API_URL: 'http://127.0.0.1:9/api',
        PATH: `${folder}:${process.env['PATH']}`,
        WATCHDOG_USEC: '400000',
        NOTIFY_SOCKET: '/run/systemd/notify',
      },
    });
    const ended = once(child, 'close');
    await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8')).toMatch(/^(?:WATCHDOG=1\n){2,}$/);
    const passed = readFileSync(environment, 'utf8');
    expect(passed).toContain('NOTIFY_SOCKET=/run/systemd/notify\n');
    expect(passed).not.toMatch(/DISCORD_TOKEN|SERVICE_KEY/);
    child.kill('SIGTERM');
    await ended;
  });

  test('is not held back by commands that Discord will take in a day only', async ({ chat, dataService }) => {
    chat.setFault('publish-429', true);
    await using bot = await createBotWithin(chat, dataService);
    void bot.start().catch(() => {});
    await expect.poll(() => bot.output).toContain('"ready"');
    await expect.poll(() => bot.output).toContain('"published":"later"');
  });

  test('survives a Discord that answers no command list, and publishes once it does', async ({
    chat,
    dataService,
  }) => {
    // One attempt is four requests: the REST client repeats what was answered with a 5xx three times.
    chat.setFault('publish-500', true, 4);
    await using bot = await createBot(chat, dataService);
    const identified = countIdentifies(chat);
    await bot.start();
    expect(bot.output).toContain('"published":"later"');
    expect(bot.output.match(/"msg":"ready"/g)).toHaveLength(1);
    expect(identified()).toBe(1);
    expect((await guest(chat, chat.people[0] ?? '').ask('help', {})).text).toContain('/profile');
    expect(await bot.stop()).toBe(0);
  });
});

describe('the end', () => {
  test('exits with 0 within ten seconds of SIGTERM, and the person gets an answer', async ({
    botProcess: bot,
    chat,
    dataService,
    visitor,
  }) => {
    dataService.setFault('slow', true);
    const deferred = acknowledgement(chat);
    const asking = visitor.ask('profile', { player: dataService.drivers[0] ?? '' });
    // Awaited below, unless the test fails before.
    asking.catch(() => {});
    await deferred;
    const begun = Date.now();
    const stored = readdirSync(bot.folder).filter((name) => name.includes('sqlite'));
    expect(stored).toContain('store.sqlite-wal');
    // Others on the machine cannot read who is which driver.
    for (const name of stored) expect(statSync(join(bot.folder, name)).mode & 0o077, name).toBe(0);
    expect(await bot.stop()).toBe(0);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect((await asking).text).toMatch(/restarting|isn't answering/);
  });

  test('by SIGTERM during the start comes with 0, too', async ({ chat, dataService }) => {
    await using bot = await createBot(chat, dataService);
    chat.setFault('rest-slow', true);
    const asked = new Promise<void>((resolve) => {
      chat.subscribe((event) => {
        if (event.type === 'payload') resolve();
      });
    });
    const started = bot.start().catch(() => {});
    await asked;
    expect(await bot.stop()).toBe(0);
    await started;
  });

  test('by SIGTERM while it waits for PostgreSQL comes with 0, too', async ({ chat, dataService }) => {
    // Nothing listens there.
    await using bot = await createBot(chat, dataService, {
      STORE_URL: 'postgres://pitwall@127.0.0.1:9/pitwall',
    });
    const started = bot.start().catch(() => {});
    await expect.poll(() => bot.output).toContain('"waiting for PostgreSQL"');
    expect(await bot.stop()).toBe(0);
    expect(bot.output).toContain('"msg":"stopped","exit":0');
    await started;
  });

  test('by Discord itself, for good, comes with 78 and one line', async ({ folder }) => {
    const chat = await startChatServer();
    const running = run(folder, settingsFor(folder, chat));
    await chat.ready();
    chat.disconnect(4014);
    const { code, stdout } = await running;
    expect(code).toBe(78);
    expect(lastLine(stdout)).toMatchObject(refusal(/^Pitwall cannot run: .*intents/));
    expect(stdout.match(/.*"exit":.*/g)).toHaveLength(1);
    await chat.close();
  });
});

describe('SIGHUP', () => {
  test('without a terminal makes the log more verbose, and the next one takes it back', async ({
    chat,
    dataService,
    visitor,
  }) => {
    await using bot = await createBot(chat, dataService, { LOG_LEVEL: 'warn' }, { detached: true });
    await bot.start();
    const player = dataService.drivers[0] ?? '';
    const interactions = () => bot.output.match(/"msg":"interaction"/g)?.length ?? 0;
    await visitor.ask('profile', { player });
    bot.signal('SIGHUP');
    await expect.poll(() => bot.output).toContain('"msg":"log level","now":"debug"');
    await visitor.ask('profile', { player });
    await expect.poll(interactions).toBe(1);
    bot.signal('SIGHUP');
    await expect.poll(() => bot.output).toContain('"msg":"log level","now":"warn"');
    await visitor.ask('profile', { player });
    expect(await bot.stop()).toBe(0);
    expect(interactions()).toBe(1);
  });

  test.runIf(hasScript)('from a terminal that closes ends the bot in order', async ({ chat, folder }) => {
    const out = join(folder, 'out.log');
    writeFileSync(out, '');
    const read = () => readFileSync(out, 'utf8');
    const terminal = spawn(SCRIPT, ['-qec', `exec "${process.execPath}" "${main}" > "${out}"`, '/dev/null'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...settingsFor(folder, chat) },
    });
    await chat.ready();
    await expect.poll(read).toContain('"ready"');
    terminal.kill('SIGKILL');
    await expect.poll(read).toContain('"stopped"');
    expect(read()).toContain('"why":"SIGHUP"');
  });
});

describe('a bot that runs', () => {
  let life: Life;
  beforeAll(async () => {
    life = await beginLife();
  });
  afterAll(() => life[Symbol.asyncDispose]());

  test('logs once that it is ready, with versions and the number of commands', async () => {
    const { bot } = life;
    await expect.poll(() => bot.output).toContain('"ready"');
    const ready = bot.output.split('\n').filter((line) => line.includes('"ready"'));
    expect(ready).toHaveLength(1);
    expect(JSON.parse(ready[0] ?? '')).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      node: process.version,
      commands: expect.any(Number),
    });
    await expect.poll(() => bot.output).toContain('"published":"published"');
  });

  test('keeps its store: another one ends with 78 and says which has it', async () => {
    const { bot, chat } = life;
    const settings = settingsFor(bot.folder, chat);
    const { code, stdout } = await run(bot.folder, settings);
    expect(code).toBe(78);
    expect(lastLine(stdout)).toMatchObject(
      refusal(/^Pitwall cannot run: STORE_URL.*in use by another Pitwall \(process \d+ on /),
    );
  });

  test('writes malformed interactions and events into the log, and answers the next one', async () => {
    const { bot, chat, dataService, between } = life;
    const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
    const frame = {
      id: '1',
      application_id: '1',
      token: 'x',
      version: 1,
      channel_id: channel,
      locale: 'en-US',
      entitlements: [],
      authorizing_integration_owners: {},
    };
    const user = { id: '2', username: 'x', discriminator: '0', avatar: null };
    const broken: unknown[] = [
      {},
      { ...frame, type: 2, user, entitlements: undefined },
      { ...frame, type: 2 },
      { ...frame, type: 2, user },
      {
        ...frame,
        type: 2,
        user,
        data: { id: '1', name: 'profile', type: 1, options: [{ name: 'player', type: 3 }] },
      },
      {
        ...frame,
        type: 2,
        user,
        data: { id: '1', name: 'profile', type: 1, options: [{ name: 'player', type: 4, value: 7 }] },
      },
      { ...frame, type: 2, user, data: { id: '1', name: '__proto__', type: 1 } },
      { ...frame, type: 2, user, data: { id: '1', name: 'profile', type: 99 } },
      { ...frame, type: 3, user, data: { custom_id: '1:profile:x:y', component_type: 2 } },
      { ...frame, type: 3, user, message: {}, data: { custom_id: 5, component_type: 99 } },
      { ...frame, type: 4, user, data: { id: '1', name: 'profile', type: 1, options: [] } },
      {
        ...frame,
        type: 4,
        user,
        data: {
          id: '1',
          name: 'profile',
          type: 1,
          options: [{ name: 'player', type: 3, value: 'a', focused: true }],
        },
      },
      { ...frame, type: 77, user },
      { ...frame, type: 5, user, data: { custom_id: 'x', components: [] } },
    ];
    // Each with an id of its own, of now: one that comes twice is answered once, and a late one is dropped.
    const newest = BigInt(Date.now() - Date.UTC(2015, 0)) << 22n;
    for (const [index, data] of broken.entries())
      between.inject('INTERACTION_CREATE', {
        ...Object(data),
        ...('id' in Object(data) ? { id: `${newest + BigInt(index)}` } : {}),
      });
    between.inject('GUILD_CREATE', { id: 'x' });
    between.inject('NO_SUCH_EVENT', null);

    const person = chat.visitor(chat.people[0] ?? '');
    const player = dataService.drivers[0] ?? '';
    // As text: a picture is drawn or not, as fast as the machine is.
    const { message } = await person.invoke(channel, 'profile', [
      { name: 'player', value: player },
      { name: 'picture', value: false },
    ]);
    expect(JSON.stringify(message?.embeds)).toContain(player);
    expect(bot.output).toMatch(/"a dispatch cannot be read","t":"GUILD_CREATE"/);
    // Until then its answer is under way, and would be slow where the process stands still.
    await expect.poll(() => bot.output).toMatch(/"command":"profile".*"outcome":"(?!failed)/);
    expect(bot.output).not.toContain('unhandled rejection');
  });

  test('says first that it did not run, once it goes on after a freeze', async () => {
    const { bot } = life;
    const before = bot.output.length;
    bot.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 6000));
    bot.signal('SIGCONT');
    const words = () =>
      bot.output
        .slice(before)
        .split('\n')
        .filter((line) => /"level":"(?:warn|error)"/.test(line));
    await expect.poll(words).not.toEqual([]);
    expect(words()[0]).toContain('"msg":"the process did not run for a while"');
  });

  test('ends by SIGINT with 0 at once when nothing runs', async () => {
    await endsAtOnce(life.bot, 'SIGINT');
  });

  test('publishes nothing the second time, and leaves no lock when it is killed', async () => {
    const { bot, chat } = life;
    const published: string[] = [];
    chat.subscribe((event) => {
      if (event.type === 'payload' && event.method === 'PUT') published.push(event.path);
    });
    const ready = (times: number) => expect.poll(() => bot.output.match(/"ready"/g)).toHaveLength(times);
    await bot.start();
    await ready(2);
    await expect.poll(() => bot.output).toContain('"unchanged"');
    expect(published).toEqual([]);
    await bot.stop('SIGKILL');
    await bot.start();
    await ready(3);
  });

  test('ends by SIGTERM with 0 at once when nothing runs', async () => {
    await endsAtOnce(life.bot, 'SIGTERM');
  });
});
