import { expect, test } from 'vitest';
import convoy from '../../../commands/convoy.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';

/** A form as it is sent. */
const filled = {
  ...{ title: 'Run', when: 'in 2 h', server: 'two', repeats: 'once', description: '' },
  ...{ draft: '', length: '', places: '', role: '', channel: '' },
};

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

test('a convoy is changed as typed: with commas, its time by the reader’s clock', async () => {
  const { context, coming, edit } = await announced('Loud, long, late');
  const begun = await edit?.begin(context, { convoy: '' });
  expect(begun).toMatchObject({
    title: 'Loud, long, late',
    when: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d$/),
  });
  const [before] = await coming();
  const values = Object.fromEntries(Object.entries(begun ?? {}).map(([name, value]) => [name, value ?? '']));
  await edit?.submit(values, context, {});
  await press(convoy, { action: 'announce', subject: before?.id ?? '' }, context);
  expect(await coming()).toEqual([before]);
});

test('of two that are called alike each is named by its number', async () => {
  const { context, coming } = await announced('Drag', 'Drag');
  const cancel = (called: string) => convoy.subcommands['cancel']?.run({ convoy: called }, context);
  await expect(cancel('drag')).rejects.toThrow(/\*\*1\*\* Drag · <t:\d+:F>\n\*\*2\*\* Drag/);
  const asked = await cancel('2');
  expect(asked?.content).toContain('Drag');
  expect(JSON.stringify(asked?.components)).toContain((await coming())[1]?.id);
});

test('whoever only wants to be reminded reads that, and no refusal', async () => {
  const { context, coming } = await announced('Drag');
  await press(convoy, { action: 'out', subject: (await coming())[0]?.id ?? '' }, context);
  const said = await press(convoy, { action: 'remind', subject: (await coming())[0]?.id ?? '' }, context);
  expect(said.content).toBe("🔔 I'll remind you 30\u00a0min before.");
});

test('a draft in a closed channel offers an event for all, and takes the offer back', async () => {
  const people = peopleInMemory({ audience: 'some' });
  const context = contextOf({ ...people, person: { channelId: '800000000000000001' } });
  const typed = { ...filled, title: 'Run' };
  const shown = [await convoy.subcommands['create']?.form?.submit(typed, context, {})];
  const subject = (await people.features.convoys.draftOf({ id: '1', guild: '7' }, context.now))?.id ?? '';
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
  const preview = await create?.submit({ ...filled, when: 'sun 8pm' }, context, {});
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
  await create?.submit({ ...filled, when: 'sun 8pm' }, context, {});
  const id = await draft();
  await people.store.timeZones.set('1', 'America/New_York');
  const shown = await press(convoy, { action: 'announce', subject: id }, context);
  expect(shown.content).toContain('America/New_York');
  expect(shown.embeds?.[0]?.description).toContain(at('2026-11-30T01:00Z'));
  expect(await coming()).toEqual([]);
  await press(convoy, { action: 'announce', subject: id }, context);
  expect(await coming()).toMatchObject([{ convoy: { at: Date.parse('2026-11-30T01:00Z') } }]);
});

test('a time with two meanings is offered as both, and the one that is pressed is announced', async () => {
  const { context, coming, create } = await newYorker();
  const question = await create?.submit({ ...filled, when: 'tomorrow 8' }, context, {});
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
  const { people, context, draft, coming, create } = await newYorker();
  const preview = await create?.submit(filled, context, {});
  expect(preview?.embeds?.[0]?.description).not.toContain('time zone');
  await people.store.timeZones.set('1', 'America/New_York');
  await press(convoy, { action: 'announce', subject: await draft() }, context);
  expect(await coming()).toMatchObject([{ convoy: { at: Date.parse('2026-11-23T13:30Z') } }]);
});

test('an unchanged time of a convoy stays, whatever time zone is set below its change', async () => {
  const { context, draft, coming, create, edit } = await newYorker();
  await create?.submit({ ...filled, when: 'sun 8pm' }, context, {});
  const id = await draft();
  await press(convoy, { action: 'announce', subject: id }, context);
  const begun = await edit?.begin(context, { convoy: '' });
  // Not the person's own zone, so the field names it.
  expect(begun).toMatchObject({ when: '2026-11-29 20:00 Europe/Berlin' });
  const values = { ...filled, ...begun, convoy: id, title: 'Later', description: 'Slow cars' };
  await edit?.submit(values, context, {});
  await convoy.forms?.['zone']?.submit({ draft: id, zone: 'new york' }, context, {});
  await press(convoy, { action: 'announce', subject: id }, context);
  expect(await coming()).toMatchObject([
    { convoy: { title: 'Later', description: 'Slow cars', hours: 2, at: Date.parse('2026-11-29T19:00Z') } },
  ]);
});

test('the form keeps what was typed with the command, shown or not', async () => {
  const { context, coming, create } = await newYorker();
  const ping = '900000000000000001';
  const args = { title: 'Run', when: 'sun 8pm', length: '3', places: '7', ping };
  const begun = await create?.begin(context, args);
  expect(begun).toMatchObject({ title: 'Run', when: 'sun 8pm', length: '3', places: '7', role: ping });
  const values = { ...filled, ...begun };
  await create?.submit(values, context, {});
  await press(convoy, { action: 'announce', subject: values.draft }, context);
  expect(await coming()).toMatchObject([{ convoy: { title: 'Run', hours: 3, places: 7, role: ping } }]);
});

test('refused input comes back in the form, and known refusals come before the form', async () => {
  const { people, context, create } = await newYorker();
  let refusal: 'no-send' | null = null;
  const convoys = { ...people.features.convoys, refusalOf: async () => refusal };
  const features = { ...people.features, convoys };
  const begun = await create?.begin({ ...context, features }, {});
  const values = { ...filled, ...begun, title: 'Night run', description: 'Slow cars' };
  await create?.submit(values, context, {});
  const again = await create?.begin({ ...context, features }, { draft: values.draft });
  expect(again).toMatchObject({ title: 'Night run', description: 'Slow cars', server: 'two' });
  refusal = 'no-send';
  await expect(create?.begin({ ...context, features }, {})).rejects.toThrow('*Send Messages*');
});
