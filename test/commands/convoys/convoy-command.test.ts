import { describe, expect, test } from 'vitest';
import convoy from '../../../commands/convoys/convoy.ts';
import profile from '../../../commands/drivers/profile.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { contextOf } from '../../support/context.ts';
import { breaches } from '../../support/embed-limits.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';
import { controls } from '../../support/readable.ts';
import { driverJson, liveJson, serviceOf } from '../../support/records.ts';
import { createRequests } from './requests.ts';

/** A form as it is sent. */
const filled = {
  draft: '',
  zoned: '1',
  title: 'Run',
  day: '2026-11-23',
  time: '13:30',
  server: 'two',
  zone: '',
  repeats: 'once',
};
const sunday = { day: '2026-11-29', time: '8 pm' };

test('an announcement that the channel refuses by now names that channel', async () => {
  const people = peopleInMemory();
  const convoys = {
    ...people.features.convoys,
    announce: async () => ({ refusal: { kind: 'unavailable' } }) as const,
  };
  const context = contextOf({
    ...people,
    features: { ...people.features, convoys },
    person: { channelId: '800000000000000001' },
  });
  const typed = { ...filled, title: 'Night run' };
  await convoy.subcommands['create']?.form?.submit(typed, context, {});
  const id = (await convoys.draftOf({ id: '1', guild: '7' }, context.now))?.id ?? '';
  await expect(press(convoy, { action: 'announce', subject: id }, context)).rejects.toThrow(
    '<#800000000000000001>',
  );
});

test('a draft that was kept without a title holds the rest, and is not announced', async () => {
  const people = peopleInMemory();
  const context = contextOf({ ...people, person: { channelId: '800000000000000001' } });
  const form = convoy.subcommands['create']?.form;
  const { title: _, ...untitled } = filled;
  await form?.keep?.(untitled, context);
  const draft = await people.features.convoys.draftOf({ id: '1', guild: '7' }, context.now);
  expect(draft).toMatchObject({ title: '', server: 'two' });
  expect(await form?.begin(context, { draft: draft?.id })).toMatchObject({ title: '', server: 'two' });
  const announcing = press(convoy, { action: 'announce', subject: draft?.id ?? '' }, context);
  await expect(announcing).rejects.toThrow('no longer exists');
});

/** A person with a time zone who has announced these, in this order. */
async function announced(...titles: readonly string[]) {
  const people = peopleInMemory();
  const context = contextOf({ ...people, person: { channelId: '800000000000000001' } });
  await people.store.timeZones.set(context.person.id, 'Europe/Istanbul');
  for (const [index, title] of titles.entries()) {
    const then = { ...context, sentAt: context.sentAt + index };
    const typed = { ...filled, title };
    await convoy.subcommands['create']?.form?.submit(typed, then, {});
    const id = (await people.features.convoys.draftOf({ id: '1', guild: '7' }, then.sentAt))?.id ?? '';
    await press(convoy, { action: 'announce', subject: id }, then);
  }
  const coming = async () =>
    (await people.features.convoys.list({ id: '1', guild: '7' }, context.now)).coming.map(
      (one) => one.convoy,
    );
  return { context, coming, edit: convoy.subcommands['edit']?.form };
}

test('the list writes dates in digits, which fit on a phone', async () => {
  const { context } = await announced('Run');
  const list = await convoy.subcommands['list']?.run({}, context);
  expect(list?.embeds?.[0]?.description).toMatch(/^<t:\d+:d> <t:\d+:t> \*\*Run\*\*/);
});

test('one of the list is chosen in its menu, with the buttons to sign up', async () => {
  const { context, coming } = await announced('Run', 'Cruise');
  const ids = (await coming()).map(({ id }) => id);
  const list = await convoy.subcommands['list']?.run({}, context);
  expect(controls(list ?? {})).toMatchObject([{ customId: '1:convoy:show:', values: ids }]);
  const chosen = await press(convoy, { action: 'show', values: [ids[1] ?? ''] }, context);
  expect(chosen.ephemeral).toBe(true);
  expect(chosen.embeds?.[0]?.title).toBe('🚗 Cruise');
  const actions = controls(chosen).map(({ customId }) => customId);
  expect(actions).toContain(`1:convoy:in:${ids[1]}`);
  await press(convoy, { action: 'stop', subject: ids[1] ?? '' }, context);
  await expect(press(convoy, { action: 'show', values: [ids[1] ?? ''] }, context)).rejects.toThrow(
    context.t('convoy.wrong.closed'),
  );
});

test('a convoy is changed as typed: with commas, its time by the reader’s clock', async () => {
  const { context, coming, edit } = await announced('Loud, long, late');
  const begun = await edit?.begin(context, { convoy: '' });
  expect(begun).toMatchObject({ title: 'Loud, long, late', day: '2026-11-23', time: '13:30' });
  const [before] = await coming();
  await edit?.submit({ ...filled, ...begun }, context, {});
  await press(convoy, { action: 'announce', subject: before?.id ?? '' }, context);
  expect(await coming()).toEqual([before]);
});

test('of two that are called alike one is chosen in a menu, to cancel and to change', async () => {
  const { context, coming, edit } = await announced('Drag', 'Drag', 'Cruise');
  const ids = (await coming()).map(({ id }) => id);
  const asked = await convoy.subcommands['cancel']?.run({ convoy: 'drag' }, context);
  expect(controls(asked ?? {})).toMatchObject([{ customId: '1:convoy:cancel:', values: ids.slice(0, 2) }]);
  const chosen = await press(convoy, { action: 'cancel', values: [ids[1] ?? ''] }, context);
  expect(controls(chosen)).toMatchObject([{ customId: `1:convoy:stop:${ids[1]}` }]);
  const choosing = await edit?.choose?.(context, {});
  expect(controls(choosing ?? {})).toMatchObject([{ customId: '1:convoy edit:form:', values: ids }]);
  expect([asked ?? {}, choosing ?? {}].flatMap(breaches)).toEqual([]);
  expect(JSON.stringify(choosing?.components)).toContain('Mon 23 Nov, 13:30 · Istanbul');
  expect(await edit?.choose?.(context, { convoy: ids[1] })).toBeNull();
  expect(await edit?.choose?.(context, { convoy: 'crui' })).toBeNull();
});

test('whoever only wants to be reminded reads that, and no refusal', async () => {
  const { context, coming } = await announced('Drag');
  await press(convoy, { action: 'out', subject: (await coming())[0]?.id ?? '' }, context);
  const said = await press(convoy, { action: 'remind', subject: (await coming())[0]?.id ?? '' }, context);
  expect(said.content).toBe("🔔 I'll remind you 30\u00a0min before.");
});

test('a draft in a closed channel offers an event for all, and takes the offer back', async () => {
  const people = peopleInMemory();
  const features = { ...people.features, convoys: createRequests(people, 'some') };
  const context = contextOf({ ...people, features, person: { channelId: '800000000000000001' } });
  const typed = { ...filled, title: 'Run' };
  const shown = [await convoy.subcommands['create']?.form?.submit(typed, context, {})];
  const subject = (await features.convoys.draftOf({ id: '1', guild: '7' }, context.now))?.id ?? '';
  for (const action of ['event', 'eventless']) shown.push(await press(convoy, { action, subject }, context));
  expect(shown.map((reply) => reply?.embeds?.[0]?.description?.includes('everyone here'))).toEqual([
    false,
    true,
    false,
  ]);
  await press(convoy, { action: 'drop', subject }, context);
  await expect(press(convoy, { action: 'event', subject }, context)).rejects.toThrow('no longer exists');
});

/** A New Yorker in a server whose zone is Berlin's, at noon there, and what the form says to them. */
async function newYorker() {
  const people = peopleInMemory();
  const sentAt = Date.parse('2026-11-23T11:30:00Z');
  const context = contextOf({ ...people, sentAt, person: { channelId: '800000000000000001' } });
  await people.store.guildSettings.change('7', { timeZone: 'Europe/Berlin' });
  const asker = { id: '1', guild: '7' };
  const draft = async () => (await people.features.convoys.draftOf(asker, sentAt))?.id ?? '';
  const coming = async () => (await people.features.convoys.list(asker, sentAt)).coming;
  const create = convoy.subcommands['create']?.form;
  const edit = convoy.subcommands['edit']?.form;
  return { people, context, draft, coming, create, edit };
}
const at = (iso: string) => `<t:${Date.parse(iso) / 1000}:F>`;

test('a time zone set below a preview applies to the preview, and shows the time there', async () => {
  const { context, draft, coming, create } = await newYorker();
  const preview = await create?.submit({ ...filled, ...sunday }, context, {});
  expect(preview?.embeds?.[0]?.description).toContain(at('2026-11-29T19:00Z'));
  const id = await draft();
  expect(JSON.stringify(preview?.components)).toContain(`1:convoy zone:form:${id},`);
  const zoned = await convoy.forms?.['zone']?.submit({ draft: id, zone: 'new york' }, context, {});
  expect(zoned?.content).toMatch(/America\/New_York[\s\S]*6:30/);
  expect(zoned?.embeds?.[0]?.description).toContain(at('2026-11-30T01:00Z'));
  await press(convoy, { action: 'announce', subject: id }, context);
  expect((await coming()).map((one) => one.convoy.at)).toEqual([Date.parse('2026-11-30T01:00Z')]);
});

test('a preview in a former time zone is shown again, not announced', async () => {
  const { people, context, draft, coming, create } = await newYorker();
  await create?.submit({ ...filled, ...sunday }, context, {});
  const id = await draft();
  await people.store.timeZones.set('1', 'America/New_York');
  const shown = await press(convoy, { action: 'announce', subject: id }, context);
  expect(shown.content).toContain('America/New_York');
  expect(shown.embeds?.[0]?.description).toContain(at('2026-11-30T01:00Z'));
  expect(await coming()).toEqual([]);
  await press(convoy, { action: 'announce', subject: id }, context);
  expect(await coming()).toMatchObject([{ convoy: { at: Date.parse('2026-11-30T01:00Z') } }]);
});

test('a time with two meanings is offered as both, and the pressed one is announced', async () => {
  const { context, coming, create } = await newYorker();
  const question = await create?.submit({ ...filled, day: '2026-11-24', time: '8' }, context, {});
  expect(question?.embeds?.[0]?.description).toContain('more than one time (Europe/Berlin)');
  const [, evening = ''] = JSON.stringify(question?.components).match(/1:convoy:at:\d{16},\d{10}/g) ?? [];
  const { action = '', subject = '' } = readCustomId(evening) ?? {};
  const preview = await press(convoy, { action, subject }, context);
  expect(preview.embeds?.[0]?.description).toContain(at('2026-11-24T19:00Z'));
  await press(convoy, { action: 'announce', subject: subject.slice(0, 16) }, context);
  expect(await coming()).toMatchObject([{ convoy: { at: Date.parse('2026-11-24T19:00Z') } }]);
  await expect(press(convoy, { action, subject }, context)).rejects.toThrow('no longer');
});

test('"in 2 h" is the same moment in each time zone, and needs no second look', async () => {
  const { people, context, draft, coming } = await newYorker();
  const typed = { title: 'Run', when: 'in 2 h', server: 'two' };
  const preview = await convoy.subcommands['create']?.run(typed, context);
  expect(preview?.embeds?.[0]?.description).not.toContain('time zone');
  await people.store.timeZones.set('1', 'America/New_York');
  await press(convoy, { action: 'announce', subject: await draft() }, context);
  expect(await coming()).toMatchObject([{ convoy: { at: Date.parse('2026-11-23T13:30Z') } }]);
});

test('an unchanged time of a convoy stays, whatever time zone is set below its change', async () => {
  const { context, draft, coming, create, edit } = await newYorker();
  await create?.submit({ ...filled, ...sunday }, context, {});
  const id = await draft();
  await press(convoy, { action: 'announce', subject: id }, context);
  const begun = await edit?.begin(context, { convoy: '' });
  // Not the person's own zone, so the window names it.
  expect(begun).toMatchObject({ day: '2026-11-29', time: '20:00', zone: 'Europe/Berlin', zoned: '0' });
  await edit?.submit({ ...filled, ...begun, title: 'Later' }, context, {});
  const more = convoy.forms?.['more'];
  const rest = await more?.begin(context, { convoy: id });
  expect(rest).toMatchObject({ convoy: id, announced: '1', length: '2', repeats: 'once' });
  await more?.submit({ places: '', role: '', ...rest, description: 'Slow cars' }, context, {});
  await convoy.forms?.['zone']?.submit({ draft: id, zone: 'new york' }, context, {});
  await press(convoy, { action: 'announce', subject: id }, context);
  expect(await coming()).toMatchObject([
    { convoy: { title: 'Later', description: 'Slow cars', hours: 2, at: Date.parse('2026-11-29T19:00Z') } },
  ]);
});

test('refused input comes back in the form, and known refusals come before the form', async () => {
  const { people, context, create } = await newYorker();
  let refusal: 'no-send' | null = null;
  const convoys = { ...people.features.convoys, refusalOf: async () => refusal };
  const features = { ...people.features, convoys };
  const begun = await create?.begin({ ...context, features }, {});
  const values = { ...filled, ...begun, day: '2026-11-24', time: 'evening', title: 'Night run' };
  await create?.submit(values, context, {});
  const again = await create?.begin({ ...context, features }, { draft: values.draft });
  expect(again).toMatchObject({ title: 'Night run', day: '2026-11-24', time: 'evening', server: 'two' });
  refusal = 'no-send';
  await expect(create?.begin({ ...context, features }, {})).rejects.toThrow('*Send Messages*');
});

test('a person who may not plan reads whom to ask before a window opens', async () => {
  const { people, context, create } = await newYorker();
  const convoys = { ...people.features.convoys, refusalOf: async () => 'not-allowed' as const };
  const asking = { ...context, features: { ...people.features, convoys } };
  await expect(create?.begin(asking, {})).rejects.toThrow('Ask someone who manages this server.');
  await people.store.guildSettings.change('7', { convoyRole: '900000000000000001' });
  await expect(create?.begin(asking, {})).rejects.toThrow('takes <@&900000000000000001> or *Create Events*');
});

test('a zone chosen in the window is the person’s own, and the time is read in it', async () => {
  const { people, context, coming, create, draft } = await newYorker();
  const begun = await create?.begin(context, {});
  expect(begun).toMatchObject({ zoned: '0', zone: 'Europe/Berlin' });
  const values = { ...filled, ...begun, ...sunday, zone: 'America/New_York' };
  await create?.submit(values, context, {});
  expect(await people.store.timeZones.of('1')).toBe('America/New_York');
  await press(convoy, { action: 'announce', subject: await draft() }, context);
  expect(await coming()).toMatchObject([{ convoy: { at: Date.parse('2026-11-30T01:00Z') } }]);
  expect(await create?.begin(context, {})).toMatchObject({ zoned: '1', repeats: 'once' });
});

test('without any zone nothing is chosen for a time of day, and UTC for one moment', async () => {
  const { people, context, create } = await newYorker();
  await people.store.guildSettings.change('7', { timeZone: null });
  const timeOfDay = await create?.begin(context, { when: 'fri 8pm' });
  expect(timeOfDay).toMatchObject({ zoned: '0', day: '2026-11-27', time: '20:00' });
  expect(timeOfDay).not.toHaveProperty('zone');
  expect(await create?.begin(context, { when: 'in 2 h' })).toMatchObject({ time: '13:30', zone: 'UTC' });
  const isEnough = (when: string) => create?.isEnough?.({ when }, context);
  expect([await isEnough('fri 8pm'), await isEnough('in 2 h')]).toEqual([false, true]);
});

test('a doubled hour that nobody touches stays the one of both that it was', async () => {
  const { people, context, coming, edit } = await newYorker();
  const sentAt = Date.parse('2027-10-20T12:00Z');
  const then = { ...context, sentAt };
  const second = Date.parse('2027-10-31T01:30Z');
  const typed = { title: 'Run', when: `<t:${second / 1000}:F>`, server: 'two' };
  await convoy.subcommands['create']?.run(typed, then);
  const id = (await people.features.convoys.draftOf({ id: '1', guild: '7' }, sentAt))?.id ?? '';
  await press(convoy, { action: 'announce', subject: id }, then);
  const begun = await edit?.begin(then, { convoy: id });
  expect(begun).toMatchObject({ day: '2027-10-31', time: '02:30' });
  const change = { ...filled, ...begun };
  await edit?.submit({ ...change, title: 'Later' }, then, {});
  await press(convoy, { action: 'announce', subject: id }, then);
  expect(await coming()).toMatchObject([{ convoy: { title: 'Later', at: second } }]);
  const asked = await edit?.submit({ ...change, time: '2.30' }, then, {});
  expect(controls(asked ?? {}).map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Sun 31 Oct, 2:30 · Berlin GMT+2', 'Sun 31 Oct, 2:30 · Berlin GMT+1']),
  );
});

test('More… sets length, places, role, description and rhythm of a draft', async () => {
  const { context, coming, create, draft } = await newYorker();
  const preview = await create?.submit({ ...filled, ...sunday }, context, {});
  const id = await draft();
  expect(controls(preview ?? {}).map(({ customId }) => customId)).toContain(`1:convoy more:form:${id},`);
  const more = convoy.forms?.['more'];
  const begun = await more?.begin(context, { convoy: id });
  expect(begun).toEqual({ convoy: id, announced: '0', length: '2', repeats: 'once' });
  expect(more?.menus?.({}, context)['length']?.map(({ value }) => value)).toEqual(['1', '2', '3']);
  const role = '900000000000000001';
  const values = { convoy: id, announced: '0', description: 'Slow', length: '3', places: '7', role };
  const sent = { ...values, repeats: 'weekly' };
  await expect(more?.submit({ ...sent, places: 'many' }, context, {})).rejects.toThrow('from 1 to 200');
  await more?.submit(sent, context, {});
  await press(convoy, { action: 'announce', subject: id }, context);
  expect(await coming()).toMatchObject([
    { convoy: { title: 'Run', hours: 3, places: 7, role, description: 'Slow', weekly: true } },
  ]);
});

test('the channel is chosen below the preview, and a convoy stays in its own', async () => {
  const { context, coming, create, draft, edit } = await newYorker();
  await create?.submit({ ...filled, ...sunday }, context, {});
  const id = await draft();
  const channel = '800000000000000009';
  const moved = await press(convoy, { action: 'channel', subject: id, values: [channel] }, context);
  expect(moved.embeds?.[0]?.description).toContain(`<#${channel}>`);
  await press(convoy, { action: 'announce', subject: id }, context);
  expect(await coming()).toMatchObject([{ convoy: { channel } }]);
  const begun = await edit?.begin(context, { convoy: id });
  const changed = await edit?.submit({ ...filled, ...begun, title: 'Later' }, context, {});
  expect(JSON.stringify(changed?.components)).not.toContain('1:convoy:channel:');
});

describe('⚙️ on the card', () => {
  test('opens a private answer, and the window with the convoy in it', async () => {
    const { context, coming, edit } = await announced('Drag', 'Cruise');
    const [, cruise] = await coming();
    const id = cruise?.id ?? '';
    const managed = await press(convoy, { action: 'manage', subject: id }, context);
    expect(managed.ephemeral).toBe(true);
    expect(controls(managed).map(({ customId }) => customId)).toEqual([
      `1:convoy edit:form:${id},`,
      `1:convoy more:form:${id},`,
      `1:convoy:again:${id}`,
      `1:convoy:cancel:${id}`,
    ]);
    expect(await edit?.begin(context, { convoy: id })).toMatchObject({ title: 'Cruise', convoy: id });
    // Its press, the window, and Save.
    const begun = await edit?.begin(context, { convoy: id });
    await edit?.submit({ ...filled, ...begun, title: 'Slow cruise' }, context, {});
    await press(convoy, { action: 'announce', subject: id }, context);
    expect((await coming()).map(({ title }) => title)).toEqual(['Drag', 'Slow cruise']);
  });

  test('Again plans the same convoy a week later, by the clock of its zone', async () => {
    const { context: before, coming } = await announced('Drag');
    const context = { ...before, sentAt: before.sentAt + 1 };
    const [drag] = await coming();
    const preview = await press(convoy, { action: 'again', subject: drag?.id ?? '' }, context);
    const stamp = Date.parse('2026-11-30T10:30Z') / 1000;
    expect(preview.embeds?.[0]?.description).toContain(`<t:${stamp}:F>`);
    const announce = controls(preview).find(({ label }) => label === 'Announce')?.customId ?? '';
    await press(convoy, { action: 'announce', subject: readCustomId(announce)?.subject ?? '' }, context);
    expect((await coming()).map(({ at, title }) => [title, new Date(at).toISOString()])).toEqual([
      ['Drag', '2026-11-23T10:30:00.000Z'],
      ['Drag', '2026-11-30T10:30:00.000Z'],
    ]);
  });

  test('tells a person who may not change it who may', async () => {
    const people = peopleInMemory();
    const convoys = { ...people.features.convoys, manage: async () => ({ madeBy: '5' }) };
    const context = contextOf({ ...people, features: { ...people.features, convoys } });
    const asked = press(convoy, { action: 'manage', subject: '1795700000000001' }, context);
    await expect(asked).rejects.toThrow('Only <@5>, or someone with *Manage Events*');
    const gone = contextOf(people);
    await expect(press(convoy, { action: 'manage', subject: '1795700000000001' }, gone)).rejects.toThrow(
      'was cancelled',
    );
  });
});

test('/profile says at how many convoys the driver was, of an account that shows them', async () => {
  const context = contextOf({ service: serviceOf({ profile: driverJson, live: liveJson() }) });
  const told = async (attendee: string | null) => {
    const hidden = { ...context.hidden, findPublicAttendee: () => attendee };
    const convoys = {
      ...context.features.convoys,
      count: async (person: string) => (person === '7' ? 12 : 0),
    };
    const { embeds = [] } = await profile.run(
      { player: 'k3nny', picture: null },
      { ...context, hidden, features: { ...context.features, convoys } },
    );
    return embeds[0]?.description;
  };
  expect(await told('7')).toMatch(/^-# .* · 12 convoys$/m);
  expect(await told('8')).not.toContain('convoy');
  expect(await told(null)).not.toContain('convoy');
});
