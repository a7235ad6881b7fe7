/** Recaps at work: which profiles they want, and in which process. */
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../src/base/duration.ts';
import { ANNA, bot, NOON, time } from '../../support/bot-in-memory.ts';

test('linked drivers are wanted unasked in one process of several, until the end', async () => {
  const all = bot({ features: ['recap'] });
  // The last day of March.
  time.stepWall(26 * DAY);
  const { links } = all.repositories;
  await links.set(ANNA, { username: 'k3nny', since: NOON - 4 * DAY });
  await links.set('8', { username: 'newcomer', since: NOON - 3 * DAY });
  await links.set('9', { username: 'refuser', since: 0 });
  await all.core.hidden.refresh();
  const { months } = all.features.recap;
  await months.set('9', false);
  all.start();
  await time.pass(11 * MINUTE);
  expect(all.wanted()).toEqual(['profile k3nny']);
  all.state.holds = false;
  expect(all.wanted()).toEqual([]);
  all.state.holds = true;
  await months.set(ANNA, false);
  expect(all.wanted()).toEqual([]);
  await months.set(ANNA, true);
  await time.pass(11 * MINUTE);
  expect(all.wanted()).toEqual(['profile k3nny']);
  await time.until(all.resources.disposeAsync());
  expect(all.wanted()).toEqual([]);
});
