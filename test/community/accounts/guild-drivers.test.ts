import { expect, test } from 'vitest';
import { createGuildDrivers } from '../../../src/community/accounts/guild-drivers.ts';
import { createLinks } from '../../../src/community/accounts/links.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { countTurns } from '../../support/turns.ts';

test('a guild’s drivers are read in slices, and again only after a change', async () => {
  const documents = documentsInMemory();
  const links = createLinks(documents);
  for (let person = 0; person < 50; person += 1)
    await links.set(`${person}`, { username: `driver ${person}`, since: 0 });
  const hidden = new Set<string>();
  const drivers = createGuildDrivers(documents, (username) => hidden.has(username));
  await drivers.version();
  const turns = countTurns();
  const before = await drivers.in('g');
  expect(turns()).toBeGreaterThanOrEqual(50);
  expect(before.size).toBe(50);
  expect(await drivers.in('g')).toBe(before);
  hidden.add('driver 1');
  expect([before.get('1')?.isHidden, before.get('2')?.isHidden]).toEqual([true, false]);
  await links.set('50', { username: 'driver 50', since: 0 });
  expect((await drivers.in('g')).size).toBe(51);
});
