import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { missingTimeText } from '../../../src/cards/history/coverage-lines.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

test.each([
  [10 * MINUTE - 1, null],
  [10 * MINUTE, '⚠️ No data for 10 min of this period.'],
  [2 * DAY - HOUR, '⚠️ No data for 47 h of this period.'],
  [2 * DAY, '⚠️ No data for 2 days.'],
])('of %i ms without data it says: %s', (ms, text) => {
  expect(missingTimeText(ms, t)?.replaceAll('\u00a0', ' ') ?? null).toBe(text);
});
