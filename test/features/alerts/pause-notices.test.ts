/** Notices of paused alerts, over documents that a process reads once. */
import { expect, test } from 'vitest';
import { createPauseNotices } from '../../../src/features/alerts/pause-notices.ts';
import { readOnce } from '../../../src/store/read-once.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function openNotices(isSoleWriter: boolean) {
  const documents = documentsInMemory();
  const clock = createManualClock();
  return {
    clock,
    notices: createPauseNotices(readOnce(documents, clock, { isSoleWriter })),
    noticesOfOthers: createPauseNotices(documents),
  };
}

test('takes a notice once, whenever it was left', async () => {
  const { notices } = openNotices(true);
  expect(await notices.take('1')).toBeNull();
  await notices.leave('1', 'closed');
  expect(await notices.take('1')).toBe('closed');
  expect(await notices.take('1')).toBeNull();
  await Promise.all([notices.take('1'), notices.leave('1', 'gone')]);
  expect(await notices.take('1')).toBe('gone');
});

test("takes another process's notice half a minute later, once", async () => {
  const { notices, noticesOfOthers, clock } = openNotices(false);
  expect(await notices.take('1')).toBeNull();
  await noticesOfOthers.leave('1', 'closed');
  // No command reads the store again so soon.
  expect(await notices.take('1')).toBeNull();
  clock.pass(30_001);
  expect(await notices.take('1')).toBe('closed');
  expect(await notices.take('1')).toBeNull();
});
