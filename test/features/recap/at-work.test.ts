/** Recaps at work: which profiles they want, and in which process. */
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../src/base/duration.ts';
import { recap } from '../../../src/features/recap/feature.ts';
import { ANNA, botAtWork, resources, time } from '../../support/bot-at-work.ts';

test('kept months want their profiles in one process of several, until the end', async () => {
  const all = botAtWork();
  // The last day of March.
  time.stepWall(26 * DAY);
  await all.repositories.links.set(ANNA, { username: 'k3nny', since: 0 });
  const running = recap.create(all.parts, all.runtime);
  await running.requests.setKeptDriver(ANNA, 'k3nny');
  running.start();
  await time.pass(11 * MINUTE);
  expect(all.wanted()).toEqual(['profile k3nny']);
  all.state.holds = false;
  expect(all.wanted()).toEqual([]);
  all.state.holds = true;
  await time.until(resources.disposeAsync());
  expect(all.wanted()).toEqual([]);
});
