import { expect, test } from 'vitest';
import { createStage } from './support/stage.ts';

const TEN_MINUTES = 600_000;

/** Edits within ten minutes in which nothing happens. */
async function editsWith(guests: number): Promise<number> {
  const stage = createStage();
  Object.assign(stage.world, { guests, drivers: 7 });
  const process = await stage.withBoard();
  const before = stage.edits();
  for (let ms = 0; ms < TEN_MINUTES; ms += 1000) {
    await stage.time.pass(1000);
    expect(stage.text()).toContain('**10 driving**');
  }
  await process.stop();
  return stage.edits() - before;
}

test('a board stands still while overview and live file count differently', async () => {
  const agreeing = await editsWith(7);
  expect(await editsWith(8)).toBe(agreeing);
  // Of the times alone, once a minute.
  expect(agreeing).toBeLessThanOrEqual(13);
});
