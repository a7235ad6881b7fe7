/** Notices of paused alerts, over documents that a process reads once. */
import { expect, test } from 'vitest';
import { createPauseNotices } from '../../../src/features/alerts/pause-notices.ts';
import { readOnce } from '../../../src/store/read-once.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { createManualClock } from '../../support/manual-clock.ts';

test('takes a notice once, whenever it was left', async () => {
  const notices = createPauseNotices(readOnce(documentsInMemory(), createManualClock()));
  expect(await notices.take('1')).toBeNull();
  await notices.leave('1', 'closed');
  expect(await notices.take('1')).toBe('closed');
  expect(await notices.take('1')).toBeNull();
  await Promise.all([notices.take('1'), notices.leave('1', 'gone')]);
  expect(await notices.take('1')).toBe('gone');
});
