import { expect } from 'vitest';
import { createRoleRules } from '../../../commands/roles/models/role-rules.ts';
import { openFirst, test } from '../../store/sqlite/support.ts';

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

test('keeps the rules, the holders and the figures of version 1.0.0', async ({ place }) => {
  const { documents, stored } = await openFirst(place);
  expect(await stored(ANNA)).toMatchObject({ figures: { driver: 'k3nny', hours: 1, km: 2 } });
  const rules = createRoleRules(documents);
  expect(await rules.of('1')).toMatchObject([{ madeBy: ANNA, when: { kind: 'proved' } }]);
  expect(Object.keys(await rules.holders('1', '100000000000000001'))).toEqual([ANNA, BORIS]);
});
