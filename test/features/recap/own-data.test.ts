import { expect, test } from 'vitest';
import { createRecapRepository } from '../../../src/features/recap/stored.ts';
import { personalData } from '../../support/personal-data.ts';

const ANNA = '281474976710657001';

test('exports and forgets whose months are kept', async () => {
  const { documents, fileOf, forget } = personalData();
  await createRecapRepository(documents).setKeptDriver(ANNA, 'k3nny');
  expect(await fileOf(ANNA)).toMatchObject({ keepsMonths: { keeps: true, driver: 'k3nny' } });
  await forget(ANNA);
  expect(await fileOf(ANNA)).toMatchObject({ keepsMonths: null });
});
