/**
 * `npm run bench -- loop`: the longest time for which a piece of work has the event loop to itself, with a store of 1,000
 * servers and a year of weekly convoys (37 MB). In ms of processor time, so that other work on the machine hardly counts.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createConvoyRounds } from '../../commands/convoys/jobs/convoy-rounds.ts';
import { createConvoyRepository } from '../../commands/convoys/models/convoy-repository.ts';
import { systemClock as clock } from '../../src/base/clock.ts';
import { createRuns } from '../../src/base/runs.ts';
import { collections } from '../../src/bot/collections.ts';
import { createClient } from '../../src/service/client.ts';
import { live } from '../../src/service/endpoints.ts';
import { createTransport } from '../../src/service/transport/transport.ts';
import { createForgetter } from '../../src/store/forget.ts';
import { storeFormat } from '../../src/store/sqlite/format.ts';
import { openSqliteStores } from '../../src/store/sqlite/open.ts';
import { prepareFile } from '../../src/store/sqlite/prepare-file.ts';
import { noHistory } from '../support/no-history.ts';
import { costOf } from './cost.ts';

const HOUR = 3600_000;
const WEEK = 7 * 24 * HOUR;
const [SERVERS, WEEKS, PEOPLE] = [1000, 57, 15];
const NOW = Date.now();

const folder = mkdtempSync(join(tmpdir(), 'pitwall-bench-'));
const file = join(folder, 'store.sqlite');
fill();
console.log(`a store of ${(statSync(file).size / 1e6).toFixed(0)} MB`);
console.log('what                                    altogether, ms   longest on the loop, ms');

const silent = { debug() {}, info() {}, warn() {}, error: console.error, fatal: console.error };
let stores = await openSqliteStores(file, { clock, log: silent as never }, '');
await stores.close();
await show('start: the file is opened, before anybody waits', async () => {
  stores = await openSqliteStores(file, { clock, log: silent as never }, '');
});
const time = { now: NOW };
const rounds = createConvoyRounds({
  clockSkew: () => 0,
  stored: createConvoyRepository(stores.documents),
  boards: { syncMessage: async () => true },
  holds: () => true,
  history: noHistory.history,
  driversIn: async () => new Map(),
  remind: async () => true,
  ping: async () => true,
  keepEvent: async () => {},
  removeLeftEvents: async () => {},
  isClockRight: async () => true,
  isGone: () => false,
  now: () => time.now,
  random: Math.random,
  runs: createRuns(clock, console.error),
});
await show('start: the first cycle of convoys', () => rounds.round());
await show('an hour of cycles, a result every minute', async () => {
  for (const end = time.now + HOUR; time.now < end; time.now += 15_000) await rounds.round();
});
globalThis.gc?.();
console.log(`memory then: ${(process.memoryUsage().heapUsed / 1e6).toFixed(0)} MB of objects`);

const forgetter = createForgetter({
  store: stores,
  collections,
  forgetInCopies: async () => {},
  paysDebts: true,
  clock,
  log: silent,
});
// The first payment would begin by itself.
await forgetter.search('1');
await forgetter.pay();
await show('/forget-me: nothing is stored', () => forgetter.search('2'));
await show('/forget-me: of somebody who was at 57 convoys', () => forgetter.forget(person(3, 4)));
await show('/forget-me: the file is rewritten', () => forgetter.pay());
await forgetter.stop();
await stores.close();
rmSync(folder, { recursive: true });

const inOneName = (bytes: number): string => JSON.stringify({ players: { 1: { nn: 'x'.repeat(bytes) } } });
// A first run compiles the code, as in a bot that has read its files for a minute.
for (let run = 0; run < 20; run += 1)
  await showLive(null, JSON.stringify({ players: driversOf(`${run}`, 48) }));
await showLive('a live body of 10 MB: refused', inOneName(10_000_000));
await showLive('a live body of 512 KiB in one name, the largest', inOneName(520_000));
await showLive(
  'a live body of 500 new drivers, the most',
  JSON.stringify({ players: driversOf('new', 500) }),
);

/** So many drivers of whom nothing is known yet. */
function driversOf(name: string, count: number): object {
  const driver = (id: number) => ({ un: `${name} ${id}`, nn: `^1${name} ${id}`, l: 'Bridge', v: 'AB12C' });
  return Object.fromEntries(Array.from({ length: count }, (_, id) => [id, driver(id)]));
}

/** A live file over the real transport, from a process of its own. */
async function showLive(what: string | null, body: string): Promise<void> {
  const path = join(mkdtempSync(join(tmpdir(), 'pitwall-bench-')), 'status_two.json');
  writeFileSync(path, body);
  const script = `const body = require('node:fs').readFileSync(${JSON.stringify(path)});
    const server = require('node:http').createServer((_, response) => response.end(body));
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));`;
  const web = fork('-', [], { execArgv: ['-e', script] });
  const [port] = await once(web, 'message');
  const { layer, close } = createTransport({ url: `http://127.0.0.1:${port}`, key: 'akeyofabench' });
  const client = createClient({
    ...{ places: { game: 'drivesim', chatPath: 'chat_status' }, layer },
    ...{ onDrift: () => {}, onDiscoveredNames: () => {} },
  });
  const ask = () => client.get(live, { server: 'two' }).catch(() => null);
  await (what === null ? ask() : show(what, ask));
  await close();
  web.kill();
  rmSync(dirname(path), { recursive: true });
}

async function show(what: string, work: () => Promise<unknown>): Promise<void> {
  const { cpu, block } = await costOf(work);
  console.log(`${what.padEnd(44)}${cpu.toFixed(0).padStart(10)}${block.toFixed(1).padStart(26)}`);
}

function person(server: number, place: number): string {
  return `${281_474_976_710_657_000n + BigInt(server * 100 + place)}`;
}

/** As versions before the counts wrote it. */
function fill(): void {
  using database = prepareFile(file, storeFormat(''));
  const insert = database.prepare('INSERT INTO documents VALUES (?, ?, ?)');
  database.exec('BEGIN');
  for (let server = 0; server < SERVERS; server += 1) {
    const people = Array.from({ length: PEOPLE }, (_, place) => person(server, place));
    const plan = {
      title: 'Night run through the hills',
      server: 'two',
      zone: 'UTC',
      hours: 2,
      places: null,
      weekly: true,
      role: null,
    };
    const result = {
      there: people.map((one) => ({ person: one })),
      hidden: 0,
      peak: 20,
      known: true,
      holes: [],
      usual: 12,
    };
    const idOf = (week: number): string => String(1_700_000_000_000_000 + server * 1000 + week);
    const past = Array.from({ length: WEEKS }, (_, week) => ({
      ...{ id: idOf(week), title: plan.title, server: 'two' },
      ...{ at: NOW - (week + 1) * WEEK, result },
    }));
    // One of a thousand ends in each minute of the hour.
    const at = server < 60 ? NOW + server * 60_000 - 2 * HOUR - 300_000 : NOW + WEEK;
    const convoy = {
      ...plan,
      ...{
        id: idOf(99),
        channel: '8',
        madeBy: people[0],
        madeAt: NOW - WEEK,
        locale: 'en-GB',
        colours: true,
      },
      ...{ at, stage: 'open', since: NOW - WEEK, result: null, event: null },
    };
    const signUps = people.map((one) => ({ person: one, answer: 'in', remind: false }));
    insert.run('convoys', String(server), JSON.stringify([convoy]));
    insert.run('convoy-sign-ups', `${server}:${convoy.id}`, JSON.stringify(signUps));
    insert.run('convoy-results', String(server), JSON.stringify(past));
  }
  for (const name of ['convoys', 'convoy-sign-ups', 'convoy-results']) insert.run('versions', name, '1');
  database.exec('COMMIT');
}
