/**
 * `npm run bench -- boards [counts…]`: the bot as `npm start` runs it, with so many guilds and a board in each, over the
 * sandbox, whose live files change every second: memory, processor time, edits, how old boards get, and how fast a
 * person is answered meanwhile. `SECONDS` is how long each count is measured for (60), after one round of all boards.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { botSettings } from '../../../src/sandbox/bot-settings.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { end } from '../beside/measure.ts';
import { processorMs, quantile, residentMiB } from '../beside/process-figures.ts';
import { spawnBot } from '../spawn-bot.ts';
import { createServersWithBoards, type ServersWithBoards } from './servers-with-boards.ts';

const SECOND = 1000;
/** As many as the pace of all boards allows. */
const EDITS_A_SECOND = 40;
/** What the start leaves to be done. */
const SETTLING = 20 * SECOND;
const QUESTIONS = 20;
const measured = Number(process.env['SECONDS'] ?? 60) * SECOND;

type Row = Readonly<Record<string, number>>;

async function measure(boards: number): Promise<Row> {
  const dataService = await startDataService();
  const servers = await createServersWithBoards(boards);
  const { chat, folder, storeUrl } = servers;
  const bot = spawnBot(folder, {
    ...botSettings(chat, dataService, storeUrl),
    LOG_LEVEL: 'warn',
  });
  const pid = bot.pid ?? 0;
  try {
    const died = once(bot, 'exit').then(() => Promise.reject(new Error('the bot ended')));
    await Promise.race([chat.ready(), died]);
    const startProcessor = processorMs(pid);
    const edits = watchEdits(servers);
    await Promise.race([pause(SETTLING + (boards / EDITS_A_SECOND) * SECOND), died]);
    edits.reset();
    const before = processorMs(pid);
    const begun = performance.now();
    const [answers] = await Promise.race([Promise.all([ask(servers), pause(measured)]), died]);
    const seconds = (performance.now() - begun) / SECOND;
    const { count, ages } = edits.figures();
    died.catch(() => {});
    return {
      'MiB resident': residentMiB(pid),
      'CPU ms at start': startProcessor,
      'CPU ms a second': (processorMs(pid) - before) / seconds,
      'edits a second': count / seconds,
      'age s, median': quantile(ages, 0.5) / SECOND,
      'age s, oldest': Math.max(...ages) / SECOND,
      'answer ms, median': quantile(answers, 0.5),
      'answer ms, slowest': Math.max(...answers),
      'refused by Discord': chat.requests.filter(({ status }) => status === 429).length,
    };
  } finally {
    await end(bot);
    await chat.close();
    await dataService.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The edits of boards, and how long ago each board's last one is. */
function watchEdits({ chat, channels }: ServersWithBoards) {
  const begun = performance.now();
  const last = new Map<string, number>();
  let count = 0;
  chat.subscribe((event) => {
    if (event.type !== 'message' || !channels.has(event.message.channel_id)) return;
    count += 1;
    last.set(event.message.channel_id, performance.now());
  });
  return {
    reset() {
      count = 0;
    },
    figures() {
      const now = performance.now();
      const ages = [...channels].map((id) => now - (last.get(id) ?? begun));
      return { count, ages };
    },
  };
}

/** Milliseconds to the callback, of questions spread over the time. */
async function ask({ chat }: ServersWithBoards): Promise<readonly number[]> {
  const visitor = chat.visitor(chat.people[0] ?? '');
  const channel = chat.channels[0]?.id ?? '';
  const times: number[] = [];
  for (let asked = 0; asked < QUESTIONS; asked += 1) {
    times.push((await visitor.invoke(channel, 'servers', [])).after);
    await pause((measured * 0.9) / QUESTIONS);
  }
  return times;
}

const counts = process.argv.slice(2).map(Number);
const table: Record<string, Row> = {};
for (const boards of counts.length > 0 ? counts : [1, 100, 1000, 2500]) {
  const row = await measure(boards);
  table[`${boards} boards`] = Object.fromEntries(
    Object.entries(row).map(([name, figure]) => [name, Number(figure.toFixed(1))]),
  );
}
console.log(`${measured / SECOND} seconds each, Node ${process.version}`);
console.table(table);
