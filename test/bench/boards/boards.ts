/**
 * `npm run bench -- boards [loads…]`: the bot as `npm start` runs it, with so many guilds and a board in each, over the
 * sandbox, whose live files change every second: memory, processor time, edits, how long boards are wrong, and how fast a
 * person is answered meanwhile. `2500` boards that all change, `2500:300` of which 300 do, `10000/4` in four processes with
 * one PostgreSQL. `SECONDS` is how long each is measured for (60), after one round of all boards.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { botSettings } from '../../../src/sandbox/bot-settings.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { end } from '../beside/measure.ts';
import { processorMs, quantile, residentMiB } from '../beside/process-figures.ts';
import { spawnBot } from '../spawn-bot.ts';
import { type Load, loadNamed } from './load.ts';
import { createServersWithBoards, type ServersWithBoards } from './servers-with-boards.ts';
import { watchEdits } from './watch-edits.ts';

const SECOND = 1000;
/** What the start leaves to be done once all boards are edited. */
const SETTLING = 10 * SECOND;
const QUESTIONS = 20;
const measured = Number(process.env['SECONDS'] ?? 60) * SECOND;

type Row = Readonly<Record<string, number>>;

async function measure(load: Load): Promise<Row> {
  const { boards, processes } = load;
  const dataService = await startDataService();
  const servers = await createServersWithBoards(boards, load);
  const { chat, folder, storeUrl, commands } = servers;
  const settings = { ...botSettings(chat, dataService, storeUrl), LOG_LEVEL: 'warn' };
  const bots = Array.from({ length: processes }, (_, index) =>
    spawnBot(folder, { ...settings, ...(processes > 1 && { SHARDS: `${index}/${processes}` }) }),
  );
  const pids = bots.map(({ pid = 0 }) => pid);
  const processor = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  try {
    const died = Promise.race(bots.map((bot) => once(bot, 'exit'))).then(() =>
      Promise.reject(new Error('the bot ended')),
    );
    const edits = watchEdits(servers);
    await Promise.race([chat.ready().then(() => allEdited(servers, boards)), died]);
    await Promise.race([pause(SETTLING), died]);
    edits.reset();
    const before = { processor: processor(), commands: await commands(), at: Date.now() };
    const begun = performance.now();
    const [answers] = await Promise.race([Promise.all([ask(servers), pause(measured)]), died]);
    const seconds = (performance.now() - begun) / SECOND;
    const spent = (processor() - before.processor) / seconds;
    const { count, wrong } = edits.figures();
    const keyed = dataService.requests.filter(
      ({ path, at }) => at >= before.at && !path.startsWith('/json/'),
    );
    died.catch(() => {});
    return {
      'MiB resident, most': Math.max(...pids.map(residentMiB)),
      'CPU ms a second': spent,
      'CPU µs a board': (spent * SECOND) / boards,
      'transactions of the database a second': ((await commands()) - before.commands) / seconds,
      'keyed requests an hour': (keyed.length / seconds) * 3600,
      'edits a second': count / seconds,
      'wrong s, median': quantile(wrong, 0.5) / SECOND,
      'wrong s, 95 %': quantile(wrong, 0.95) / SECOND,
      'wrong s, most': Math.max(...wrong) / SECOND,
      'answer ms, median': quantile(answers, 0.5),
      'answer ms, slowest': Math.max(...answers),
      'refused by Discord': chat.requests.filter(({ status }) => status === 429).length,
    };
  } finally {
    await Promise.all(bots.map(end));
    await servers.close();
    await dataService.close();
  }
}

/** A start edits each board once. */
async function allEdited({ chat }: ServersWithBoards, boards: number): Promise<void> {
  const edited = new Set<string>();
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const stop = chat.subscribe((event) => {
    if (event.type === 'message') edited.add(event.message.channel_id);
    if (edited.size === boards) resolve();
  });
  await all;
  stop();
}

/** Milliseconds to the callback, of questions spread over the time; each time somebody sets a board otherwise, too. */
async function ask({ chat, setOne }: ServersWithBoards): Promise<readonly number[]> {
  const visitor = chat.visitor(chat.people[0] ?? '');
  const channel = chat.channels[0]?.id ?? '';
  const times: number[] = [];
  for (let asked = 0; asked < QUESTIONS; asked += 1) {
    times.push((await visitor.invoke(channel, 'servers', [])).after);
    await setOne();
    await pause((measured * 0.9) / QUESTIONS);
  }
  return times;
}

const loads = process.argv.slice(2);
const table: Record<string, Row> = {};
for (const name of loads.length > 0 ? loads : ['1', '100', '1000', '2500', '2500:300']) {
  const row = await measure(loadNamed(name));
  table[`${name} boards`] = Object.fromEntries(
    Object.entries(row).map(([what, figure]) => [what, Number(figure.toFixed(1))]),
  );
}
console.log(`${measured / SECOND} seconds each, Node ${process.version}`);
console.table(table);
