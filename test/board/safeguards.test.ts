/** Each safeguard switched off by itself: what it keeps away then happens, so the others do not stand in for it. */
import { expect, test } from 'vitest';
import { RIGHTS } from '../../src/board/channel.ts';
import type { Safeguards } from '../../src/board/safeguards.ts';
import { CHANNEL, createStage, OWNER, type Stage, textOf, versionOf } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

interface Case {
  readonly safeguard: keyof Safeguards;
  readonly without: string;
  /** Where chance decides whether it goes wrong, so many days are tried. */
  readonly seeds?: number;
  /** How often it went wrong. */
  readonly wrong: (changed: Partial<Safeguards>, seed: number) => Promise<number>;
}

async function create(stage: Stage, changed: Partial<Safeguards>) {
  const process = stage.start(changed);
  await stage.time.pass(100);
  const asked = { guildId: stage.chat.guildId, channelId: CHANNEL, madeBy: OWNER, locale: 'en' };
  return { process, created: process.boards.create(asked) };
}

const cases: readonly Case[] = [
  {
    safeguard: 'nonce',
    seeds: 30,
    without: 'a send that lands after we have looked for it becomes a second message',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      await create(stage, changed);
      // What fails is the send, not the look before it.
      while (stage.chat.requests.length === 0) await stage.time.pass(10);
      stage.chat.fault = 'reset';
      await stage.time.pass(SECOND);
      stage.chat.fault = null;
      await stage.time.pass(MINUTE);
      return stage.chat.seen.filter(({ by }) => by === 'send').length - 1;
    },
  },
  {
    safeguard: 'adoption',
    without: 'a board whose process was killed between send and store gets a second message',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      const { process } = await create(stage, changed);
      stage.chat.onCreated = () => process.kill();
      await stage.time.pass(20 * MINUTE);
      stage.chat.onCreated = null;
      stage.start(changed);
      await stage.time.pass(MINUTE);
      return stage.chat.alive(CHANNEL).length - 1;
    },
  },
  {
    safeguard: 'changeOnly',
    without: 'it is edited although nothing has changed',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      await stage.withBoard(changed);
      const before = stage.edits();
      await stage.time.pass(10 * MINUTE);
      return stage.edits() - before;
    },
  },
  {
    safeguard: 'oneEditInFlight',
    seeds: 10,
    without: 'an older state is shown after a newer one',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      await stage.withBoard(changed);
      stage.chat.fault = 'slow';
      for (let round = 0; round < 60; round += 1) {
        stage.world.version += 1;
        await stage.time.pass(2 * SECOND);
      }
      const shown = stage.chat.seen.map(({ content }) => versionOf(content) ?? 0);
      return shown.filter((version, index) => version < (shown[index - 1] ?? 0)).length;
    },
  },
  {
    safeguard: 'emptyGrace',
    without: 'one empty answer in a row of full ones empties the board',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      await stage.withBoard(changed);
      stage.world.blanks = 1;
      await stage.time.pass(MINUTE);
      return stage.chat.seen.filter(({ content }) => textOf(content).includes('0 drivers')).length;
    },
  },
  {
    safeguard: 'pauseOnLostRights',
    without: 'chat refuses more than ten requests in ten minutes',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      await stage.withBoard(changed);
      stage.chat.setRights(CHANNEL, RIGHTS.slice(0, 1));
      stage.world.version = 2;
      await stage.time.pass(10 * MINUTE);
      return Math.max(0, stage.chat.requests.filter(({ invalid }) => invalid).length - 10);
    },
  },
  {
    safeguard: 'lease',
    without: 'both copies edit the board',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      await stage.withBoard(changed);
      stage.start(changed);
      await stage.time.pass(MINUTE);
      const before = stage.edits();
      stage.world.version = 2;
      await stage.time.pass(MINUTE);
      return stage.edits() - before - 1;
    },
  },
  {
    safeguard: 'storedFirst',
    without: 'a killed process leaves a message that no setting knows of',
    async wrong(changed, seed) {
      const stage = createStage(seed);
      const { process } = await create(stage, changed);
      stage.chat.onCreated = () => process.kill();
      await stage.time.pass(MINUTE);
      stage.start(changed);
      await stage.time.pass(MINUTE);
      return stage.chat.alive(CHANNEL).length - (await stage.store.all()).length;
    },
  },
];

async function wrongs({ wrong, seeds = 1 }: Case, changed: Partial<Safeguards>): Promise<number> {
  let sum = 0;
  for (let seed = 1; seed <= seeds; seed += 1) sum += await wrong(changed, seed);
  return sum;
}

test.for(cases)('without $safeguard $without', async (one) => {
  expect(await wrongs(one, { [one.safeguard]: false })).toBeGreaterThan(0);
});

test.for(cases)('with $safeguard that never happens', async (one) => {
  expect(await wrongs(one, {})).toBe(0);
});
