/** Notices of paused alerts, over documents that a process reads once. */
import { expect, test } from 'vitest';
import { createPauseNotices } from '../../../../commands/alerts/jobs/pause-notices.ts';
import { newWatchState } from '../../../../commands/alerts/models/observe.ts';
import { createWatches } from '../../../../commands/alerts/models/watches.ts';
import { readOnce } from '../../../../src/store/read-once.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { directWatch } from '../support/watches.ts';

const watch = directWatch('aaaaaa', { person: '1' });

async function openNotices(isSoleWriter: boolean) {
  const documents = documentsInMemory();
  const clock = createManualClock();
  await createWatches(documents).add({ watch, state: newWatchState });
  return {
    clock,
    notices: createPauseNotices(readOnce(documents, clock, { isSoleWriter })),
    noticesOfOthers: createPauseNotices(documents),
  };
}

test('takes a notice once, whenever it was left', async () => {
  const { notices } = await openNotices(true);
  expect(await notices.take('1')).toBeNull();
  await notices.leave(watch, 'closed');
  expect(await notices.take('1')).toBe('closed');
  expect(await notices.take('1')).toBeNull();
  await Promise.all([notices.take('1'), notices.leave(watch, 'gone')]);
  expect(await notices.take('1')).toBe('gone');
});

test("takes another process's notice half a minute later, once", async () => {
  const { notices, noticesOfOthers, clock } = await openNotices(false);
  expect(await notices.take('1')).toBeNull();
  await noticesOfOthers.leave(watch, 'closed');
  // No command reads the store again so soon.
  expect(await notices.take('1')).toBeNull();
  clock.pass(30_001);
  expect(await notices.take('1')).toBe('closed');
  expect(await notices.take('1')).toBeNull();
});
