import { expect, test } from 'vitest';
import { z } from 'zod';
import settings from '../../../commands/guild/settings.ts';
import setup from '../../../commands/guild/setup.ts';
import fr from '../../../commands/guild/texts/fr.json' with { type: 'json' };
import { UserError } from '../../../src/base/errors.ts';
import { settingsChoices } from '../../../src/command-kit/command-options/settings-choices.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { contextOf } from '../../support/context.ts';
import { peopleInMemory } from '../../support/people.ts';
import { createTranslators } from '../../support/translators.ts';

function setUp() {
  const spoken: Parameters<Context['boards']['changeAll']>[] = [];
  const people = peopleInMemory();
  const context = contextOf({
    ...people,
    t: createTranslators()('fr'),
    person: { mayManage: true, locale: 'fr' },
    boards: {
      ...people.boards,
      changeAll: async (...said) => void spoken.push(said),
    },
  });
  return { spoken, context };
}

/** Changes settings in the window, which was opened as they are now. */
async function change(values: Readonly<Record<string, string>>, context: Context) {
  const { form } = settings;
  if (form === undefined) throw new Error('no window');
  const begun = z.record(z.string(), z.string()).parse(await form.begin(context, {}));
  return form.submit({ ...begun, ...values }, context, begun);
}

test.for([
  { language: 'de', locale: 'de' },
  { language: 'reader', locale: 'fr' },
] as const)(
  'the boards of the guild follow its language at once: $language',
  async ({ language, locale }) => {
    const { spoken, context } = setUp();
    await context.store.guildSettings.change('7', { language: 'it' });
    await change({ language }, context);
    expect(spoken).toEqual([['7', { locale }]]);
  },
);

test('languages are offered by their own names, in their order', () => {
  const { reader, ...named } = settingsChoices.language;
  const names = Object.values(named).map((key) => createTranslators()('en-GB')(key).replace(/ \(.*/, ''));
  expect(reader).toBe('settings.language.reader');
  expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare));
});

test('whoever may change the settings is not told that an administrator can', async () => {
  const { context } = setUp();
  const reader = { ...context, person: { ...context.person, mayManage: false } };
  expect((await settings.run({ convoys: null }, reader)).content).toContain(fr.settings.how);
  expect((await change({}, context)).content).not.toContain(fr.settings.how);
});

test('any other setting leaves the boards as they are', async () => {
  const { spoken, context } = setUp();
  await change({ more: 'colours sharing' }, context);
  await change({ more: 'colours' }, context);
  expect(spoken).toEqual([]);
});

test.for([true, false])('the boards of the guild have colours as its answers do: %s', async (colours) => {
  const { spoken, context } = setUp();
  await context.store.guildSettings.change('7', { colours: !colours });
  await change({ more: colours ? 'colours' : '' }, context);
  expect(spoken).toEqual([['7', { colours }]]);
});

test('a new language is confirmed in it', async () => {
  const { context } = setUp();
  const { content } = await change({ language: 'de' }, context);
  expect(content).toContain('Gespeichert');
});

test("confirms everyone's own language in the language of the person who chose it", async () => {
  const { spoken, context } = setUp();
  await context.store.guildSettings.change('7', { ...defaultSettings, language: 'de' });
  const german = { ...context, t: createTranslators()('de') };
  const { content } = await change({ language: 'reader' }, german);
  expect(content).toContain(fr.settings.saved);
  expect(spoken).toEqual([['7', { locale: 'fr' }]]);
});

test('what two administrators change at once is all kept', async () => {
  const { context } = setUp();
  const replies = await Promise.all([
    change({ distances: 'miles' }, context),
    change({ more: 'colours refresh' }, context),
  ]);
  for (const { content } of replies) expect(content).toContain(fr.settings.saved);
  expect(await context.store.guildSettings.of('7')).toEqual({
    ...defaultSettings,
    ...{ distances: 'miles', sharing: false },
  });
});

test('options of an older version change nothing, and say so', async () => {
  const { context } = setUp();
  await expect(settings.run({ convoys: null }, context)).rejects.toThrow(
    new UserError(context.t('discord.oldCommand')),
  );
  expect(await context.store.guildSettings.of('7')).toEqual(defaultSettings);
});

test('a set-up changes what was touched in its form, not what changed meanwhile', async () => {
  const { spoken, context } = setUp();
  const there: Context['boards'] = { ...context.boards, create: async () => ({ kind: 'there' }) };
  const begun = { channel: '8', language: 'reader', distances: 'kilometres', zone: '' };
  await context.store.guildSettings.change('7', { language: 'de', distances: 'miles' });
  const submit = (changes: Partial<typeof begun>) =>
    setup.form.submit({ ...begun, ...changes }, { ...context, boards: there }, begun);
  const { content } = await submit({ zone: 'berlin' });
  expect(content).toContain('Gespeichert');
  expect(content).toMatch(/Europe\/Berlin`. Dort ist es \d?\d:\d\d/);
  expect(spoken).toEqual([['7', { locale: 'de' }]]);
  const kept = { ...defaultSettings, distances: 'miles', timeZone: 'Europe/Berlin' };
  expect(await context.store.guildSettings.of('7')).toEqual({ ...kept, language: 'de' });
  await submit({ language: 'it' });
  expect(await context.store.guildSettings.of('7')).toEqual({ ...kept, language: 'it' });
});

test.for([
  ['a new time zone', '', 'berlin', 1],
  ['no zone that it left alone', 'Europe/Berlin', 'Europe/Berlin', 0],
  ['no zone that it removes', 'Europe/Berlin', '', 0],
] as const)('a set-up names %s', async ([_what, before, zone, count]) => {
  const { context } = setUp();
  const boards: Context['boards'] = { ...context.boards, create: async () => ({ kind: 'there' }) };
  const begun = { channel: '8', language: 'reader', distances: 'kilometres', zone: before } as const;
  const { content } = await setup.form.submit({ ...begun, zone }, { ...context, boards }, begun);
  expect(content).toContain(fr.settings.saved);
  const [words = ''] = fr.settings.zoneSaved.split('{');
  expect(content?.split(words)).toHaveLength(count + 1);
});

test.for([
  ['colours', { colours: false }],
  ['refresh', { refresh: 'asker' }],
  ['sharing', { sharing: false }],
] as const)('the window turns off and on: %s', async ([name, off]) => {
  const { context } = setUp();
  const all = ['colours', 'refresh', 'sharing'];
  await context.store.guildSettings.change('7', { sharing: true });
  const before = await context.store.guildSettings.of('7');
  await change({ more: all.filter((other) => other !== name).join(' ') }, context);
  expect(await context.store.guildSettings.of('7')).toEqual({ ...before, ...off });
  await change({ more: all.join(' ') }, context);
  expect(await context.store.guildSettings.of('7')).toEqual(before);
});
