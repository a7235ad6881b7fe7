import { ApplicationCommandOptionType, ApplicationCommandType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages } from '../../src/base/languages.ts';
import { pickExample } from '../../src/command-kit/example.ts';
import { describeCommands } from '../../src/discord/publish/describe-commands.ts';
import { listFacts, loadCommands } from '../../src/discord/publish/load.ts';
import { noNames } from '../support/no-names.ts';
import { createTranslators } from '../support/translators.ts';

const translatorFor = createTranslators();
const commands = await loadCommands(new URL('../../commands/', import.meta.url));

const translations = z.record(z.string(), z.string()).nullish();
const leaf = {
  type: z.int(),
  name: z.string(),
  name_localizations: translations,
  description: z.string().default(''),
  description_localizations: translations,
  choices: z.array(z.object({ name: z.string(), name_localizations: translations })).default([]),
};
const Told = z.array(
  z.object({
    ...leaf,
    options: z.array(z.object({ ...leaf, options: z.array(z.object(leaf)).default([]) })).default([]),
  }),
);
const told = Told.parse(
  JSON.parse(JSON.stringify(describeCommands(commands, translatorFor, languages, true))),
);
const slash = told.filter(({ type }) => type === ApplicationCommandType.ChatInput);
const menus = told.filter(({ type }) => type === ApplicationCommandType.User);

type Named = Pick<(typeof told)[number]['options'][number], 'name' | 'name_localizations'>;
type Part = Named &
  Pick<(typeof told)[number], 'type' | 'description' | 'description_localizations' | 'choices'>;

/** A command, its subcommands, and the options of either. */
function partsOf(command: (typeof slash)[number]): readonly Part[] {
  return [command, ...command.options, ...command.options.flatMap(({ options }) => options)];
}

const nameIn = (language: string, { name, name_localizations: names }: Named): string =>
  names?.[language] ?? name;

/** Each list of names that stand side by side. */
function siblings(): readonly (readonly Named[])[] {
  const lists = slash.flatMap(({ options }) => [options, ...options.map((each) => each.options)]);
  return [slash, menus, ...lists].filter(({ length }) => length > 1);
}

const seen = {
  ...noNames,
  players: () => ['k3nny', 'marek'],
  vins: () => [{ vin: 'AB12C', type: null }],
};

test('`typed` of the English texts names exactly the commands and options', () => {
  const { typed: typedNames = {} } = createAllCatalogues()('en').texts;
  const names = [...new Set(slash.flatMap(partsOf).map(({ name }) => name))].toSorted();
  expect(Object.keys(typedNames).toSorted()).toEqual(names);
  for (const [name, typed] of Object.entries(typedNames)) expect(typed).toBe(name);
});

test('/settings offers every language that is served, and no other', () => {
  const settings = commands.get('settings');
  const language =
    settings !== undefined && 'run' in settings ? settings.form?.fields['language'] : undefined;
  const choices = language?.kind === 'choice' ? Object.keys(language.choices) : [];
  expect(choices.toSorted()).toEqual(['reader', ...languages].toSorted());
});

test('an option name means one kind of thing everywhere, so one word translates it', () => {
  const options = slash
    .flatMap((command) => partsOf(command).slice(1))
    .filter(({ type }) => type !== ApplicationCommandOptionType.Subcommand);
  for (const [name, alike] of Map.groupBy(options, (option) => option.name))
    expect(new Set(alike.map(({ type }) => type)).size, name).toBe(1);
});

describe.each(languages)('in %s', (language) => {
  test('every command and option has a name and a description that Discord accepts', () => {
    for (const part of slash.flatMap(partsOf)) {
      const name = nameIn(language, part);
      expect(name).toMatch(/^[-_\p{L}\p{N}]{1,32}$/u);
      expect(name).toBe(name.toLowerCase());
      const description = part.description_localizations?.[language] ?? part.description;
      expect([...description].length, `${part.name}: ${description}`).toBeLessThanOrEqual(100);
      expect(description).not.toBe('');
      for (const choice of part.choices)
        expect([...nameIn(language, choice)].length).toBeLessThanOrEqual(100);
    }
    for (const menu of menus) expect([...nameIn(language, menu)].length).toBeLessThanOrEqual(32);
  });

  test('no two that stand side by side are called the same, nor as the other in English', () => {
    for (const list of siblings()) {
      const all = list.flatMap((one) => [...new Set([one.name, nameIn(language, one)])]);
      expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
    }
  });

  test('examples are typed with the names and choices of that language', () => {
    const t = translatorFor(language);
    const examples = listFacts(commands).flatMap((facts) => {
      const example = pickExample(facts, { recentNames: seen, t });
      return example === null ? [] : [{ facts, example }];
    });
    expect(examples.map(({ facts: { name } }) => name)).toContain('garage');
    for (const { facts, example } of examples) {
      const [, command, rest = ''] = /^\/([-\p{L}]+)(.*)$/u.exec(example) ?? [];
      const found = slash.find((each) => each.name === facts.name);
      if (found === undefined) throw new Error(`${facts.name} is not told`);
      expect(command).toBe(nameIn(language, found));
      const options = partsOf(found);
      const typed = [...rest.matchAll(/ ([-\p{L}]+):(\S+)/gu)];
      expect(typed.length).toBeGreaterThan(0);
      for (const [, option, value] of typed) {
        const known = options.find((each) => nameIn(language, each) === option);
        expect(known, `${option} of /${command}`).toBeDefined();
        const choices = known?.choices.map((choice) => nameIn(language, choice)) ?? [];
        if (choices.length > 0) expect(choices).toContain(value);
      }
    }
  });
});
