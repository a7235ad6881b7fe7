/** What people are told of the past, by commands over a recorder that was killed and servers that were away. */
import { describe, expect, test } from 'vitest';
import seen from '../../commands/drivers/seen.ts';
import top from '../../commands/drivers/top.ts';
import forget from '../../commands/people/forget-me.ts';
import privacy from '../../commands/people/privacy.ts';
import unlink from '../../commands/people/unlink.ts';
import { MINUTE } from '../../src/base/duration.ts';
import { UserError } from '../../src/base/errors.ts';
import { languages } from '../../src/base/languages.ts';
import { writeCustomId } from '../../src/cards/kit/custom-id.ts';
import { tellButtons } from '../../src/cards/kit/tell-buttons.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { createHiddenDrivers } from '../../src/community/accounts/hidden-drivers.ts';
import { allCoverage, createQuestions } from '../../src/community/history/questions.ts';
import {
  type RecordedHistory,
  recordedHistory,
  START,
} from '../community/history/support/recorded-history.ts';
import { aboutBot } from '../support/about-bot.ts';
import { breaches } from '../support/embed-limits.ts';
import { noNames } from '../support/no-names.ts';
import { peopleInMemory } from '../support/people.ts';
import { press } from '../support/press.ts';
import { rowsOf } from '../support/readable.ts';
import { createTranslators } from '../support/translators.ts';

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

function setUp({
  isShared = false,
  ...operator
}: {
  hidden?: readonly string[];
  shown?: readonly string[];
  isShared?: boolean;
} = {}) {
  const past = recordedHistory();
  const people = peopleInMemory({ history: past.store, shown: operator.shown ?? [], isShared });
  const { links } = people.store;
  /** How long ago everything happened. */
  const later = { ms: 0 };
  const hidden = createHiddenDrivers(
    links,
    { hidden: [], shown: [], ...operator },
    { now: () => past.time.clock.now() + later.ms },
  );
  const history = createQuestions({
    store: past.store,
    clock: past.time.clock,
    isHidden: hidden.isHidden,
    coverage: allCoverage,
  });
  const contextOf = (id: string, locale = 'en-GB'): Context => ({
    ...people,
    service: past.service,
    history,
    hidden,
    expectPicture: () => {},
    t: createTranslators()(locale),
    person: { id, guildId: '1', channelId: '7', mayManage: false, locale },
    now: past.time.clock.now(),
    sentAt: past.time.clock.now(),
    recentNames: noNames,
    bot: aboutBot(),
  });
  return { past, people, links, hidden, later, contextOf };
}

async function drive(
  { time, drivers }: RecordedHistory,
  minutes: number,
  ...names: readonly string[]
): Promise<void> {
  for (const name of names) drivers.set(name, {});
  await time.pass(minutes * MINUTE);
  for (const name of names) drivers.delete(name);
  await time.pass(5 * MINUTE);
}

function textOf({ embeds = [], content = '' }: Reply): string {
  const parts = embeds.flatMap(({ title, description, fields = [] }) => [
    title,
    description,
    ...fields.map(({ name, value }) => `${name}\n${value}`),
  ]);
  return [content, ...parts].join('\n');
}

const ids = ({ components = [] }: Reply): readonly string[] =>
  components.flatMap((row) =>
    row.components.flatMap((each) => ('custom_id' in each ? [each.custom_id] : [])),
  );

test('/seen says where somebody is or was, and that an outage is not a logout', async () => {
  const { past, contextOf } = setUp();
  const first = await past.start();
  await past.time.pass(MINUTE);
  await drive(past, 30, 'Ann');
  past.drivers.set('Ann', {});
  await past.time.pass(20 * MINUTE);
  first.kill();
  await past.time.pass(15 * MINUTE);
  await past.start();
  await past.time.pass(10 * MINUTE);
  const ask = (player: string) => seen.run({ player }, contextOf(ANNA));
  const online = textOf(await ask('ann'));
  expect(online).toMatch(/🟢 On \*\*One\*\* since <t:\d+:t>/);
  expect(online).toMatch(/No data for 15\u00a0min of this period/);
  expect(online).not.toContain('Training');
  past.drivers.clear();
  past.drivers.set('Ben', {});
  await past.time.pass(5 * MINUTE);
  const away = textOf(await ask('Ann'));
  expect(away).toContain("I can't see who is on **Events** and **Training**.");
  // The way back to where *Sessions* was pressed, and no list of one.
  const ids = rowsOf(await ask('Ann')).flatMap((row) => row.components.map(({ custom_id }) => custom_id));
  expect(ids).toEqual([
    expect.stringMatching(/profile:overview.*Ann/),
    expect.stringMatching(/seen:/),
    ...tellButtons('driver', 'Ann', contextOf(ANNA).t).map(writeCustomId),
  ]);
  expect(away).toMatch(/⚪ Last seen <t:\d+:R> on \*\*One\*\*, for 45\u00a0min/);
  expect(away.match(/<t:\d+:d> <t:\d+:t> · One/g)).toHaveLength(2);
  await expect(ask('Nobody')).rejects.toThrow(/I know nothing about \*\*Nobody\*\*/);
  await expect(ask('Nobody')).rejects.toMatchObject({ unknownName: 'Nobody' });
});

test('/seen says where somebody is of whom nothing has been recorded yet', async () => {
  const { past, contextOf } = setUp();
  past.drivers.set('Ann', {});
  expect(textOf(await seen.run({ player: 'Ann' }, contextOf(ANNA)))).toMatch(/🟢 .*\*\*One\*\*/);
});

test('/seen takes no outage for a logout, of whichever length', async () => {
  const { past, contextOf } = setUp();
  await past.start();
  await past.time.pass(MINUTE);
  past.drivers.set('Ann', {});
  await past.time.pass(20 * MINUTE);
  past.file.down = true;
  for (const minutes of [2, 10]) {
    await past.time.pass(minutes * MINUTE);
    const card = textOf(await seen.run({ player: 'Ann' }, contextOf(ANNA)));
    expect(card).toMatch(/❔ Was on \*\*One\*\* <t:\d+:R>; I can't see that server right now/);
    expect(card).not.toContain('⚪');
  }
});

test('/seen counts what is missing over all the time that it names', async () => {
  const { past, contextOf } = setUp();
  const first = await past.start();
  await past.time.pass(3 * 60 * MINUTE);
  await first.stop();
  await past.time.pass(95 * MINUTE);
  await past.start();
  // Longer than minutes are kept.
  await past.time.pass(52 * 60 * MINUTE);
  past.drivers.set('Ann', {});
  await past.time.pass(20 * MINUTE);
  const card = textOf(await seen.run({ player: 'Ann' }, contextOf(ANNA)));
  expect(card).toContain(`I have data since <t:${START / 1000}:d>.`);
  expect(card).toMatch(/No data for 1\u00a0h\u00a035 of this period/);
});

test('/top says since when it counts: so many days ago, or the first reading', async () => {
  const { past, contextOf } = setUp();
  const first = await past.start();
  await past.time.pass(MINUTE);
  await drive(past, 30, 'Ann');
  const cardOf = async (span: 'week' | 'all') =>
    textOf(await top.run({ by: 'playtime', span }, contextOf(ANNA)));
  expect(await cardOf('week')).toContain(`Since <t:${START / 1000}:d>.`);
  await first.stop();
  await past.time.pass(8 * 24 * 60 * MINUTE);
  await past.start();
  await drive(past, 30, 'Ann');
  const now = Math.floor(past.time.clock.now() / 1000);
  expect(await cardOf('week')).toContain(`Since <t:${now - 7 * 24 * 60 * 60}:d>.`);
  const all = await cardOf('all');
  expect(all).toContain('Time online · All data');
  expect(all).toContain(`Since <t:${START / 1000}:d>.`);
});

test.for([
  ['that stands still', null],
  ['kept from before an outage', 'unavailable'],
] as const)('/seen does not take a file %s for where somebody is', async ([, stale]) => {
  const { past, contextOf } = setUp();
  await past.start();
  await past.time.pass(MINUTE);
  for (const name of ['Ann', 'Ben']) past.drivers.set(name, {});
  await past.time.pass(20 * MINUTE);
  const before = past.time.clock.now();
  const kept = { time: before / 1000, players: { 1: { un: 'Ann' }, 2: { un: 'Ben' } } };
  const service: Context['service'] = {
    get: async ({ response }) => ({ record: response.parse(kept), asOf: before, stale }),
  };
  past.drivers.delete('Ann');
  await past.time.pass(10 * MINUTE);
  const card = textOf(await seen.run({ player: 'Ann' }, { ...contextOf(ANNA), service }));
  expect(card).toMatch(/⚪ Last seen <t:\d+:R> on \*\*One\*\*/);
});

test("/seen counts the usual hours in the reader's time zone", async () => {
  const { past, contextOf } = setUp();
  const context = contextOf(ANNA);
  await past.start();
  await past.time.pass(MINUTE);
  await drive(past, 30, 'Ann');
  await context.store.timeZones.set(ANNA, 'Asia/Kolkata');
  const inZone = (zone: string) => (zone === 'Asia/Kolkata' ? 20 : 4);
  const usualHours: Context['history']['usualHours'] = async (_driver, zone) => ({
    days: 9,
    hours: Array.from({ length: 24 }, (_hour, hour) => (hour === inZone(zone) ? 8 : 0)),
  });
  const { history } = context;
  const card = await seen.run({ player: 'Ann' }, { ...context, history: { ...history, usualHours } });
  const [, from, to] = /<t:(\d+):t>–<t:(\d+):t>/.exec(textOf(card)) ?? [];
  const clock = (seconds = '') => new Date(Number(seconds) * 1000).toISOString().slice(11, 16);
  // India is five and a half hours ahead.
  expect([clock(from), clock(to)]).toEqual(['14:30', '15:30']);
  // There may be no data for some of the last days.
  expect(textOf(card)).toContain(', on up to 8 of 9 days');
});

test('/seen says why it knows nothing: just begun, no names in the files, never seen', async () => {
  const { past, contextOf } = setUp();
  const ask = () => seen.run({ player: 'Ann' }, contextOf(ANNA));
  await expect(ask()).rejects.toThrow(/only just begun/);
  await past.start();
  past.file.names = false;
  past.drivers.set('Ann', {});
  await past.time.pass(5 * MINUTE);
  await expect(ask()).rejects.toThrow(/don't name their drivers/);
  const list = textOf(await top.run({ by: null, span: null }, contextOf(ANNA)));
  expect(list).toMatch(/don't name their drivers/);
});

test("/top ranks with ties, leaves hidden drivers out, and shows one's own rank alone", async () => {
  const { past, links, hidden, contextOf } = setUp();
  await past.start();
  await past.time.pass(MINUTE);
  await drive(past, 30, 'Ann', 'Ben');
  await drive(past, 15, 'Cleo');
  await links.set(ANNA, { username: 'Cleo', since: 0 });
  await links.set(BORIS, { username: 'Ben', since: 0 });
  const ask = () => top.run({ by: 'playtime', span: 'week' }, contextOf(ANNA));
  const shown = await ask();
  expect(textOf(shown)).toMatch(/🥇 Ann {2}30 min\n🥇 Ben {2}30 min\n🥉 Cleo 15 min/);
  expect(ids(shown)).toContain('1:top:mine:playtime.week');
  const own = await press(top, { action: 'mine', subject: 'playtime.week' }, contextOf(ANNA));
  expect(own.ephemeral).toBe(true);
  expect(own.content).toMatch(/\*\*Cleo\*\* is number 3 of 3: 15\u00a0min\n15\u00a0min behind number 1/);
  await hidden.setPrivacy(BORIS, { hidden: true });
  expect(textOf(await ask())).not.toContain('Ben');
  const none = await press(top, { action: 'mine', subject: 'playtime.week' }, contextOf(BORIS));
  expect(none.content).toMatch(/You have hidden your driver/);
});

test('a driver hides and shows itself below /privacy, and nobody hides another', async () => {
  const { past, links, contextOf } = setUp();
  await past.start();
  await past.time.pass(MINUTE);
  await drive(past, 10, 'Ann');
  await links.set(ANNA, { username: 'Ann', since: 0 });
  const seenBy = (id: string) =>
    seen.run({ player: 'Ann' }, contextOf(id)).then(textOf, (error: Error) => error.message);
  expect(ids(await privacy.run({}, contextOf(ANNA)))).toContain('1:privacy:hide:Ann');
  // Boris has no such button; he makes one.
  await expect(press(privacy, { action: 'hide', subject: 'Ann' }, contextOf(BORIS))).rejects.toThrow(
    UserError,
  );
  expect(await seenBy(BORIS)).toMatch(/Last seen/);
  const done = await press(privacy, { action: 'hide', subject: 'Ann' }, contextOf(ANNA));
  expect(done.content).toMatch(/\*\*Ann\*\* is hidden/);
  // No date, which would look like that of a last visit.
  expect(await seenBy(BORIS)).toMatch(/^[^<\d]*yet, or hidden\.$/);
  const own = await seen.run({ player: 'ann' }, contextOf(ANNA));
  expect(own.ephemeral).toBe(true);
  expect(own.content).toContain('You have hidden your driver **Ann**');
  expect(ids(own)).toEqual(['1:privacy:show:Ann']);
  await expect(press(privacy, { action: 'show', subject: 'Ann' }, contextOf(BORIS))).rejects.toThrow(
    UserError,
  );
  await press(privacy, { action: 'show', subject: 'Ann' }, contextOf(ANNA));
  expect(await seenBy(BORIS)).toMatch(/Last seen/);
  await press(privacy, { action: 'hide', subject: 'Ann' }, contextOf(ANNA));
  expect((await unlink.run({ user: null }, contextOf(ANNA))).content).toMatch(/no longer hidden/);
  expect(await seenBy(BORIS)).toMatch(/Last seen/);
});

test('the file of /privacy has every time as a date', async () => {
  const { past, people, links, contextOf } = setUp();
  const now = past.time.clock.now();
  await links.set(ANNA, { username: 'Ann', since: now });
  await people.store.proofs.begin(ANNA, { username: 'Ann', card: 'app/secret', locale: 'de' }, now);
  const [file] = (await privacy.run({}, contextOf(ANNA))).files ?? [];
  const exported = String(file && 'text' in file ? file.text : '');
  expect(exported.split(JSON.stringify(new Date(now).toISOString())).length - 1).toBe(2);
  expect(exported).not.toMatch(/: \d{12}|^ +\d{12}/m);
});

test('an old button of /privacy says that the driver is unlinked, and hides nobody', async () => {
  const { links, contextOf } = setUp({ shown: ['fixed'] });
  const hide = () => press(privacy, { action: 'hide', subject: 'Ann' }, contextOf(ANNA));
  await links.set(ANNA, { username: 'Ben_2', since: 0 });
  await expect(hide()).rejects.toThrow(
    /^That was for \*\*Ann\*\*; your account is now linked to \*\*Ben\\_2\*\*/,
  );
  await links.remove(ANNA);
  await expect(hide()).rejects.toThrow(/Link yours once/);
  await links.set(ANNA, { username: 'Fixed', since: 0 });
  const fixed = () => press(privacy, { action: 'hide', subject: 'Fixed' }, contextOf(ANNA));
  await expect(fixed()).rejects.toThrow(/^\*\*Fixed\*\* cannot be hidden/);
  expect((await links.linked()).filter(({ hidden }) => hidden)).toEqual([]);
});

test('the operator has the last word, in both directions', async () => {
  const { past, links, contextOf } = setUp({ hidden: ['BEN'], shown: ['ann'] });
  await past.start();
  await past.time.pass(MINUTE);
  await drive(past, 10, 'Ann');
  await links.set(ANNA, { username: 'Ann', since: 0 });
  await links.set(BORIS, { username: 'Ben', since: 0 });
  await links.setPrivacy(ANNA, { hidden: true });
  const { content, components } = await privacy.run({}, contextOf(ANNA));
  expect(content).toMatch(/cannot be hidden/);
  expect(JSON.stringify(components)).not.toContain('privacy:hide');
  await expect(press(privacy, { action: 'hide', subject: 'Ann' }, contextOf(ANNA))).rejects.toThrow(
    UserError,
  );
  expect(textOf(await seen.run({ player: 'Ann' }, contextOf(BORIS)))).toMatch(/Last seen/);
  expect((await privacy.run({}, contextOf(BORIS))).content).toMatch(/hidden by the bot's operator/);
  await expect(press(privacy, { action: 'show', subject: 'Ben' }, contextOf(BORIS))).rejects.toThrow(
    UserError,
  );
});

describe('/forget-me', () => {
  const DAYS = 24 * 60 * MINUTE;

  /** Ann and Ben have driven; Anna's account is linked to Ann, and `ask` is what she is told after so many days. */
  async function linked(operator: { shown?: readonly string[] } = {}) {
    const all = setUp(operator);
    const { past, links, contextOf } = all;
    await past.start();
    await past.time.pass(MINUTE);
    await drive(past, 10, 'Ann', 'Ben');
    const begun = past.time.clock.now();
    await links.set(ANNA, { username: 'Ann', since: begun });
    const at = (days: number, id = ANNA, locale = 'en-GB'): Context => ({
      ...contextOf(id, locale),
      now: begun + days * DAYS,
    });
    const confirmed = (days: number, id = ANNA) =>
      press(forget, { action: 'confirm', subject: id }, at(days, id));
    const knows = (player: string) =>
      seen.run({ player }, contextOf(BORIS)).then(
        () => true,
        (error: unknown) => (error instanceof UserError ? false : Promise.reject(error)),
      );
    return { ...all, at, confirmed, knows };
  }

  test('deletes what was recorded of the driver once the link has stood for 30 days', async () => {
    const { at, confirmed, knows } = await linked();
    const question = await forget.run({}, at(30));
    expect(question.content).toContain('what I recorded about that driver');
    expect(ids(question)).toEqual([`1:forget-me:confirm:${ANNA}`]);
    expect((await confirmed(30)).content).toBe(
      'Everything is deleted. I no longer store anything about your account. I also clean the backups, within ten minutes.',
    );
    expect([await knows('Ann'), await knows('Ben')]).toEqual([false, true]);
  });

  test.each([
    ['a file: they are clean in ten minutes', false, 'I also clean the backups, within ten minutes.'],
    ['a database: its operator', true, "The bot's operator decides how long backups of the database last."],
  ] as const)('and /privacy say what becomes of copies of %s', async (_whose, isShared, sentence) => {
    const { links, contextOf } = setUp({ isShared });
    const ask = () => forget.run({}, contextOf(ANNA));
    const nothing = await ask();
    await links.set(ANNA, { username: 'Ann', since: 0 });
    const answers = [nothing, await privacy.run({}, contextOf(ANNA)), await ask()];
    const done = await press(forget, { action: 'confirm', subject: ANNA }, contextOf(ANNA));
    for (const { content } of [...answers, done]) {
      expect(content).toContain(sentence);
      expect(content?.includes('ten minutes')).toBe(!isShared);
    }
  });

  test('by a younger link leaves it, says so before and after, and offers to hide it', async () => {
    const { past, links, hidden, later, at, confirmed, knows } = await linked();
    later.ms = 29.9 * DAYS;
    const question = await forget.run({}, at(29.9));
    const until = Math.floor((past.time.clock.now() + 30 * DAYS) / 1000);
    expect(question.content).toContain('I keep what I recorded about **Ann**');
    expect(question.content).toContain(`<t:${until}:f>`);
    expect(ids(question)).toEqual([`1:forget-me:rest:${ANNA}`, '1:link:prove:Ann', '1:privacy:hide:Ann']);

    await press(privacy, { action: 'hide', subject: 'Ann' }, at(29.9));
    expect(hidden.isHidden('Ann')).toBe(true);
    expect(ids(await forget.run({}, at(29.9)))).toEqual([`1:forget-me:rest:${ANNA}`, '1:link:prove:Ann']);

    // A button from before this rule.
    const done = await confirmed(29.9);
    expect(done.content).toContain('I keep what I recorded about **Ann**');
    expect(done.content).not.toMatch(/Everything is deleted/);
    expect(await links.of(ANNA)).toBeNull();
    expect([hidden.isHidden('Ann'), await knows('Ann')]).toEqual([false, true]);
  });

  test('deletes no more than was asked, also where the button is pressed weeks later', async () => {
    const { at, knows } = await linked();
    const done = await press(forget, { action: 'rest', subject: ANNA }, at(40));
    expect(done.content).toContain('I keep what I recorded about **Ann**');
    expect(await knows('Ann')).toBe(true);
  });

  test('linking the same driver again keeps the days; another driver or account does not', async () => {
    const { links, at, confirmed, knows } = await linked();
    const link = (id: string, username: string, days: number) =>
      links.set(id, { username, since: at(days).now });
    await link(ANNA, 'ANN', 29);
    await link(ANNA, 'Ben', 30);
    await confirmed(59);
    expect(await knows('Ben')).toBe(true);

    await link(ANNA, 'Ann', 60);
    await links.remove(ANNA);
    await link(BORIS, 'Ann', 89);
    await confirmed(118, BORIS);
    expect(await knows('Ann')).toBe(true);

    await link(BORIS, 'Ann', 120);
    await link(BORIS, 'ann', 149);
    await confirmed(150, BORIS);
    expect(await knows('Ann')).toBe(false);
  });

  test("an administrator cannot make a link older or delete another driver's history", async () => {
    const { links, confirmed, knows } = await linked();
    await links.correct(ANNA, { guild: '1', username: 'Ben', since: 0 });
    expect((await confirmed(29)).content).toContain('I keep what I recorded about **Ann**');
    await links.correct(BORIS, { guild: '1', username: 'Ben', since: 0 });
    await confirmed(60, BORIS);
    expect([await knows('Ann'), await knows('Ben')]).toEqual([true, true]);
  });

  test('leaves the history of a driver for whom the operator has decided', async () => {
    const { at, confirmed, knows } = await linked({ shown: ['ann'] });
    const question = await forget.run({}, at(90));
    expect(question.content).toContain('this driver cannot be hidden or deleted');
    expect(ids(question)).toEqual([`1:forget-me:rest:${ANNA}`]);
    expect((await confirmed(90)).content).toContain('this driver cannot be hidden or deleted');
    expect(await knows('Ann')).toBe(true);
  });

  test('fits into a message in every language', async () => {
    const { links, at } = await linked();
    await links.set(ANNA, { username: '*'.repeat(64), since: at(0).now });
    for (const language of languages) {
      const { content = '' } = await forget.run({}, at(1, ANNA, language));
      expect(content.length, language).toBeLessThan(2000);
    }
  });
});

test('cards of the past fit into Discord in every language', async () => {
  const { past, links, contextOf } = setUp();
  await past.start();
  await past.time.pass(MINUTE);
  const names = Array.from({ length: 40 }, (_name, index) => `${'W'.repeat(60)}${index}`);
  for (let turn = 0; turn < 3; turn += 1) await drive(past, 10, ...names);
  await links.set(ANNA, { username: names[0] ?? '', since: 0 });
  for (const language of languages) {
    const context = contextOf(ANNA, language);
    for (const reply of [
      await seen.run({ player: null }, context),
      await top.run({ by: null, span: null }, context),
      await top.run({ by: 'money', span: 'all' }, context),
    ])
      expect(breaches(reply), language).toEqual([]);
    const told = await privacy.run({}, context);
    expect(told.content?.length ?? 0, language).toBeLessThan(2000);
  }
});
