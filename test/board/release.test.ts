/** A process gives its boards up to another one, while Discord is slow or answers nothing. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { Done } from '../../src/board/channels.ts';
import { allBoards, CHANNEL, createStage, type Sabotage } from './support/stage.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const sleep = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => clock.after(ms, resolve));

/** Two processes, of which the first has an edit under way that takes so long. */
async function withEditUnderWay(takes: number, phase: number, answer?: Done) {
  const stage = createStage();
  let begun = 0;
  let isSlow = false;
  const slowly: Sabotage = {
    chat: (chat, { clock }) => ({
      ...chat,
      async edit(place, message) {
        if (!isSlow) return chat.edit(place, message);
        begun += 1;
        await sleep(clock, takes);
        return answer ?? chat.edit(place, message);
      },
    }),
  };
  const first = await stage.withBoard(slowly);
  stage.start();
  await stage.time.pass(MINUTE + phase);
  isSlow = true;
  stage.world.version = 2;
  while (begun === 0) await stage.time.pass(10);
  return { stage, first };
}

describe('a board that is given up', () => {
  // The store is compared every five seconds: one of these falls into the edit.
  test.for([0, 1, 2, 3, 4])('stores what its last edit showed (%i)', async (phase) => {
    const { stage, first } = await withEditUnderWay(3500, phase * SECOND);
    const begun = stage.time.clock.now();
    await first.stop();
    const [board] = await allBoards(stage.store);
    expect(board?.state.lastEdit).toBeGreaterThanOrEqual(begun - SECOND);
    expect(stage.version()).toBe(2);
  });

  test('is waited for four seconds at most', async () => {
    const { stage, first } = await withEditUnderWay(MINUTE, 0, { kind: 'lost', why: 'ECONNRESET' });
    const stopped = first.stop();
    await stage.time.pass(10 * SECOND);
    // The other one shows the newest state.
    expect(stage.version()).toBe(2);
    await stage.time.until(stopped);
  });
});

test('a board whose maker had their data deleted notifies no person that it pauses', async () => {
  const stage = createStage();
  const process = await stage.withBoard();
  await stage.time.pass(SECOND);
  await stage.store.change(CHANNEL, (settings) => ({ ...settings, madeBy: '' }));
  await stage.time.pass(10 * SECOND);
  stage.chat.setRights(CHANNEL, []);
  await stage.time.pass(MINUTE);
  expect((await allBoards(stage.store))[0]?.state.paused).toMatchObject({ why: 'rights', notified: true });
  expect(stage.chat.requests.filter(({ what }) => what === 'notify')).toEqual([]);
  expect((await process.boards.list(stage.chat.guildId))[0]?.errors).toEqual([]);
});
