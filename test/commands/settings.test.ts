import { expect, test } from 'vitest';
import settings from '../../commands/settings.ts';
import setup from '../../commands/setup.ts';
import { defaultSettings } from '../../src/accounts/guild-settings.ts';
import type { Context } from '../../src/command-kit/context.ts';
import fr from '../../src/i18n/locales/fr.json' with { type: 'json' };
import { contextOf } from '../support/context.ts';
import { peopleInMemory } from '../support/people.ts';
import { createTranslators } from '../support/translators.ts';

const nothing = {
  language: null,
  distances: null,
  colours: null,
  refresh: null,
  sharing: null,
  timezone: null,
  convoys: null,
};

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

test.for([
  { language: 'de', locale: 'de' },
  { language: 'reader', locale: 'fr' },
] as const)(
  'the boards of the guild follow its language at once: $language',
  async ({ language, locale }) => {
    const { spoken, context } = setUp();
    await settings.run({ ...nothing, language }, context);
    expect(spoken).toEqual([['7', { locale }]]);
  },
);

test('languages are offered by their own names, in their order', () => {
  const { reader, ...named } = settings.options.language.choices;
  const names = Object.values(named).map((key) => createTranslators()('en-GB')(key).replace(/ \(.*/, ''));
  expect(reader).toBe('settings.language.reader');
  expect(names).toEqual(names.toSorted(new Intl.Collator('en').compare));
});

test('whoever may change the settings is not told that an administrator can', async () => {
  const { context } = setUp();
  const read = async (mayManage: boolean) =>
    (await settings.run(nothing, { ...context, person: { ...context.person, mayManage } })).content;
  expect(await read(false)).toContain(fr.settings.how);
  expect(await read(true)).not.toContain(fr.settings.how);
});

test('any other setting leaves the boards as they are', async () => {
  const { spoken, context } = setUp();
  await settings.run({ ...nothing, refresh: 'asker' }, context);
  await settings.run({ ...nothing, sharing: true }, context);
  expect(spoken).toEqual([]);
});

test.for([true, false])('the boards of the guild have colours as its answers do: %s', async (colours) => {
  const { spoken, context } = setUp();
  await settings.run({ ...nothing, colours }, context);
  expect(spoken).toEqual([['7', { colours }]]);
});

test('a new language is confirmed in it', async () => {
  const { context } = setUp();
  const { content } = await settings.run({ ...nothing, language: 'de' }, context);
  expect(content).toContain('Gespeichert');
});

test("confirms everyone's own language in the language of the person who chose it", async () => {
  const { spoken, context } = setUp();
  await context.store.guildSettings.change('7', { ...defaultSettings, language: 'de' });
  const german = { ...context, t: createTranslators()('de') };
  const { content } = await settings.run({ ...nothing, language: 'reader' }, german);
  expect(content).toContain(fr.settings.saved);
  expect(spoken).toEqual([['7', { locale: 'fr' }]]);
});

test('what two administrators change at once, both by a command, is all kept', async () => {
  const { context } = setUp();
  const replies = await Promise.all([
    settings.run({ ...nothing, distances: 'miles' }, context),
    settings.run({ ...nothing, sharing: false }, context),
  ]);
  for (const { content } of replies) expect(content).toContain(fr.settings.saved);
  expect(await context.store.guildSettings.of('7')).toEqual({
    ...defaultSettings,
    ...{ distances: 'miles', sharing: false },
  });
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
