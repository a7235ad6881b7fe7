import { expect, test } from 'vitest';
import { monthChoices, noteTold } from '../../../commands/recap/models/month-choices.ts';
import { createRecapRepository } from '../../../commands/recap/models/stored.ts';
import { createLinks } from '../../../src/community/accounts/links.ts';
import { changeDocuments } from '../../../src/store/change.ts';
import { personalData } from '../../support/personal-data.ts';

const ANNA = '281474976710657001';

test.each([
  ['turned it on', { keeps: true, driver: 'k3nny', isOff: false }],
  ['turned it off', { keeps: true, driver: null, isOff: true }],
  ['was told', { keeps: true, driver: null, isOff: false }],
] as const)('exports and forgets that a person %s', async (_what, choice) => {
  const { documents, fileOf, forget } = personalData();
  await createLinks(documents).set(ANNA, { username: 'k3nny', since: 0 });
  await changeDocuments(documents, async ({ write }) => write(monthChoices, ANNA, choice));
  expect(await fileOf(ANNA)).toMatchObject({ keepsMonths: choice });
  await forget(ANNA);
  expect(await fileOf(ANNA)).toMatchObject({ keepsMonths: null });
  // A notice that was under way notes nothing of a person who was forgotten.
  await noteTold(documents, ANNA);
  expect(await documents.naming(ANNA)).toEqual([]);
});

test('exports and forgets who turned the posts on, which stay', async () => {
  const { documents, fileOf, forget } = personalData();
  const repository = createRecapRepository(documents);
  const choice = { channel: '8', isWeekly: true, isMonthly: true, locale: 'en-GB', since: 0 };
  await repository.choose('1', { ...choice, madeBy: ANNA });
  expect(await fileOf(ANNA)).toMatchObject({ recapPosts: [{ guild: '1' }] });
  await forget(ANNA);
  expect(await fileOf(ANNA)).toMatchObject({ recapPosts: [] });
  expect(await repository.postsIn('1')).toMatchObject({ channel: '8' });
});
