/**
 * `npm run bench -- growth [what…]`: what the bot costs as its work grows a hundred times. Beside each cost stands what
 * one guild, board, alert … costs, divided by the same at the size before: 1 is flat, less is falling. What it costs to
 * have none is in all of them. `SECONDS` (20) is how long a running bot is measured for.
 */

import { featureParts } from '../../support/feature-parts.ts';
import { median } from '../beside/process-figures.ts';
import type { Costs, Growing } from './growing.ts';
import { links, names, sessions, store } from './in-process.ts';
import { boards, guilds } from './running.ts';

/** In ms. */
const LONG = 3000;

const all: Readonly<Record<string, Growing>> = {
  ...Object.assign({}, ...Object.values(await featureParts<Record<string, Growing>>('growth', 'growing'))),
  names: { sizes: [2000, 20_000, 200_000], measure: names, here: true },
  links: { sizes: [100, 1000, 10_000], measure: links, here: true },
  'MiB of answers': { sizes: [1, 10, 100], measure: store, here: true },
  sessions: { sizes: [10_000, 100_000, 1_000_000], measure: sessions },
  guilds: { sizes: [1, 100, 1000, 10_000], measure: guilds },
  boards: { sizes: [20, 200, 2500], measure: boards },
};

const chosen = process.argv.slice(2);

console.log(`Node ${process.version}`);
console.log(line('what', 'cost', 'of so many', 'is', 'each ÷ before'));
for (const [what, { sizes, measure, here }] of Object.entries(all)) {
  if (chosen.length > 0 && !chosen.includes(what)) continue;
  if (here) await measure(sizes[0] ?? 1);
  let before: { readonly size: number; readonly costs: Costs } | null = null;
  for (const size of sizes) {
    const costs = here ? await usual(() => measure(size)) : await measure(size);
    for (const [cost, value] of Object.entries(costs)) {
      const ratio = before === null ? null : value / size / ((before.costs[cost] ?? 0) / before.size);
      console.log(line(what, cost, size.toLocaleString('en'), digits(value), digits(ratio)));
    }
    before = { size, costs };
  }
}

async function usual(measure: () => Promise<Costs>): Promise<Costs> {
  const begun = performance.now();
  const times: Costs[] = [];
  while (times.length === 0 || performance.now() - begun < LONG) times.push(await measure());
  const medianOf = (cost: string): number => median(times.map((costs) => costs[cost] ?? Number.NaN));
  return Object.fromEntries(Object.keys(times[0] ?? {}).map((cost) => [cost, medianOf(cost)]));
}

function digits(value: number | null): string {
  return value === null ? '' : `${Number(value.toPrecision(2))}`;
}

function line(...[what = '', cost = '', ...cells]: readonly string[]): string {
  return what.padEnd(18) + cost.padEnd(30) + cells.map((cell) => cell.padStart(14)).join('');
}
