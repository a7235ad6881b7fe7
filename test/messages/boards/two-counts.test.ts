import { expect, test } from 'vitest';
import { boardsInMemory } from './support/boards-in-memory.ts';

const TEN_MINUTES = 600_000;

/** Edits within ten minutes in which nothing happens. */
async function editsWith(guests: number): Promise<number> {
  const bot = boardsInMemory();
  Object.assign(bot.game, { guests, drivers: 7 });
  const process = await bot.withBoard();
  const before = bot.edits();
  for (let ms = 0; ms < TEN_MINUTES; ms += 1000) {
    await bot.time.pass(1000);
    expect(bot.text()).toContain('**10 driving**');
  }
  await process.stop();
  return bot.edits() - before;
}

test('a board stands still while overview and live file count differently', async () => {
  const agreeing = await editsWith(7);
  expect(await editsWith(8)).toBe(agreeing);
  // Of the times alone, once a minute.
  expect(agreeing).toBeLessThanOrEqual(13);
});
