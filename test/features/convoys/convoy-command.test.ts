import { expect, test } from 'vitest';
import convoy from '../../../commands/convoy.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { press } from '../../support/press.ts';

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
  const typed = { title: 'Night run', when: 'in 2 h', server: 'two', hours: 'one', repeats: 'once' };
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
    const typed = { title, when: 'in 2 h', server: 'two', hours: 'one', repeats: 'once' };
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

test('a convoy is changed as it was typed: with its commas, and its time by the clock of its reader', async () => {
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
  const said = await press(convoy, { action: 'remind', subject: (await coming())[0]?.id ?? '' }, context);
  expect(said.content).toBe('🔔 I will remind you 30\u00a0min before.');
});

test('a draft in a closed channel offers an event for all, and takes the offer back', async () => {
  const people = peopleInMemory({ audience: 'some' });
  const context = contextOf({ ...people, person: { channelId: '800000000000000001' } });
  const typed = { title: 'Run', when: 'in 2 h', server: 'two', hours: 'one', repeats: 'once' };
  const shown = [await convoy.subcommands['create']?.form?.submit(typed, context, {})];
  const subject = (await people.features.convoys.draftOf({ id: '1', guild: '7' }, context.now))?.id ?? '';
  for (const action of ['event', 'eventless']) shown.push(await press(convoy, { action, subject }, context));
  expect(shown.map((reply) => reply?.embeds?.[0]?.description?.includes('the whole server'))).toEqual([
    false,
    true,
    false,
  ]);
  await press(convoy, { action: 'drop', subject }, context);
  await expect(press(convoy, { action: 'event', subject }, context)).rejects.toThrow('no longer there');
});
