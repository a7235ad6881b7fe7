import { beforeEach, describe, expect, test } from 'vitest';
import watch from '../../../commands/alerts/watch.ts';
import privacy from '../../../commands/people/privacy.ts';
import timezone from '../../../commands/people/timezone.ts';
import { ServiceError, UserError } from '../../../src/base/errors.ts';
import { type Context, contextFor, type Person } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import { contextOf } from '../../support/context.ts';
import { press } from '../../support/press.ts';
import { rowsOf } from '../../support/readable.ts';
import { carJson, driverJson, liveJson, NOON, overviewJson, serviceOf } from '../../support/records.ts';

const anna: Person = { id: '11', guildId: '1', channelId: '7', mayManage: true, locale: 'en-GB' };
const boris: Person = { ...anna, id: '12', mayManage: false };

let bodies: Record<string, unknown>;
let context: Context;
const as = (person: Person): Context => ({ ...context, person });

beforeEach(() => {
  bodies = {
    profile: driverJson,
    car: carJson,
    overview: overviewJson,
    live: liveJson({ 1: { cop: true } }),
  };
  context = contextOf({
    service: serviceOf(({ endpoint, asked }) => {
      const isKnown = !/nobody/.test(JSON.stringify(asked));
      const body = bodies[endpoint];
      if (body !== undefined && isKnown) return body;
      throw new ServiceError(isKnown ? 'unavailable' : 'not-found', { endpoint, sent: 'yes' });
    }),
    person: anna,
  });
});

const nowhere = { channel: null, ping: null, 'at-night': null, outage: null, after: null };

function set(subcommand: string, given: object, who: Context = context): Promise<Reply> {
  const invocable = watch.subcommands[subcommand];
  if (invocable === undefined) throw new Error(`there is no ${subcommand}`);
  return invocable.run({ ...nowhere, ...given }, who);
}

const text = ({ content, embeds = [] }: Reply): string =>
  [
    content,
    ...embeds.flatMap(({ description, fields = [] }) => [description, ...fields.map(({ value }) => value)]),
  ].join('\n');

describe('/watch', () => {
  test.each([
    ['driver', { player: 'K3NNY' }, /\*\*k3nny comes online\*\*/],
    ['server', { server: 'two', free: 5, drivers: 10 }, /Two: at least 5 free slots or at least 10 drivers/],
    ['duty', { kind: 'police', 'at-least': 3 }, /Police on duty: at least 3/],
    ['duty', { kind: 'medic', 'at-least': 0 }, /No medic on duty/],
    ['car', { vin: 'AB12C', below: 40_000 }, /AB12C goes on sale below 40,000/],
  ])('%s %j says what is set, where it comes and how often', async (subcommand, given, expected) => {
    const { content } = await set(subcommand, given);
    expect(content).toMatch(expected);
    expect(content).toMatch(/direct messages: at most 6 a day.*40 minutes/);
    expect(content).toContain('At any hour. *My time zone* makes nights quiet.');
    expect(text(await set('list', {}))).toMatch(
      expected instanceof RegExp ? new RegExp(expected.source.replaceAll('\\*', '')) : '',
    );
  });

  test('says what is true already, and waits for the next time', async () => {
    expect((await set('car', { vin: 'AB12C', below: null })).content).toMatch(
      /True right now, so I'll tell you the next time: .*AB12C\*\* is for sale at 56,000/,
    );
    // The service answers with AB12C.
    expect((await set('car', { vin: 'XY99Z', below: null })).content).not.toContain('Already');
    expect((await set('duty', { kind: 'police', 'at-least': 1 })).content).toContain('Police on duty: **4**');
    expect((await set('duty', { kind: 'tow', 'at-least': 1 })).content).not.toContain('Already');
  });

  test('names the worst of many worn cars first, and how many more there are', async () => {
    await context.store.links.set('11', { username: 'k3nny', since: NOON });
    const cars = [34, 29.6, 41, 28.4, 33, 45, 48].map((condition, at) => ({
      vin: `CAR0${at}`,
      type: 'XRT',
      condition,
    }));
    bodies['profile'] = { ...driverJson, cars, licenses: [] };
    const { content } = await set('mine', { below: null });
    expect(content?.match(/CAR0\d/g)).toEqual(['CAR03', 'CAR01', 'CAR04', 'CAR00', 'CAR02']);
    expect(content).toContain('+2 more');
  });

  test('a digest has moved: its option leads to the posts of the community', async () => {
    const { content, components } = await set('digest', { channel: '7' });
    expect(content).toContain('`/recap` with `post`');
    expect(JSON.stringify(components)).toContain('"1:recap:offer:7"');
    expect((await context.features.alerts.list(anna)).here).toEqual([]);
  });

  test.each(['stop', 'snooze'])('*%s* below a digest that stands says what to use', async (action) => {
    const pressed = press(watch, { action, subject: 'aaaaaa' }, context);
    await expect(pressed).rejects.toThrow('`/recap` with `post`');
    const member = { ...context, person: { ...context.person, mayManage: false } };
    const byMember = press(watch, { action, subject: 'aaaaaa' }, member);
    await expect(byMember).rejects.toThrow('You need *Manage Server* for this.');
  });

  test('says where it cannot tell, and where it has to ask profiles', async () => {
    expect((await set('driver', { player: 'k3nny' })).content).toContain("don't say who is driving");
    delete bodies['live'];
    expect((await set('duty', { kind: 'police', 'at-least': 1 })).content).toContain(
      "I can't see the current state",
    );
  });

  test('a driver who is on a server is there, whatever an older profile says', async () => {
    bodies['profile'] = { ...driverJson, isOnline: false };
    bodies['live'] = liveJson({ 1: { un: 'k3nny' } });
    const { content } = await set('driver', { player: 'k3nny' });
    expect(content).toMatch(/True right now.*k3nny/);
    expect(content).not.toContain("don't say who is driving");
    bodies['live'] = liveJson({ 1: { un: 'milla' } });
    bodies['profile'] = { ...driverJson, isOnline: true };
    expect((await set('driver', { player: 'k3nny' })).content).not.toContain('True right now');
  });

  test('mine needs a linked driver', async () => {
    await expect(set('mine', { below: null })).rejects.toThrow(/Link yours once with `\/link`/);
    await context.store.links.set('11', { username: 'k3nny', since: NOON });
    expect((await set('mine', { below: 80 })).content).toMatch(
      /k3nny: a car below 80%.*\n[\s\S]*AB12C\*\*: condition 72%/,
    );
  });

  test('refuses an unknown name, a server without a number, and a ping without a channel', async () => {
    await expect(set('driver', { player: 'nobody' })).rejects.toMatchObject({ fault: 'not-found' });
    await expect(set('server', { server: 'one', free: null, drivers: null })).rejects.toThrow(
      /free.*drivers/,
    );
    await expect(set('duty', { kind: 'tow', 'at-least': null, ping: '99' })).rejects.toThrow(/channel/);
    expect(text(await set('list', {}))).toContain('No alerts yet');
  });

  test.each([
    ['person-full', /You already have 20 alerts/],
    ['channel-full', /This channel already has 20/],
    ['guild-full', /This server already has 200/],
    ['maker-full', /You already have 400 alerts in all.\nRemove one/],
    ['full', /The fault is on my side/],
  ] as const)('says which limit is reached: %s', async (kind, says) => {
    const alerts = { ...context.features.alerts, create: async () => ({ kind }) };
    const features = { ...context.features, alerts };
    await expect(set('driver', { player: 'k3nny' }, { ...context, features })).rejects.toThrow(says);
  });

  test.each([
    [
      'more free slots than there are',
      { one: { online: true, guests: 3, maxGuests: 12 } },
      { free: 13, drivers: null },
      /\*\*One\*\* has 12 slots, so this alert could never go off/,
    ],
    [
      'more drivers than fit',
      { one: { online: true, guests: 3, maxGuests: 1 } },
      { free: null, drivers: 2 },
      /\*\*One\*\* has 1 slot, so/,
    ],
    [
      'free slots of a server that does not say',
      { one: { online: true, guests: 3 } },
      { free: 1, drivers: null },
      /doesn't say how many slots \*\*One\*\* has/,
    ],
    [
      'free slots of a server that is up and that the overview leaves out',
      { two: { online: true, guests: 3, maxGuests: 12 } },
      { free: 1, drivers: null },
      /doesn't say how many slots \*\*One\*\* has/,
    ],
  ])('refuses %s at once', async (_what, overview, given, says) => {
    bodies['overview'] = overview;
    await expect(set('server', { server: 'one', ...given })).rejects.toThrow(says);
  });

  test.each([
    ['away', { one: { online: false } }],
    ['not listed just now', { two: { online: true, guests: 3, maxGuests: 12 } }],
    ['with as many', { one: { online: true, guests: 3, maxGuests: 40 } }],
  ])('takes an alert on a server that is %s', async (_what, overview) => {
    bodies['overview'] = overview;
    delete bodies['live'];
    expect((await set('server', { server: 'one', free: 13, drivers: null })).content).toContain('Alert set');
  });

  test.each([
    [
      'server',
      { server: 'two', free: null, drivers: null, outage: 'down' },
      /Two: down for 5\u00a0min or longer\*\*/,
    ],
    [
      'server',
      { server: 'one', free: null, drivers: null, outage: null, after: 20 },
      /One: down for 20\u00a0min or longer, and back/,
    ],
    ['service', { outage: 'back', after: 2 }, /Data service: back after 2\u00a0min or longer/],
  ])('%s %j is an alert on outages, with limits of its own', async (subcommand, given, expected) => {
    const { content } = await set(subcommand, given);
    expect(content).toMatch(expected);
    expect(content).toMatch(/at most 6 a day\.\n.*third outage in an hour/);
    expect(content).not.toContain('40 minutes');
  });

  test('an alert on outages is not one on slots', async () => {
    const given = { server: 'one', free: 1, drivers: null, outage: 'down' };
    await expect(set('server', given)).rejects.toThrow(/can't be combined/);
  });

  test('in a channel is for those who manage the server', async () => {
    const given = { kind: 'tow', 'at-least': 1, channel: '7', ping: '99', 'at-night': true };
    await expect(set('duty', given, as(boris))).rejects.toThrow(/Manage Server/);
    await expect(set('duty', given, as({ ...anna, guildId: null }))).rejects.toThrow(
      /server that has this bot/,
    );
    expect((await set('duty', given)).content).toMatch(/I'll post in <#7>: at most 12/);
    expect(text(await set('list', {}))).toMatch(/<#7> · pings <@&99> · at night too/);
    expect(text(await set('list', {}, as(boris)))).toContain('No alerts yet');
  });

  test('the same again replaces the earlier one, and there are twenty at most', async () => {
    for (let round = 0; round < 3; round += 1) await set('duty', { kind: 'tow', 'at-least': 1 });
    for (let count = 2; count <= 20; count += 1) await set('duty', { kind: 'tow', 'at-least': count });
    await expect(set('duty', { kind: 'tow', 'at-least': 21 })).rejects.toThrow(/already have 20/);
    expect((await context.features.alerts.list(anna)).own).toHaveLength(20);
  });

  test('in a channel is there once, whoever of those who manage the server sets it again', async () => {
    const given = { kind: 'tow', 'at-least': 1, channel: '7' };
    await set('duty', given);
    await set('duty', { ...given, ping: '99' }, as({ ...boris, mayManage: true }));
    await set('duty', { ...given, channel: '8' });
    const { here } = await context.features.alerts.list(anna);
    expect(here.map(({ person, place }) => [person, place])).toEqual([
      ['12', { kind: 'channel', guild: '1', channel: '7', role: '99' }],
      ['11', { kind: 'channel', guild: '1', channel: '8', role: null }],
    ]);
  });

  test('the list and its menu number the alerts: two channels may have the same one', async () => {
    await set('duty', { kind: 'medic', 'at-least': 1 });
    await set('duty', { kind: 'tow', 'at-least': 1, channel: '7' });
    await set('duty', { kind: 'tow', 'at-least': 1, channel: '8' });
    const list = await set('list', {});
    expect(text(list)).toMatch(/^1\. Medics.*\n\n\*\*This server's\*\*\n2\. Tow.*<#7>\n3\. Tow.*<#8>$/m);
    const menus = rowsOf(list).map(({ components }) => components[0]);
    expect(menus.map((menu) => menu?.options?.map(({ description }) => description))).toEqual([
      ['1.', '2.', '3.'],
    ]);
    expect(menus[0]?.placeholder).toBe('Choose an alert…');
  });

  test('one of the list can be snoozed and removed, and leads back to its page', async () => {
    for (let at = 0; at < 16; at += 1)
      await set('duty', { kind: 'tow', 'at-least': 1, channel: `${at + 100}` });
    const last = await press(watch, { action: 'page-1' }, context);
    const value = rowsOf(last)[0]?.components[0]?.options?.[0]?.value ?? '';
    const one = await press(watch, { action: 'one-1', values: [value] }, context);
    expect(text(one)).toMatch(/^\nTow trucks.*<#115>$/);
    const buttons = rowsOf(one)[0]?.components ?? [];
    expect(buttons.map(({ label }) => label)).toEqual(['Snooze 8 h', 'Remove', '◀ Back']);
    expect(buttons.map(({ custom_id }) => custom_id)).toEqual([
      `1:watch:snooze:${value}`,
      `1:watch:remove-1:${value}`,
      '1:watch:page-1:',
    ]);
    expect(text(await press(watch, { action: 'page-1' }, context))).toContain('<#115>');
    const left = await press(watch, { action: 'remove-1', subject: value }, context);
    expect(text(left)).not.toContain('<#115>');
    await expect(press(watch, { action: 'one-1', values: [value] }, context)).rejects.toThrow(
      /already been removed/,
    );
    await expect(press(watch, { action: 'one-0', values: [value] }, as(boris))).rejects.toThrow(UserError);
  });

  test('each page of the list shows alerts, can remove one, and stays open after that', async () => {
    await set('duty', { kind: 'medic', 'at-least': 1 });
    for (let at = 0; at < 31; at += 1)
      await set('duty', { kind: 'tow', 'at-least': 1, channel: `${at + 100}` });
    const numbers = (reply: Reply) =>
      rowsOf(reply).flatMap(
        ({ components }) => components[0]?.options?.map((each) => each.description) ?? [],
      );
    const upTo = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => `${from + at}.`);
    const first = await set('list', {});
    expect(numbers(first)).toEqual(upTo(1, 15));
    expect(text(first)).toMatch(/^Page 1 of 3\n\n\*\*Yours[\s\S]*\n1\. [\s\S]*\n15\. .*<#113>$/m);
    const last = await press(watch, { action: 'page-2' }, context);
    expect(numbers(last)).toEqual(upTo(31, 32));
    expect(text(last)).toMatch(/\n31\. .*\n32\. .*<#130>$/m);
    const values = rowsOf(last)[0]?.components[0]?.options?.map(({ value }) => value) ?? [];
    const fewer = await press(
      watch,
      { action: 'remove-2', subject: 'here', values: values.slice(0, 1) },
      context,
    );
    expect(text(fewer)).toContain('Page 3 of 3');
    const none = await press(
      watch,
      { action: 'remove-2', subject: 'here', values: values.slice(1) },
      context,
    );
    expect(text(none)).toContain('Page 2 of 2');
  });

  test('is quiet by the time zone of the person, also by one that they choose later', async () => {
    const asked = await set('duty', { kind: 'tow', 'at-least': 1 });
    expect(asked.content).toContain('At any hour. *My time zone* makes nights quiet.');
    expect(JSON.stringify(asked.components)).toContain('My time zone');
    const there = await set('duty', { kind: 'medic', 'at-least': 1, channel: '7' });
    expect(there.content).toContain('At any hour. A time zone in `/settings` makes nights quiet.');
    await timezone.form.submit({ zone: 'auckland' }, context, {});
    const again = await set('duty', { kind: 'chase', 'at-least': 1 });
    expect(again.content).toMatch(/\(Pacific\/Auckland\)\.$/m);
    expect(JSON.stringify(again.components)).not.toContain('My time zone');
  });

  test('in a channel goes by the zone of the server, whoever sets it', async () => {
    await context.store.timeZones.set('11', 'Pacific/Auckland');
    await context.store.guildSettings.change('1', { timeZone: 'Europe/Berlin' });
    const quiet = await set('duty', { kind: 'medic', 'at-least': 1, channel: '7' });
    expect(quiet.content).toContain('(Europe/Berlin)');
    expect(JSON.stringify(quiet.components)).not.toContain('My time zone');
  });

  test('set twice at once, as by a double click, is there once', async () => {
    await Promise.all([set('driver', { player: 'k3nny' }), set('driver', { player: 'K3NNY' })]);
    expect((await context.features.alerts.list(anna)).own).toHaveLength(1);
    await Promise.all([set('driver', { player: 'k3nny' }), set('driver', { player: 'k3nny' })]);
    expect((await context.features.alerts.list(anna)).own).toHaveLength(1);
  });

  test('a driver who forbids it below /privacy is not watched, and can allow it again', async () => {
    await context.store.links.set('12', { username: 'k3nny', since: NOON });
    await set('driver', { player: 'k3nny' });
    expect(rowsOf(await privacy.run({}, as(boris)))).toHaveLength(1);
    const forbade = await press(privacy, { action: 'forbid' }, as(boris));
    expect(forbade.content).toContain('k3nny');
    await expect(set('driver', { player: 'K3NNY' })).rejects.toThrow(/doesn't allow alerts/);
    expect(text(await set('list', {}))).toContain("doesn't allow alerts");
    expect(text(await privacy.run({}, as(boris)))).toContain('Alerts about **k3nny** are off');
    await press(privacy, { action: 'permit' }, as(boris));
    expect((await set('driver', { player: 'k3nny' })).content).toContain('Alert set');
  });
});

describe('the buttons of an alert', () => {
  const idOf = async (person: Person): Promise<string> => {
    const { own, here } = await context.features.alerts.list(person);
    return [...own, ...here].map(({ id }) => id).join('.');
  };

  test('stop and snooze what the person has set, and nobody else can', async () => {
    await set('duty', { kind: 'tow', 'at-least': 1 });
    const subject = await idOf(anna);
    for (const action of ['stop', 'snooze'])
      await expect(press(watch, { action, subject }, as(boris))).rejects.toThrow(UserError);
    expect((await press(watch, { action: 'snooze', subject }, context)).content).toMatch(
      /💤 Quiet until <t:\d+:f>: Tow trucks/,
    );
    expect((await context.features.alerts.list(anna)).own[0]?.snoozedUntil).toBe(NOON + 8 * 3_600_000);
    expect((await press(watch, { action: 'stop', subject }, context)).content).toContain('🔕 Stopped');
    await expect(press(watch, { action: 'stop', subject }, context)).rejects.toThrow(/already been removed/);
  });

  test('in a channel are for those who manage the server', async () => {
    await set('duty', { kind: 'tow', 'at-least': 1, channel: '7' });
    const subject = await idOf(anna);
    await expect(press(watch, { action: 'stop', subject }, as(boris))).rejects.toThrow(/Manage Server/);
    await expect(
      press(watch, { action: 'stop', subject }, as({ ...boris, guildId: '2', mayManage: true })),
    ).rejects.toThrow();
    const another = { ...boris, mayManage: true };
    expect((await press(watch, { action: 'stop', subject }, as(another))).content).toContain('Stopped');
  });

  test('remove from the list, and resume what is paused', async () => {
    await set('duty', { kind: 'tow', 'at-least': 1 });
    await set('duty', { kind: 'medic', 'at-least': 1 });
    const [first = ''] = (await idOf(anna)).split('.');
    const after = await press(watch, { action: 'remove-0', subject: 'own', values: [first] }, context);
    expect(text(after)).toMatch(/Medics on duty/);
    expect(text(after)).not.toContain('Tow trucks');
    const { own } = await context.features.alerts.list(anna);
    const paused = { why: 'closed', since: NOON } as const;
    const alerts = {
      ...context.features.alerts,
      list: async () => ({ own: own.map((each) => ({ ...each, paused })), here: [] }),
    };
    const pausedContext = { ...context, features: { ...context.features, alerts } };
    const one = await press(watch, { action: 'one-0', values: [own[0]?.id ?? ''] }, pausedContext);
    expect(rowsOf(one)[0]?.components.map(({ label }) => label)).toEqual(['Resume', 'Remove', '◀ Back']);
    expect((await press(watch, { action: 'resume' }, context)).content).toContain('on again');
  });
});

test('an alert on a mentioned person is refused if their driver is not to be told', async () => {
  const BORIS = '281474976710657002';
  await context.store.links.set(BORIS, { username: 'boris77', since: NOON });
  const none = new UserError(context.t('link.missingOf', { person: `<@${BORIS}>` }));
  await expect(set('driver', { player: `<@${BORIS}>` })).rejects.toThrow(none);
  const inGuild = as({ ...anna, members: new Set([BORIS]) });
  expect((await set('driver', { player: `<@${BORIS}>` }, inGuild)).content).toContain('Alert set');
  await context.hidden.setPrivacy(BORIS, { hidden: true });
  await expect(set('driver', { player: `<@${BORIS}>` }, inGuild)).rejects.toThrow(none);
});

test('a linked driver whose name is no longer known is named as that', async () => {
  await context.store.links.set('11', { username: 'nobody', since: NOON });
  const named = contextFor(context, context);
  await expect(set('mine', { below: null }, named)).rejects.toThrow(
    /linked to \*\*nobody\*\*, but .*\n.*`\/link`/,
  );
});
