/**
 * Three processes of one bot on one Redis, eight shards, guilds with a board each, and people who ask, while processes
 * are killed, stopped and added at random. `SHARDS_SECONDS` is for how long (4), `SHARDS_GUILDS` how many (24),
 * `SHARDS_SEED` repeats a run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { type DataService, startDataService } from '../../../src/sandbox/service/data-service.ts';
import { seeded } from '../../board/support/stage.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { createRedis } from '../../support/redis.ts';
import { hasRedis } from '../../support/requirements.ts';
import { type Copies, createCopies } from './copies.ts';
import { type Crowd, createCrowd } from './crowd.ts';
import { createWitness, type Witness } from './witness.ts';

const SHARDS = 8;
const MOST_COPIES = 4;
/** A guild is without a holder for no longer than this (ms): the claim of a process that was killed, the wait after a second crash, and the logins. */
const WITHOUT_HOLDER = 40_000;
/** After more crashes in a row, logins wait for longer than a test does. */
const MOST_KILLS = 2;
/** As long as Discord waits, and a little for answers that were promised (ms). */
const ANSWERED_WITHIN = 4000;
const guilds = Number(process.env['SHARDS_GUILDS'] ?? 24);
const seconds = Number(process.env['SHARDS_SECONDS'] ?? 4);
const seed = Number(process.env['SHARDS_SEED'] ?? Date.now() % 1_000_000);

interface Stage {
  readonly chat: LocalChat;
  readonly copies: Copies;
  readonly witness: Witness;
  readonly crowd: Crowd;
}

/** Everything runs until the test ends; in the live files something changes every second. */
async function openStage(random: () => number): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-shards-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const redis = await createRedis(folder);
  await redis.start();
  onTestFinished(() => redis.stop());
  const dataService: DataService = await startDataService();
  onTestFinished(() => dataService.close());
  const life = setInterval(() => dataService.advance(60), 1000);
  onTestFinished(() => clearInterval(life));
  const chat = await startChatServer({
    guilds,
    shards: SHARDS,
    maxConcurrency: SHARDS,
    identifySpacing: 5000,
  });
  const copies = createCopies({ chat, dataService, storeUrl: `redis://127.0.0.1:${redis.port}/0` }, random);
  onTestFinished(async () => {
    await copies[Symbol.asyncDispose]();
    await chat.close();
  });
  return { chat, copies, witness: createWitness(chat), crowd: createCrowd(chat, random) };
}

async function chaos({ copies }: Stage, random: () => number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  // The longest wait comes first: what a killed process held is free when its leases are over. Then something of each
  // kind, however short the run is.
  await copies.kill();
  await copies.add();
  await copies.stop();
  while (performance.now() < end) {
    await pause(random() * 4000);
    const choice = random();
    if (copies.running < 2 || (choice < 0.4 && copies.running < MOST_COPIES)) await copies.add();
    else if (choice < 0.7 && copies.killed < MOST_KILLS) await copies.kill();
    else await copies.stop();
  }
}

describe.runIf(hasRedis)('processes that share a bot (needs redis-server)', () => {
  test(
    `keep each board and answer each question once: seed ${seed}`,
    async () => {
      const random = seeded(seed);
      const stage = await openStage(random);
      const { copies, witness, crowd } = stage;
      await Promise.all([copies.add(), copies.add(), copies.add()]);
      await witness.allConnected(SHARDS);
      await crowd.makeBoards();
      const from = Date.now();
      const stopAsking = crowd.ask();
      await chaos(stage, random);
      await witness.allEdited(WITHOUT_HOLDER);
      stopAsking();
      await witness.allAnswered(copies.killedAt, ANSWERED_WITHIN);
      if (process.env['SHARDS_SECONDS'] !== undefined)
        console.table({ ...copies.figures, ...witness.figures(from) });

      // As text: of a list that should be empty, a report says only how long it is.
      const complaints = [...witness.complaints(copies.killedAt, from, WITHOUT_HOLDER), ...copies.complaints];
      expect(complaints.join('\n')).toBe('');
    },
    (seconds + 110) * 1000,
  );
});
