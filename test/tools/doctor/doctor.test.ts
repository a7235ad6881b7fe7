/** The doctor over the sandbox: a healthy setup, and broken ones, each with the line that says what to do. */

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionFlagsBits, REST, Routes } from 'discord.js';
import { test as base, describe, expect } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { memoiseByKey } from '../../../src/base/memoise.ts';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { allCommands, allPayloads } from '../../../src/discord/publish/commands.ts';
import { failureName } from '../../../src/discord/rest/resend.ts';
import { createStoredBoards } from '../../../src/messages/boards/stored-boards.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../../../src/sandbox/service/data-service.ts';
import { ledgerTables } from '../../../src/service/budget/ledger/tables.ts';
import { ownsStore } from '../../../src/store/owner.ts';
import { historyFile } from '../../../src/store/sqlite/copies.ts';
import { openSqliteStores } from '../../../src/store/sqlite/open.ts';
import {
  clockFinding,
  driverFindings,
  examineAll,
  storeFindings,
} from '../../../src/tools/doctor/examine.ts';
import { createReport, describeReport } from '../../../src/tools/doctor/finding.ts';
import { openLedgerFile } from '../../support/ledger-database.ts';
import { listenOnFreePort } from '../../support/listen.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { boardChannel } from '../../support/sandbox.ts';
import { createTranslators } from '../../support/translators.ts';

const silent = createLog({ level: 'silent', secrets: [] });

interface Setup {
  readonly chat: LocalChat;
  readonly dataService: DataService;
  readonly folder: string;
  readonly file: string;
  /** Changed by a test to break it. */
  readonly environment: Record<string, string>;
  readonly clock: Clock;
  /** Moves the clocks of all on. */
  later(ms: number): void;
}

/** As a bot leaves it that has run: commands published, a store with one board. */
const test = base.extend<{ setup: Setup }>({
  setup: async ({ task: _ }, use) => {
    let ahead = 0;
    const clock = { ...systemClock, now: () => Date.now() + ahead };
    const chat = await startChatServer({ now: clock.now });
    const dataService = await startDataService({ now: clock.now });
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-doctor-'));
    const file = join(folder, 'store.sqlite');
    const stores = await openSqliteStores(file, { clock, log: silent }, ledgerTables);
    await createStoredBoards(stores.documents).add({
      ...{ guildId: chat.guildId, channelId: boardChannel(chat), madeBy: chat.people[0] ?? '' },
      ...{ locale: 'en', colours: true, madeAt: Date.now(), removed: false, options: newBoardOptions },
    });
    await stores.close();
    await publish(chat);
    await use({
      ...{ chat, dataService, folder, file, clock },
      later(ms) {
        ahead += ms;
      },
      environment: {
        DISCORD_TOKEN: chat.token,
        DISCORD_API_URL: chat.apiUrl,
        SERVICE_URL: dataService.url,
        SERVICE_KEY: dataService.key,
        STORE_URL: `sqlite://${file}`,
      },
    });
    await dataService.close();
    await chat.close();
    rmSync(folder, { recursive: true, force: true });
  },
});

/** The same for every setup. */
const described = memoiseByKey(async (isGlobal: boolean) =>
  allPayloads(await allCommands(), createTranslators(), isGlobal),
);

async function publish(chat: LocalChat): Promise<void> {
  const body = await described(true);
  const rest = new REST({ api: chat.apiUrl }).setToken(chat.token);
  await rest.put(Routes.applicationCommands(chat.botId), { body });
  rest.clearHandlerSweeper();
  rest.clearHashSweeper();
}

const look = async ({ environment, clock }: Pick<Setup, 'environment' | 'clock'>) =>
  createReport(await examineAll(environment, clock));
const keyed = ({ dataService }: Setup) =>
  dataService.requests.filter(({ path }) => !path.startsWith('/json/'));

async function spent({ file, clock }: Pick<Setup, 'file' | 'clock'>): Promise<number> {
  const { ledger, close } = openLedgerFile(file, clock);
  const { spent } = await ledger.snapshot();
  close();
  return spent.interactive;
}

describe('a healthy setup', () => {
  test('has ✅ in every line, for two requests with the key, which are in the ledger', async ({ setup }) => {
    const { healthy, findings } = await look(setup);
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(healthy).toBe(true);
    expect(findings.map(({ check }) => check)).toEqual([
      ...['settings', 'store', 'token', 'logins', 'shards', 'servers', 'own accounts'],
      ...['commands', 'boards', 'service', 'key', 'chat status', 'clock'],
    ]);
    expect(keyed(setup)).toHaveLength(2);
    const stores = await openSqliteStores(setup.file, { clock: setup.clock, log: silent }, ledgerTables);
    expect(await spent(setup)).toBe(2);
    await stores.close();
    const text = describeReport({ healthy, findings });
    expect(text.match(/^✅ /gm)).toHaveLength(findings.length);
    expect(text).toMatch(/All is well\.\n$/);
    expect(text).toContain('a client key, 720 requests in 3600 s');
  });

  test('is examined beside a running bot: nothing is taken, no login is made', async ({ setup }) => {
    const stores = await openSqliteStores(setup.file, { clock: setup.clock, log: silent }, ledgerTables);
    const { findings } = await look(setup);
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(findings.find(({ check }) => check === 'store')?.says).toContain(
      `in use by process ${process.pid}`,
    );
    expect(setup.chat.identifies).toEqual([]);
    await stores.documents.commit([], [{ collection: 'people', key: '1', text: '{}' }]);
    expect(await spent(setup)).toBe(2);
    await stores.close();
  });

  test('knows an IP-restricted key, and the later generation', async ({ setup }) => {
    setup.environment['SERVICE_KEY'] = setup.dataService.restrictedKey;
    setup.dataService.setFault('later-generation', true);
    const { healthy, findings } = await look(setup);
    expect(healthy).toBe(true);
    const says = findings.map((finding) => finding.says).join('\n');
    expect(says).toContain('an IP-restricted key, by its limit, 7200 requests in 3600 s');
    expect(says).toContain('later (2025) generation');
  });

  test('can be one that has never run', async ({ setup }) => {
    rmSync(setup.file);
    const { healthy, findings } = await look(setup);
    expect(healthy).toBe(true);
    expect(findings.find(({ check }) => check === 'store')?.says).toContain(
      'will be created, with SQLite 3.',
    );
  });
});

function set({ environment }: Setup, name: string, value: string): void {
  environment[name] = value;
}

interface Broken {
  readonly is: string;
  break(setup: Setup): void | Promise<void>;
  /** The line. */
  readonly line: RegExp;
  /** Requests with the key; 2 by default. */
  readonly spends?: number;
}

const broken: readonly Broken[] = [
  {
    is: 'a setting is missing',
    break: ({ environment }) => void delete environment['SERVICE_KEY'],
    line: /^❌ settings: SERVICE_KEY is missing\. Expected: the API key alone\. Find it: the account page/m,
    spends: 0,
  },
  {
    is: 'the token is wrong',
    break: (setup) => set(setup, 'DISCORD_TOKEN', `${setup.chat.token}x`),
    line: /^❌ token: DISCORD_TOKEN was rejected by Discord\. Copy it again from the Discord Developer Portal/m,
  },
  {
    is: 'the store belongs to another application',
    async break({ file, clock }) {
      const stores = await openSqliteStores(file, { clock, log: silent }, ledgerTables);
      await ownsStore(stores.documents, { id: '900000000000000009', takesStore: false }, true);
      await stores.close();
    },
    line: /^❌ token: DISCORD_TOKEN belongs to the application \d+, and the store to the application 900000000000000009\. Use a token of 900000000000000009 or another STORE_URL, or set STORE_APPLICATION=\d+ /m,
  },
  {
    is: 'Discord cannot be reached',
    break: (setup) => set(setup, 'DISCORD_API_URL', 'http://127.0.0.1:9/api'),
    line: /^❌ token: not checked: Discord does not answer \(ECONNREFUSED\)\. Check the network/m,
  },
  {
    is: 'Discord has an outage',
    break: ({ chat }) => chat.setFault('rest-500', true),
    line: /^❌ token: not checked: Discord does not answer \(status 500/m,
  },
  {
    is: 'the commands are those of another version',
    break: (setup) => set(setup, 'DISCORD_GUILD_ID', setup.chat.guildId),
    line: /^⚠️ commands: none are published in the server \d+\. Start the bot: it publishes them\./m,
  },
  {
    is: 'the bot is not in the server of DISCORD_GUILD_ID',
    break: (setup) => set(setup, 'DISCORD_GUILD_ID', '281474976710600000'),
    line: /^❌ commands: DISCORD_GUILD_ID: the bot is not in that server.*Invite it again: https:\/\/discord\.com\/oauth2/m,
  },
  {
    is: 'a board lacks a permission',
    break: ({ chat }) =>
      chat.moderator.setOverwrite(boardChannel(chat), {
        ...{ id: chat.guildId, type: 'role', allow: 0n },
        deny: PermissionFlagsBits.EmbedLinks,
      }),
    line: /^❌ boards: channel \d+ of server \d+: missing Embed Links\. Grant it/m,
  },
  {
    is: "a board's channel is gone",
    break: ({ chat }) => chat.moderator.deleteChannel(boardChannel(chat)),
    line: /^❌ boards: channel \d+ of server \d+: I cannot find it\. Remove the board with \/board remove/m,
  },
  {
    is: 'a board is in a server without the bot',
    async break({ file, clock }) {
      const stores = await openSqliteStores(file, { clock, log: silent }, ledgerTables);
      await createStoredBoards(stores.documents).add({
        ...{ guildId: '281474976710600000', channelId: '281474976710600001', madeBy: '1', locale: 'en' },
        ...{ colours: true, madeAt: Date.now(), removed: false, options: newBoardOptions },
      });
      await stores.close();
    },
    line: /^❌ boards: channel 281474976710600001 of server 281474976710600000: I cannot find it/m,
  },
  {
    is: 'there are fewer shards than Discord recommends',
    break: (setup) => {
      set(setup, 'SHARDS', '2');
      set(setup, 'STORE_URL', 'postgres://pitwall@127.0.0.1:9/pitwall');
      setup.chat.recommendShards(3);
    },
    line: /^⚠️ shards: SHARDS: 2 shards, Discord recommends 3\. Raise it before.*SHARDS=3, or auto\./m,
    spends: 0,
  },
  {
    is: 'the data service is down',
    break: ({ dataService }) => dataService.setFault('down', true),
    line: /^❌ service: SERVICE_URL does not answer as a data service \(status 503.*\n⚠️ key: not checked/m,
    spends: 0,
  },
  {
    is: 'the address is that of a web page',
    break: ({ dataService }) => dataService.setFault('html', true),
    line: /^❌ service: SERVICE_URL does not answer as a data service \(status 200 with page/m,
    spends: 0,
  },
  {
    is: 'the live data stands still',
    break: ({ dataService, later }) => {
      dataService.setFault('frozen-clock', true);
      later(60_000);
    },
    line: /^⚠️ service: answers, but its live data has stood still for \d\d s\. Nothing to do here/m,
  },
  {
    is: 'the key is not accepted',
    break: ({ dataService }) => dataService.setFault('unauthorised', true),
    line: /^❌ key: SERVICE_KEY is not accepted by the data service\. Copy it again from the account page/m,
    spends: 1,
  },
  {
    is: 'the key belongs to another address',
    break: (setup) => set(setup, 'SERVICE_KEY', setup.dataService.elsewhereKey),
    line: /^❌ key: SERVICE_KEY is restricted to other IP addresses.*Allow this address/m,
    spends: 1,
  },
  {
    is: 'the key has nothing left',
    break: ({ dataService }) => dataService.setFault('over-limit', true),
    line: /^⚠️ key: not checked: its hourly limit is used up\. Run the doctor again after \d\d:\d\d UTC/m,
    spends: 1,
  },
  {
    is: "the game's segment is wrong",
    break: (setup) => set(setup, 'SERVICE_GAME', 'boats'),
    line: /^❌ key: the data service has no usable answer below SERVICE_GAME/m,
    spends: 1,
  },
  {
    is: 'the path of the chat status is wrong',
    break: (setup) => set(setup, 'SERVICE_CHAT_PATH', 'talk'),
    line: /^❌ chat status: the data service has no usable answer below SERVICE_CHAT_PATH/m,
  },
  {
    is: 'the community has switched its widget off',
    break: ({ dataService }) => dataService.setFault('widget-off', true),
    line: /^⚠️ chat status: the community has switched the widget .* off.*Server Settings, Widget\./m,
  },
  {
    is: 'the store is damaged',
    break: ({ file }) => truncateSync(file, 5000),
    line: /^❌ store: STORE_URL: the database \S+ is damaged or not a database/m,
    spends: 0,
  },
  {
    is: 'the store is a folder',
    break: ({ file }) => {
      rmSync(file);
      mkdirSync(file);
    },
    line: /^❌ store: STORE_URL: the database \S+ cannot be opened .*Check its path/m,
    spends: 0,
  },
  {
    is: 'the history is a folder',
    break: ({ file }) => {
      rmSync(historyFile(file), { force: true });
      mkdirSync(historyFile(file));
    },
    line: /^❌ store: STORE_URL: the database \S+history\S+ cannot be opened .*Check its path/m,
  },
  {
    is: 'the store is a PostgreSQL that is not there',
    break: (setup) => set(setup, 'STORE_URL', 'postgres://pitwall@127.0.0.1:9/pitwall'),
    line: /^❌ store: STORE_URL: PostgreSQL does not answer \(ECONNREFUSED\)\. Start it, or correct the host/m,
    spends: 0,
  },
];

describe('a setup in which', () => {
  test.for(broken)('$is has a line that says what to do', async (given, { setup }) => {
    await given.break(setup);
    const report = await look(setup);
    const text = describeReport(report);
    expect(text).toMatch(given.line);
    expect(report.healthy).toBe(!text.includes('❌'));
    expect(keyed(setup)).toHaveLength(given.spends ?? 2);
  });

  test('several settings are wrong has a line for each, and nothing is asked', async ({ setup }) => {
    const { healthy, findings } = await look({ ...setup, environment: { LOG_LEVEL: 'loud' } });
    expect(healthy).toBe(false);
    expect(findings.map(({ says }) => says.split(' ')[0])).toEqual([
      ...['DISCORD_TOKEN', 'SERVICE_URL', 'SERVICE_KEY', 'LOG_LEVEL'],
    ]);
    expect(setup.dataService.requests).toEqual([]);
  });

  test('the store cannot be used spends no request that nobody could count', async ({ setup }) => {
    writeFileSync(setup.file, 'text '.repeat(2000));
    const { findings } = await look(setup);
    expect(findings.find(({ check }) => check === 'key')?.verdict).toBe('warning');
    expect(keyed(setup)).toEqual([]);
  });
});

describe('a setup with health and metrics', () => {
  test.for([
    ['free', null, 'ok', /is free/],
    ['taken by another program', 'not found', 'failed', /cannot be used \(EADDRINUSE\)/],
    ['served by a running bot', '{"status":"failing","checks":{}}', 'ok', /a running Pitwall/],
  ] as const)('the port of health and metrics is %s', async ([, body, verdict, says], { setup }) => {
    const other = createServer((_request, response) => response.end(body));
    const port = await listenOnFreePort(other);
    if (body === null) {
      other.close();
      await once(other, 'close');
    }
    set(setup, 'HTTP_PORT', `${port}`);
    const { findings } = await look(setup);
    expect(findings.filter(({ check }) => check === 'http')).toEqual([
      expect.objectContaining({ verdict, says: expect.stringMatching(says) }),
    ]);
    other.closeAllConnections();
    other.close();
  });
});

describe('what the sandbox cannot break', () => {
  test.for([
    [{ discord: 1000, service: -2000 }, 'ok', /agree/],
    [{ discord: 120_000, service: 121_000 }, 'warning', /this machine's clock is 2 min slow/],
    [{ discord: -7_300_000, service: null }, 'warning', /this machine's clock is 2 h fast/],
    [{ discord: 500, service: -60_000 }, 'warning', /the data service's clock is 60 s slow/],
    [{ discord: null, service: 60_000 }, 'warning', /this machine's clock is 60 s slow/],
  ] as const)('clocks %o: %s', ([ahead, verdict, says]) => {
    const finding = clockFinding(ahead);
    expect(finding).toMatchObject({ verdict });
    expect(finding?.says).toMatch(says);
  });

  test('a request to Discord that takes too long has a name', () => {
    expect(failureName(new DOMException('', 'AbortError'))).toBe('AbortError');
    expect(failureName(Object.assign(new Error(), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
  });

  test('drivers who are hidden and shown, and names that no driver can have', () => {
    const found = (hidden: readonly string[], shown: readonly string[]) =>
      driverFindings({ hidden, shown }).map(({ verdict, says }) => [
        verdict,
        says.replace(/^.*name/, 'name'),
      ]);
    expect(found(['ann'], ['bob'])).toEqual([['ok', 'all of them can be used']]);
    expect(found(['Zoë', 'ann'], ['ZOË'])).toEqual([['warning', 'name "ZOË", and hiding counts']]);
    expect(found(['x'.repeat(500)], [])).toEqual([
      ['warning', `names "${'x'.repeat(20)}…", which no driver can be called`],
    ]);
  });

  test('a full disk, and a PostgreSQL that loses what it is given', () => {
    const file = { kind: 'sqlite', file: 'x.sqlite', state: 'good', trouble: null, bytes: 4096 } as const;
    const disk = (freeBytes: number) =>
      storeFindings({ ...file, history: null, freeBytes, usedBy: null, newestCopy: null });
    expect(disk(10_000_000)[0]).toMatchObject({ verdict: 'failed', todo: expect.stringContaining('Free') });
    expect(disk(100_000_000)[0]).toMatchObject({ verdict: 'warning' });
    expect(disk(10_000_000_000)[0]).toMatchObject({ verdict: 'ok' });
    const server = { kind: 'postgres', trouble: null, version: '15.1', bytes: 1, format: 1 } as const;
    const advice = ['a crash loses the last writes: set synchronous_commit on'];
    expect(storeFindings({ ...server, advice })).toMatchObject([
      { verdict: 'warning', todo: 'In PostgreSQL, set synchronous_commit on.' },
    ]);
    expect(storeFindings({ ...server, advice: [] })).toMatchObject([{ verdict: 'ok' }]);
  });
});
