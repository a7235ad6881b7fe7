/**
 * `npm run bench -- beside [runs] [names…] [--board-minutes=1]`: Pitwall and bare bots, each with a chat server of its own
 * in this process. In every run they start one after the other and are asked in turns, so that a slow moment of the
 * machine meets them all.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { botSettings } from '../../../src/sandbox/bot-settings.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { fromSources, npmStart, spawnBot } from '../spawn-bot.ts';
import { type Contender, type Figures, measureAll, script } from './measure.ts';
import { median } from './process-figures.ts';

const bare = script('discord.js', new URL('bots/discord-js.ts', import.meta.url), { keepsBoard: true });

function pitwall(name: string, command: string): Contender {
  return {
    name,
    keepsBoard: true,
    async prepare(chat) {
      const dataService = await startDataService();
      const folder = await mkdtemp(join(tmpdir(), 'pitwall-beside-'));
      return {
        start: () =>
          spawnBot(
            folder,
            {
              ...botSettings(chat, dataService, `sqlite://${join(folder, 'store.sqlite')}`),
              LOG_LEVEL: 'info',
            },
            command,
          ),
        async tidy() {
          await dataService.close();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}

const contenders: readonly Contender[] = [
  bare,
  pitwall('pitwall (sources)', fromSources),
  ...(existsSync(new URL('../../../dist/main.js', import.meta.url)) ? [pitwall('pitwall', npmStart)] : []),
];

const {
  values: { 'board-minutes': boardMinutes },
  positionals: [runs = '7', ...names],
} = parseArgs({
  allowPositionals: true,
  options: { 'board-minutes': { type: 'string', default: '1' } },
});
const chosen =
  names.length === 0
    ? contenders
    : contenders.filter(({ name }) => names.includes(name) || name === bare.name);
const results = new Map<string, Figures[]>(chosen.map(({ name }) => [name, []]));
// The chat server's code is compiled while it is first used, and would be counted as the first bot's time.
await measureAll(chosen, 0);
for (let run = 0; run < Number(runs); run += 1)
  for (const [name, figures] of await measureAll(chosen, Number(boardMinutes) * 60_000))
    results.get(name)?.push(figures);

const columns = {
  'first answer ms': 'firstAnswer',
  'CPU ms to that': 'startProcessor',
  'idle MiB': 'idle',
  'p50 ms': 'p50',
  'p99 ms': 'p99',
  'CPU ms a command': 'processor',
  'MiB after 2000': 'after',
  'MiB with a board': 'withBoard',
  'CPU s of 5 min': 'boardProcessor',
} as const;

const medians = (name: string, figure: keyof Figures): number =>
  median((results.get(name) ?? []).map((figures) => figures[figure]));

const table = (cell: (name: string, figure: keyof Figures) => number, digits: number) =>
  Object.fromEntries(
    chosen.map(({ name }) => [
      name,
      Object.fromEntries(
        Object.entries(columns).map(([title, figure]) => [title, Number(cell(name, figure).toFixed(digits))]),
      ),
    ]),
  );

console.log(`medians of ${runs} interleaved runs, board for ${boardMinutes} min, Node ${process.version}`);
console.table(table(medians, 2));
console.log(`÷ ${bare.name}, run by run, medians`);
const ratios = table((name, figure) => {
  const base = results.get(bare.name) ?? [];
  return median(
    (results.get(name) ?? []).map((figures, run) => figures[figure] / (base[run]?.[figure] ?? Number.NaN)),
  );
}, 2);
console.table(ratios);
