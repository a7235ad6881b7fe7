/**
 * `npm run bench -- live [counts…]`: the bot as `npm start` runs it, over four live files of so many drivers each, all of
 * which change every second; with boards, alerts, hidden drivers and history. `SECONDS` is how long each count is measured
 * for (60).
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { newWatchState } from '../../../src/features/alerts/observe.ts';
import type { Condition } from '../../../src/features/alerts/watch.ts';
import { createWatches } from '../../../src/features/alerts/watches.ts';
import { botSettings } from '../../../src/sandbox/bot-settings.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { openDatabase } from '../../../src/store/sqlite/database.ts';
import { createSqliteDocuments } from '../../../src/store/sqlite/documents.ts';
import { directWatch } from '../../features/alerts/support/watches.ts';
import { end } from '../beside/measure.ts';
import { processorMs, quantile, residentMiB } from '../beside/process-figures.ts';
import { createServersWithBoards, type ServersWithBoards } from '../boards/servers-with-boards.ts';
import { spawnBot } from '../spawn-bot.ts';
import { type Crowd, createCrowd, usernameOf } from './crowd.ts';

const SECOND = 1000;
const BOARDS = 10;
const ALERTS = 200;
const SETTLING = 25 * SECOND;
/** Of the event loop's delay: the bot reports the longest of ten seconds at least. */
const SAMPLED = 8 * SECOND;
const measured = Number(process.env['SECONDS'] ?? 60) * SECOND;
const port = 20_000 + (process.pid % 20_000);

type Row = Readonly<Record<string, number>>;

async function measure(drivers: number): Promise<Row> {
  const dataService = await startDataService();
  const crowd = await createCrowd(dataService.url, drivers);
  const servers = await createServersWithBoards(BOARDS);
  const { chat, folder, storeUrl } = servers;
  await addAlerts(folder, drivers);
  const bot = spawnBot(folder, {
    ...botSettings(chat, { ...dataService, url: crowd.url }, storeUrl),
    HIDDEN_DRIVERS: [0, 1_000_001, 2_000_002].map(usernameOf).join(','),
    HTTP_PORT: String(port),
    LOG_LEVEL: 'warn',
    ...(process.env['BOT_NODE_OPTIONS'] === undefined
      ? {}
      : { NODE_OPTIONS: process.env['BOT_NODE_OPTIONS'] }),
  });
  const pid = bot.pid ?? 0;
  try {
    const died = once(bot, 'exit').then(() => Promise.reject(new Error('the bot ended')));
    await Promise.race([chat.ready(), died]);
    await Promise.race([pause(SETTLING), died]);
    died.catch(() => {});
    const waits = watchBoards(servers, crowd);
    const before = { processor: processorMs(pid), fetches: crowd.fetches };
    const begun = performance.now();
    const delays: number[] = [];
    while (performance.now() - begun < measured) {
      await pause(Math.min(SAMPLED, measured));
      delays.push(await longestDelay());
    }
    const seconds = (performance.now() - begun) / SECOND;
    return {
      'CPU ms a second': (processorMs(pid) - before.processor) / seconds,
      'longest block, ms': Math.max(...delays),
      'board right after s, median': quantile(waits(), 0.5) / SECOND,
      '95 %': quantile(waits(), 0.95) / SECOND,
      'MiB resident': residentMiB(pid),
      'fetches a second': (crowd.fetches - before.fetches) / seconds,
    };
  } finally {
    await end(bot);
    await chat.close();
    crowd.close();
    await dataService.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of drivers, of servers and of duty, by direct messages to many people. */
async function addAlerts(folder: string, drivers: number): Promise<void> {
  const file = join(folder, 'store.sqlite');
  const database = openDatabase(file, { durable: false });
  const watches = createWatches(createSqliteDocuments(database, systemClock));
  for (let index = 0; index < ALERTS; index += 1) {
    const kinds: readonly Condition[] = [
      { kind: 'driver', player: usernameOf(drivers + index) },
      { kind: 'server', server: 'two', free: null, drivers: drivers + 1 + index },
      { kind: 'duty', duty: 'police', atLeast: drivers + index },
    ];
    const watch = directWatch((2_000_000_000 + index).toString(36), {
      person: String(1000 + index),
      condition: kinds[index % kinds.length] ?? { kind: 'digest' },
      since: Date.now(),
    });
    await watches.add({ watch, state: newWatchState });
  }
  database.close();
}

/** Milliseconds from each version of the files to the edit of each board that shows it, or a later one. */
function watchBoards({ chat, channels }: ServersWithBoards, crowd: Crowd): () => readonly number[] {
  const waits: number[] = [];
  const shown = new Map([...channels].map((id) => [id, crowd.versions.length - 1]));
  chat.subscribe((event) => {
    if (event.type !== 'message' || !shown.has(event.message.channel_id)) return;
    const now = performance.now();
    const { channel_id: channel, embeds } = event.message;
    const [, count = ''] = /⚠️\u00a0([\d,]+)/.exec(JSON.stringify(embeds)) ?? [];
    const hazards = Number(count.replaceAll(',', ''));
    const version = crowd.versions.findLastIndex((_, each) => crowd.hazardsIn(each) === hazards);
    for (let each = (shown.get(channel) ?? version) + 1; each <= version; each += 1)
      waits.push(now - (crowd.versions[each] ?? now));
    shown.set(channel, Math.max(version, shown.get(channel) ?? version));
  });
  return () => waits;
}

/** In ms, of about the last ten seconds. */
async function longestDelay(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_seconds (\S+)$/m.exec(text)?.[1]) * SECOND;
}

const counts = process.argv.slice(2).map(Number);
const table: Record<string, Row> = {};
for (const drivers of counts.length > 0 ? counts : [48, 200, 500]) {
  const row = await measure(drivers);
  table[`4 × ${drivers} drivers`] = Object.fromEntries(
    Object.entries(row).map(([name, figure]) => [name, Number(figure.toFixed(1))]),
  );
}
console.log(`${measured / SECOND} seconds each, Node ${process.version}`);
console.table(table);
