/**
 * `npm run bench -- growth`: what the bot costs as the work grows. Here: an idle bot in so many guilds, a members list of
 * so many people, and so many names to suggest; boards and the store have scripts of their own. `SECONDS` is how long
 * each count of guilds is measured for (60); the figures for an hour are scaled up from that.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Keyv from 'keyv';
import { openRecentNames } from '../../src/app/names/recent-names.ts';
import { membersCard } from '../../src/cards/members/members-card.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { botSettings } from '../../src/sandbox/bot-settings.ts';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import { chatStatus } from '../../src/service/endpoints.ts';
import { end } from './beside/measure.ts';
import { median, processorMs, residentMiB } from './beside/process-figures.ts';
import { spawnBot } from './spawn-bot.ts';

const SECOND = 1000;
const HOUR = 3600;
/** What the start leaves to be done. */
const SETTLING = 10 * SECOND;
const measured = Number(process.env['SECONDS'] ?? 60);

type Row = Readonly<Record<string, number>>;

/** A bot that nobody asks, in so many guilds. */
async function idleIn(guilds: number): Promise<Row> {
  const dataService = await startDataService();
  const chat = await startChatServer({ guilds });
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-growth-'));
  const bot = spawnBot(folder, {
    ...botSettings(chat, dataService, `sqlite://${join(folder, 'store.sqlite')}`),
    LOG_LEVEL: 'warn',
  });
  const pid = bot.pid ?? 0;
  try {
    const died = once(bot, 'exit').then(() => Promise.reject(new Error('the bot ended')));
    await Promise.race([chat.ready(), died]);
    await Promise.race([pause(SETTLING), died]);
    died.catch(() => {});
    const before = { processor: processorMs(pid), requests: keyed(dataService) };
    await pause(measured * SECOND);
    const hours = measured / HOUR;
    return {
      'MiB resident': residentMiB(pid),
      'CPU s an hour': (processorMs(pid) - before.processor) / SECOND / hours,
      'requests an hour': (keyed(dataService) - before.requests) / hours,
    };
  } finally {
    await end(bot);
    await chat.close();
    await dataService.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Requests that cost budget. */
function keyed({ requests }: Awaited<ReturnType<typeof startDataService>>): number {
  return requests.filter(({ path }) => path.startsWith('/drivesim/')).length;
}

/** Milliseconds that a piece of work takes, warm. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: 50 }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return median(times.slice(10));
}

function members(count: number): Row {
  const t = createTranslators()('en-GB');
  const list = Array.from({ length: count }, (_, id) => ({
    id: String(id),
    username: `Driver ${id}`,
    discriminator: '0000',
    status: ['online', 'idle', 'dnd'][id % 3] ?? 'online',
  }));
  const body = () => ({ id: '1', name: 'Community', channels: [], members: list, presence_count: count });
  const { record } = chatStatus.read(body());
  if (record === null) throw new Error('the list cannot be read');
  const answer = { record, asOf: 0, stale: null };
  return {
    'ms to read': timeOf(() => chatStatus.read(body())),
    'ms a card': timeOf(() => membersCard(answer, 0, t)),
  };
}

async function names(count: number): Promise<Row> {
  const recentNames = await openRecentNames(new Keyv(), {
    now: Date.now,
    failed: (error) => {
      throw error;
    },
  });
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const players = Array.from({ length: count }, (_, index) => `Driver${index}`);
  const learning = timeOfOnce(() => recentNames.learn({ players, vins: [] }, 0));
  globalThis.gc?.();
  const MiB = (process.memoryUsage().heapUsed - before) / 1024 / 1024;
  return {
    'µs to learn one': (learning * 1000) / count,
    'MiB of heap': MiB,
    'ms a search': timeOf(() => recentNames.players('river9')),
    'ms a near one': timeOf(() => recentNames.playersNear('Drivre77')),
  };
}

function timeOfOnce(work: () => void): number {
  const begun = performance.now();
  work();
  return performance.now() - begun;
}

async function table(
  what: string,
  counts: readonly number[],
  measure: (count: number) => Row | Promise<Row>,
): Promise<void> {
  const rows: Record<string, Row> = {};
  for (const count of counts) {
    const row = await measure(count);
    rows[`${count} ${what}`] = Object.fromEntries(
      Object.entries(row).map(([name, figure]) => [name, Number(figure.toPrecision(3))]),
    );
  }
  console.table(rows);
}

console.log(`idle for ${measured} seconds each and scaled up, Node ${process.version}`);
await table('guilds', [1, 10, 100, 1000], idleIn);
await table('members', [10, 100, 1000], members);
await table('names', [10, 100, 1000, 10_000, 100_000], names);
