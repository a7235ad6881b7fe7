/**
 * What 10,000 alerts cost, by the rounds of one process over the file store: processor time, and how long the event loop
 * was blocked at once: `npm run bench -- alerts`.
 */
import { newWatchState } from '../../src/alerts/observe.ts';
import { createWatchRounds } from '../../src/alerts/rounds.ts';
import type { Condition, Watch } from '../../src/alerts/watch.ts';
import { statesByPlace, watchesByPlace } from '../../src/alerts/watches.ts';
import { MINUTE, SECOND } from '../../src/base/duration.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { change } from '../../src/store/change.ts';
import { sqlitePlace } from '../store/support.ts';
import { liveFile, servers } from '../support/records.ts';
import { channelWatch } from '../support/watches.ts';

const CHANNELS = 500;
const EACH = 20;
const ROUNDS = 8;

const place = await sqlitePlace();
const store = await place.open();
let now = Date.UTC(2026, 2, 5, 12);
/** How many drive on each server, and whether those who are watched are among them. */
let [driving, areThere] = [1, false];

/** A fifth of each kind; of cars and of the own driver, as many as there are alerts. */
function conditionOf(channel: number, at: number): Condition {
  const index = channel * EACH + at;
  const name = (['one', 'two', 'three', 'four'] as const)[at % 4] ?? 'one';
  const kinds: readonly Condition[] = [
    { kind: 'server', server: name, free: null, drivers: 2 + at },
    { kind: 'duty', duty: 'police', atLeast: 1 + at },
    { kind: 'driver', player: `driver ${index % 2000}` },
    { kind: 'car', vin: (46_656 + index).toString(36).padStart(5, '0').toUpperCase(), below: null },
    { kind: 'mine', player: `owner ${index}`, below: 50 },
  ];
  return kinds[at % kinds.length] ?? { kind: 'digest' };
}

function watchesIn(channel: number): readonly Watch[] {
  return Array.from({ length: EACH }, (_, at) =>
    channelWatch((2_000_000_000 + channel * EACH + at).toString(36), {
      place: { kind: 'channel', guild: `${channel % 50}`, channel: `${channel}`, role: null },
      condition: conditionOf(channel, at),
      atNight: true,
    }),
  );
}

await change(store.documents, async (transaction) => {
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    const key = `channel:${channel}`;
    await transaction.read(watchesByPlace, key);
    transaction.write(watchesByPlace, key, watchesIn(channel));
    await transaction.read(statesByPlace, key);
    const states = watchesIn(channel).map(({ id }) => [id, newWatchState] as const);
    transaction.write(statesByPlace, key, Object.fromEntries(states));
  }
});

function file(from: number) {
  const player = (at: number) => [
    `${at}`,
    { un: areThere ? `driver ${from + at}` : `other ${from + at}`, cop: true, u: at },
  ];
  const body = {
    n: 'One',
    t: now,
    ps: Object.fromEntries(Array.from({ length: driving }, (_, at) => player(at))),
  };
  return { record: { ...liveFile(body), time: null }, asOf: now };
}

let sent = 0;
const translatorFor = createTranslators();
const rounds = createWatchRounds({
  watches: store.watches,
  deliveries: store.deliveries,
  pauseNotices: store.pauseNotices,
  clock: { now: () => now, monotonic: () => now, after: () => () => {} },
  poll: {
    get facts() {
      const overview = servers({ one: { online: true, guests: driving, maxGuests: 900 } });
      const live = { one: file(0), two: file(500), three: file(1000), four: file(1500) };
      return { overview: { record: overview, asOf: now }, live, chat: null };
    },
    watch: () => () => {},
  },
  pastAt: () => {
    throw new Error('no digest is wanted');
  },
  holdsLease: () => true,
  unwatched: async () => new Set(),
  lookUp: async () => {},
  outages: async () => [],
  send: async () => {
    sent += 1;
    return 'sent';
  },
  translatorOf: async ({ locale }) => translatorFor(locale),
  doubtful: () => {},
});

/** Processor time, and the longest time between two turns of the event loop, both in ms. */
async function measured(work: () => Promise<unknown>): Promise<readonly [cpu: number, longest: number]> {
  let [isOver, longest] = [false, 0];
  let last = performance.now();
  const turn = (): void => {
    const at = performance.now();
    longest = Math.max(longest, at - last);
    last = at;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise(setImmediate);
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  isOver = true;
  turn();
  return [(user + system) / 1000, longest];
}

function print(what: string, all: readonly (readonly [cpu: number, longest: number])[]): void {
  const cpu = all.map((each) => each[0]).toSorted((a, b) => a - b);
  const middle = cpu[Math.floor(cpu.length / 2)] ?? Number.NaN;
  const cells = [middle, Math.max(...cpu), Math.max(...all.map((each) => each[1]))];
  console.log(what.padEnd(44), ...cells.map((cell) => cell.toFixed(1).padStart(9)));
}

async function pass(what: string, times: number, before: (index: number) => Promise<void> = async () => {}) {
  const all: (readonly [number, number])[] = [];
  for (let index = 0; index < times; index += 1) {
    now += 15 * SECOND;
    await before(index);
    all.push(await measured(rounds.round));
  }
  print(what, all);
}

console.log(`${CHANNELS * EACH} alerts, ms`.padEnd(44), ' CPU, p50', '      max', '  blocked');
await pass('the first round', 1);
await pass('a round in which nothing changes', ROUNDS);
await pass('a round after one alert was set again', ROUNDS, async (index) => {
  await store.watches.add({ watch: watchesIn(index)[0] ?? channelWatch('aaaaaa'), state: newWatchState });
});
now += 30 * MINUTE;
await pass('a round after half an hour', 1);
await pass('a round after two minutes', 7, async () => {
  now += 2 * MINUTE;
});
[driving, areThere] = [400, true];
await pass('a round in which most become true', 6);
console.log(`${sent} messages`);
const again: (readonly [number, number])[] = [];
for (let index = 0; index < ROUNDS; index += 1) {
  const watch = watchesIn(100 + index)[1] ?? channelWatch('aaaaaa');
  again.push(await measured(() => store.watches.add({ watch, state: newWatchState })));
}
print('one alert, set again', again);
await place.end();
