import { expect, test } from 'vitest';
import { createRoleFigures } from '../../../commands/roles/models/figures.ts';
import { createRoleRules } from '../../../commands/roles/models/role-rules.ts';
import { personalData } from '../../support/personal-data.ts';
import { newRule } from './support/roles-in-memory.ts';

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

test('exports and forgets rules, holders and figures; a rule stays without its maker', async () => {
  const { documents, fileOf, forget } = personalData();
  const rules = createRoleRules(documents);
  const rule = { ...newRule, madeBy: ANNA };
  const { madeBy: _madeBy, ...ownRule } = rule;
  const holder = { state: 'held', joined: '2026-01-01T00:00:00Z' } as const;
  const figures = { driver: 'k3nny', asOf: 1, hours: 1, km: 2, policeXp: null, licences: null };
  await rules.put('1', rule);
  await rules.setHolders('1', rule.role, { [ANNA]: holder, [BORIS]: holder });
  await createRoleFigures(documents).save(ANNA, figures);
  expect(await fileOf(ANNA)).toMatchObject({
    roles: { known: [{ guild: '1', role: rule.role, ...holder }], made: [{ guild: '1', ...ownRule }] },
    figures,
  });
  await forget(ANNA);
  expect(await fileOf(ANNA)).toMatchObject({ roles: null, figures: null });
  expect(await rules.of('1')).toEqual([{ ...rule, madeBy: '' }]);
  expect(await rules.holders('1', rule.role)).toEqual({ [BORIS]: holder });
});
