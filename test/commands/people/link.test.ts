import { expect, test } from 'vitest';
import profile from '../../../commands/drivers/profile.ts';
import link from '../../../commands/people/link.ts';
import unlink from '../../../commands/people/unlink.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';
import { titledDriver } from '../../support/readable.ts';
import { serviceOf } from '../../support/records.ts';

/** One store, used by any person in any guild. */
function setUp() {
  const people = peopleInMemory();
  return (id: string, guildId: string | null, mayManage = false): Context =>
    contextOf({
      service: serviceOf(),
      person: { id, guildId, mayManage },
      ...people,
    });
}

const driverOf = async (context: Context): Promise<string | undefined> =>
  titledDriver(await profile.run({ player: null, picture: null }, context));

test("a guild's manager can take a driver from its owner there, and both are told", async () => {
  const at = setUp();
  await link.run({ player: 'k3nny', user: null }, at('victim', 'home'));
  const stolen = await link.run({ player: 'k3nny', user: 'friend' }, at('thief', 'lair', true));
  expect(stolen.notices?.map(({ personId }) => personId).toSorted()).toEqual(['friend', 'victim']);
  for (const { content } of stolen.notices ?? []) expect(content).toContain('<@thief>');
  // The victim may be in no server with the friend.
  expect(stolen.notices?.find(({ personId }) => personId === 'victim')?.content).not.toContain('friend');

  expect(await driverOf(at('friend', 'lair'))).toBe('k3nny');
  await expect(driverOf(at('victim', 'lair'))).rejects.toThrow(UserError);
  for (const elsewhere of ['home', null]) {
    expect(await driverOf(at('victim', elsewhere))).toBe('k3nny');
    await expect(driverOf(at('friend', elsewhere))).rejects.toThrow(UserError);
  }
  // Linking again is not refused, and says what counts where it is done.
  const again = await link.run({ player: 'k3nny', user: null }, at('victim', 'lair'));
  expect(again.content).toMatch(/removed your driver|counts here/);
  expect((await link.run({ player: 'k3nny', user: null }, at('victim', 'home'))).content).not.toMatch(/here/);
});

test('a corrected member is notified, and can still link themselves elsewhere', async () => {
  const at = setUp();
  await link.run({ player: 'mad_max', user: null }, at('driver', 'home'));
  const set = await link.run({ player: 'k3nny', user: 'driver' }, at('boss', 'club', true));
  expect(set.notices).toMatchObject([{ personId: 'driver', content: expect.stringContaining('k3nny') }]);
  expect(await driverOf(at('driver', 'club'))).toBe('k3nny');
  expect(await driverOf(at('driver', 'home'))).toBe('mad_max');

  const removed = await unlink.run({ user: 'driver' }, at('boss', 'club', true));
  expect(removed.notices).toMatchObject([{ personId: 'driver' }]);
  await expect(driverOf(at('driver', 'club'))).rejects.toThrow(UserError);
  expect(await driverOf(at('driver', 'home'))).toBe('mad_max');
  expect((await unlink.run({ user: 'driver' }, at('boss', 'club', true))).notices).toEqual([]);
});

test('an administrator is not notified of what they have changed themselves', async () => {
  const at = setUp();
  await link.run({ player: 'k3nny', user: null }, at('boss', 'home'));
  const given = await link.run({ player: 'k3nny', user: 'driver' }, at('boss', 'club', true));
  expect(given.notices?.map(({ personId }) => personId)).toEqual(['driver']);
  for (const act of [link.run({ player: 'mad_max', user: 'boss' }, at('boss', 'club', true))])
    expect((await act).notices ?? []).toEqual([]);
  expect((await unlink.run({ user: 'boss' }, at('boss', 'club', true))).notices ?? []).toEqual([]);
});

test('nobody corrects others without the right, or outside of a guild', async () => {
  const at = setUp();
  for (const context of [at('neighbour', 'home'), at('boss', null, true)]) {
    await expect(link.run({ player: 'k3nny', user: 'driver' }, context)).rejects.toThrow(UserError);
    await expect(unlink.run({ user: 'driver' }, context)).rejects.toThrow(UserError);
  }
});

test('/unlink ends the running proof: its code, still in the name, links nobody', async () => {
  const context = setUp()('driver', null);
  const { links, proofs } = context.store;
  await link.run({ player: 'k3nny', user: null }, context);
  const card = { card: 'app/token', locale: 'en-GB' };
  const proof = await proofs.begin('driver', { ...card, username: 'k3nny' }, context.now);
  if (typeof proof === 'number') throw new Error('none may be begun');
  await unlink.run({ user: null }, context);
  expect([await links.of('driver'), await proofs.running('driver', context.now)]).toEqual([null, null]);
});

test('refuses a fourth proof within a day, and says when the next may begin', async () => {
  const context = setUp()('driver', null);
  const prove = (subject: string) => press(link, { action: 'prove', subject }, context);
  for (const player of ['k3nny', 'mad_max', 'old_timer']) await prove(player);
  await expect(prove('rokas')).rejects.toThrow(/three verifications in 24 hours/);
});

test('says that the earlier driver is shown again, unless the operator hides it', async () => {
  const context = setUp()('driver', null);
  for (const isHiddenAfter of [false, true]) {
    await link.run({ player: 'k3nny', user: null }, context);
    let asked = 0;
    const isHidden = () => {
      asked += 1;
      return asked === 1 || isHiddenAfter;
    };
    const hiding = { ...context, hidden: { ...context.hidden, isHidden } };
    const { content = '' } = await link.run({ player: 'mad_max', user: null }, hiding);
    expect(content.includes('**k3nny** is')).toBe(!isHiddenAfter);
  }
});
