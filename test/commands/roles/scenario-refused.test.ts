/** Roles while Discord refuses, fails or is slow halfway: the real bot over the sandbox. */
import { expect, vi } from 'vitest';
import { createBotWithin } from '../../support/bot-within.ts';
import { readable } from '../../support/readable.ts';
import { guest, test } from '../../support/sandbox.ts';
import { tap } from '../../support/tap.ts';

const eventually = (work: () => unknown) => vi.waitFor(work, { timeout: 20_000, interval: 200 });

test('ends with the right members though requests are refused, limited or lost', async ({
  chat,
  dataService,
}) => {
  const between = await tap(chat);
  await using bot = await createBotWithin(chat, dataService, { DISCORD_API_URL: between.apiUrl });
  await bot.start();
  const [maker, ...others] = chat.people.map((id) => guest(chat, id));
  if (maker === undefined) throw new Error('the sandbox has too few people');
  const role = chat.roles.find(({ name }) => name === 'Recovery')?.id ?? '';
  const holders = () =>
    chat.members.flatMap(({ user, roles }) => (roles.includes(role) ? [user.id] : [])).toSorted();
  const before = holders();
  const drivers = others.filter(({ id }) => !before.includes(id)).slice(0, 6);
  for (const [at, person] of drivers.entries())
    await person.ask('link', { player: dataService.drivers[at] ?? '' });
  const changes = (wanted: string) =>
    chat.requests.filter(({ method, path }) => method === wanted && path.includes('/roles/'));
  const rule = { role, requirement: 'member-days', 'at-least': 1, linked: true };
  const isGift = (method: string, path: string) => method === 'PUT' && path.includes('/roles/');
  let asked = 0;
  /** So many gifts are let through, and those after them get that answer. */
  const refuseAfter = (count: number, answer: { readonly status: number; readonly code?: number }) => {
    asked = 0;
    between.answerFor((method, path) => {
      if (!isGift(method, path)) return null;
      asked += 1;
      return asked <= count ? null : answer;
    });
  };

  refuseAfter(2, { status: 500 });
  await maker.ask('roles add', rule);
  await eventually(() => expect(bot.output).toContain('Discord did not answer about roles'));
  expect(holders()).toHaveLength(before.length + 2);
  refuseAfter(2, { status: 403, code: 50_013 });
  await maker.ask('roles add', rule);
  await eventually(async () =>
    expect((await maker.ask('roles list', {})).text).toMatch(
      /6 qualify: <@\d+>(?:, <@\d+>){4} and 1 more · .*paused: I need/,
    ),
  );
  const notices = () => chat.visitor(maker.id).messages(chat.directChannel(maker.id)).map(readable);
  await eventually(() => expect(notices().filter((text) => text.includes('is paused'))).toHaveLength(1));
  refuseAfter(0, { status: 404, code: 10_011 });
  await maker.ask('roles add', rule);
  await eventually(async () =>
    expect((await maker.ask('roles list', {})).text).toContain('paused: this role no longer exists'),
  );
  expect([holders().length, changes('DELETE')]).toEqual([before.length + 4, []]);

  // Once each: that member has left, and Discord wants a pause.
  let gone = '';
  let isLimited = false;
  between.answerFor((method, path) => {
    if (!isGift(method, path)) return null;
    if (gone === '') gone = path;
    if (gone === path) return { status: 404, code: 10_007 };
    if (isLimited) return null;
    isLimited = true;
    return { status: 429, headers: { 'retry-after': '1', 'x-ratelimit-scope': 'shared' } };
  });
  await maker.ask('roles add', rule);
  await eventually(() => expect(holders()).toHaveLength(before.length + 5));
  between.answerFor(() => null);
  await maker.ask('roles add', rule);
  await eventually(() => expect(holders()).toHaveLength(before.length + 6));
  expect(changes('PUT')).toHaveLength(6);

  let taken = 0;
  between.answerFor((method, path) => {
    if (method !== 'DELETE' || !path.includes('/roles/')) return null;
    taken += 1;
    return taken === 3 ? { status: 403, code: 60_003 } : null;
  });
  await maker.press((await maker.ask('roles remove', { role })).message, 'Remove the role');
  await eventually(async () => expect((await maker.ask('roles list', {})).text).toContain('paused: I need'));
  await bot.crash();
  await bot.start();
  await eventually(() => expect(holders()).toEqual(before));
  expect((await maker.ask('roles list', {})).text).toContain('No rules yet');
  expect(changes('DELETE')).toHaveLength(6);
  expect(bot.output).not.toContain('"bug"');
  await between.close();
}, 120_000);
