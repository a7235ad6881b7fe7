import { expect, test } from 'vitest';
import { createGuildMembers } from '../../../../commands/roles/models/guild-members.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

test('the strangers of one guild push out the answers of no other one', () => {
  const members = createGuildMembers({ member: async () => 'no-member' }, createManualClock());
  members.absent('small', '1', undefined);
  for (let stranger = 0; stranger <= 200_000; stranger += 1)
    members.absent('large', String(stranger), undefined);
  expect(members.isAbsent('small', '1', undefined)).toBe(true);
  expect(members.isAbsent('large', '0', undefined)).toBe(false);
  expect(members.isAbsent('large', '200000', undefined)).toBe(true);
});
