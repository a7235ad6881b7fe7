/** Recaps at work: which profiles they want, and in which process. */
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../src/base/duration.ts';
import { ANNA, botAtWork, NOON, resources, time } from '../../support/bot-at-work.ts';
import { openFeature } from '../../support/open-feature.ts';

test('linked drivers are wanted unasked in one process of several, until the end', async () => {
  const all = botAtWork();
  // The last day of March.
  time.stepWall(26 * DAY);
  const { links } = all.repositories;
  await links.set(ANNA, { username: 'k3nny', since: NOON - 4 * DAY });
  await links.set('8', { username: 'newcomer', since: NOON - 3 * DAY });
  await links.set('9', { username: 'refuser', since: 0 });
  const running = openFeature('recap', all.parts, all.runtime);
  await running.requests.months.set('9', false);
  running.start();
  await time.pass(11 * MINUTE);
  expect(all.wanted()).toEqual(['profile k3nny']);
  all.state.holds = false;
  expect(all.wanted()).toEqual([]);
  all.state.holds = true;
  await running.requests.months.set(ANNA, false);
  expect(all.wanted()).toEqual([]);
  await running.requests.months.set(ANNA, true);
  await time.pass(11 * MINUTE);
  expect(all.wanted()).toEqual(['profile k3nny']);
  await time.until(resources.disposeAsync());
  expect(all.wanted()).toEqual([]);
});
