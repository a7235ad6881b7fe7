/** Roles over a data service that answers 200 with nonsense: the real bot over the sandbox. */
import { expect, vi } from 'vitest';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { altered } from '../../support/altered.ts';
import { createBotWithin } from '../../support/bot-within.ts';
import { type Guest, guest, test } from '../../support/sandbox.ts';

const cop = { type: 'Cop', name: 'Police', validUntil: 0, revoked: false, expired: false, suspended: false };
const truck = { ...cop, type: 'Truck', name: 'Truck' };
const earned = { licenses: [truck, cop], stats: { driven_distance: 6_000_000 } };

/** What the service says of a driver instead of what is true. */
const nonsense: readonly ((profile: object, other: object) => object | string)[] = [
  (profile) => ({ ...profile, licenses: [null, 'x', 7], stats: { driven_distance: 'far' } }),
  (profile) => ({ ...profile, licenses: [{ ...cop, type: {}, name: [] }], stats: [] }),
  (profile) => ({ ...profile, licenses: undefined, stats: undefined }),
  (profile) => ({ ...profile, licenses: 'none', stats: { driven_distance: -5 } }),
  (_, other) => ({ ...other, licenses: [], stats: { driven_distance: 0 } }),
  () => '<html>busy</html>',
  () => 'Unkown user',
];

function holders({ members, roles }: LocalChat, name: string): readonly string[] {
  const role = roles.find((one) => one.name === name)?.id ?? '';
  return members.flatMap((member) => (member.roles.includes(role) ? [member.user.id] : []));
}

test('takes no role for nonsense from the service, and takes it for a real change', async ({
  chat,
  dataService,
}) => {
  await using between = await altered(dataService);
  await using bot = await createBotWithin(chat, dataService, { SERVICE_URL: between.url });
  const [maker, ...others] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined) throw new Error('the sandbox has too few people');
  const drivers = others
    .filter(({ id }) => !holders(chat, 'Police').includes(id) && !holders(chat, 'Recovery').includes(id))
    .slice(0, nonsense.length)
    .map((person, at) => ({ person, driver: dataService.drivers[at] ?? '' }));
  expect(drivers).toHaveLength(nonsense.length);
  const roleOf = (wanted: string): string => chat.roles.find(({ name }) => name === wanted)?.id ?? '';
  const rules = [
    { role: roleOf('Recovery'), requirement: 'licence', licence: 'cop', linked: true },
    { role: roleOf('Police'), requirement: 'km', 'at-least': 5000, linked: true },
  ];
  const lastRun = async (): Promise<number> =>
    Number(/<t:(\d+):R>/.exec((await maker.ask('roles list', {})).text)?.[1] ?? 0);
  /** Until all that is known by now has been looked at; a rule that is made once more is looked at soon. */
  const look = async (): Promise<void> => {
    const before = await lastRun();
    const again = async () => {
      for (const rule of rules) await maker.ask('roles add', rule);
      expect(await lastRun()).toBeGreaterThan(before);
    };
    await vi.waitFor(again, { timeout: 20_000, interval: 300 });
  };
  const read = async (ahead: number, who: readonly { readonly person: Guest; readonly driver: string }[]) => {
    await bot.stop();
    await bot.start(ahead);
    await look();
    for (const { person, driver } of who) await person.ask('profile', { player: driver });
    await look();
  };
  const before = { Recovery: holders(chat, 'Recovery'), Police: holders(chat, 'Police') };
  const theirs = (name: 'Recovery' | 'Police') =>
    holders(chat, name).filter((id) => !before[name].includes(id));
  const everyone = drivers.map(({ person }) => person.id).toSorted();
  let said: (driver: number, profile: object, other: object) => object | string = (_, profile) => ({
    ...profile,
    ...earned,
  });
  let other: object = {};
  between.alter = (path, asked, json) => {
    if (!path.endsWith('/profile/get') || typeof json !== 'object' || json === null) return null;
    const of = drivers.findIndex(({ driver }) => driver === asked.get('username'));
    const answer = said(of, json, other);
    other = json;
    return typeof answer === 'string' ? { text: answer } : { json: answer };
  };

  await bot.start();
  for (const { person, driver } of drivers) await person.ask('link', { player: driver });
  await look();
  await read(10 * MINUTE, drivers);
  await expect.poll(() => theirs('Recovery').toSorted()).toEqual(everyone);
  await expect.poll(() => theirs('Police').toSorted()).toEqual(everyone);

  said = (driver, profile, one) => nonsense[driver]?.(profile, one) ?? profile;
  await read(3 * HOUR, drivers);
  expect(theirs('Recovery').toSorted()).toEqual(everyone);
  expect(theirs('Police').toSorted()).toEqual(everyone);

  said = (_, profile) => ({ ...profile, licenses: [truck], stats: { driven_distance: 4_000_000 } });
  await read(6 * HOUR, drivers.slice(0, 1));
  expect(theirs('Recovery')).toHaveLength(everyone.length - 1);
  expect(theirs('Police')).toHaveLength(everyone.length - 1);
  expect(bot.output).not.toContain('"bug"');
}, 120_000);
