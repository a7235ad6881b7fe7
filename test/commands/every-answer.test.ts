/** Every answer in every language, and in one that is longer than all of them. */
import { ComponentType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages } from '../../src/base/languages.ts';
import { compact } from '../../src/cards/kit/lines.ts';
import { loadCommands } from '../../src/discord/publish/load.ts';
import { textsByPath } from '../../src/i18n/texts.ts';
import { breaches, windowBreaches } from '../support/embed-limits.ts';
import { type Answered, everyAnswer } from '../support/every-answer.ts';
import { BOUNDS, PSEUDO, withPseudo } from '../support/pseudo-language.ts';
import { rowsOf } from '../support/readable.ts';
import { tellingSituations } from '../support/situations.ts';
import { textLimits } from '../support/text-limits.ts';
import { createTranslators } from '../support/translators.ts';

const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const translatorFor = createTranslators(withPseudo(textLimits(commands)));

/** All that a person reads of it, part by part. */
function textsOf(answered: Answered): readonly string[] {
  const texts: string[] = [];
  JSON.stringify('window' in answered ? answered.window : answered.reply, (key, value: unknown) => {
    if (typeof value === 'string' && key !== 'custom_id') texts.push(value);
    return value;
  });
  return texts;
}

/** The moments that it names, each once. */
function momentsOf(answered: Answered): string {
  const moments = textsOf(answered).flatMap((text) => text.match(/<t:\d+:\w>/g) ?? []);
  return [...new Set(moments)].join(' ');
}

/** Text beyond tables, whose columns have a width of their own. */
const outsideTables = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, '');

/** Of Discord's styles of a timestamp. */
const KINDS: Readonly<Record<string, string>> = {
  t: 'clock',
  T: 'clock',
  R: 'ago',
  d: 'day',
  D: 'day',
  f: 'day',
  F: 'day',
};

const isEven = (text: string, mark: string): boolean => text.split(mark).length % 2 === 1;

/** What is wrong with a text, wherever it stands. */
function flaws(text: string): readonly string[] {
  const plain = outsideTables(text);
  return [
    ...(/\{\{|\}\}|\bundefined\b|\bNaN\b|\[object/.test(text) ? [`something is left over: ${text}`] : []),
    ...(['**', '`'].every((mark) => isEven(plain, mark)) && isEven(text, '```')
      ? []
      : [`unbalanced: ${text}`]),
  ];
}

function problemsOf(answered: Answered): readonly string[] {
  const refused = 'window' in answered ? windowBreaches(answered.window) : breaches(answered.reply);
  return [...refused, ...textsOf(answered).flatMap(flaws)].map((problem) => `${answered.what}: ${problem}`);
}

const english = await everyAnswer(commands, 'en-GB', translatorFor);

test('every command answers, and every form opens', () => {
  const asked = english.map(({ what }) => what.replace(/^[\w ]+: /, ''));
  for (const name of commands.keys())
    expect(
      asked.some((each) => each.startsWith(`/${name} `) || each === `form of ${name}`),
      name,
    ).toBe(true);
  expect(english.length).toBeGreaterThan(1000);
  expect(english.filter((answered) => 'window' in answered).length).toBeGreaterThan(5);
});

/** A phone shows two or three such labels in a row. */
const MAX_BUTTON_LENGTH = 20;

/** Returns the labels of its buttons that are too long for a phone. */
function longButtonsOf(answered: Answered): readonly string[] {
  return rowsOf('reply' in answered ? answered.reply : {})
    .flatMap(({ components }) => components)
    .filter(({ type }) => type === ComponentType.Button)
    .flatMap(({ label = '' }) => (Array.from(label).length > MAX_BUTTON_LENGTH ? [label] : []));
}

const catalogues = createAllCatalogues();

/** Returns the labels beside the values in drawn cards that are not one whole text of the language. */
function madeUpLabels(answers: readonly Answered[], language: string): readonly string[] {
  const patterns = textsByPath(catalogues(language).texts)
    .map(([key, text]) => ({ key, parts: text.split(/\{\{\w+\}\}/) }))
    .filter(({ key, parts }) => /\p{L}/u.test(parts.join('')) || key === 'recap.between')
    .map(({ parts }) => new RegExp(`^${parts.map(RegExp.escape).join('.+')}$`));
  const labels = answers.flatMap((answered) => {
    const chart = 'reply' in answered ? answered.reply.picture?.chart : undefined;
    return chart?.kind === 'driver' ? compact(...chart.figures, chart.car).map(({ label }) => label) : [];
  });
  expect(new Set(labels).size).toBeGreaterThan(3);
  return [...new Set(labels)].filter((label) => !patterns.some((pattern) => pattern.test(label)));
}

describe.each(languages)('in %s', (language) => {
  test('every answer is one that Discord accepts, with short labels on its buttons', async () => {
    const answers = await everyAnswer(commands, language, translatorFor, tellingSituations);
    expect(answers.flatMap(problemsOf)).toEqual([]);
    expect([...new Set(answers.flatMap(longButtonsOf))]).toEqual([]);
    expect(madeUpLabels(answers, language)).toEqual([]);
  });
});

describe('in a language that is 40 % longer', async () => {
  const longer = await everyAnswer(commands, PSEUDO, translatorFor);

  test('every answer is one that Discord accepts', () => {
    expect(longer.flatMap(problemsOf)).toEqual([]);
  });

  test('no text is cut', () => {
    const [opening, closing] = BOUNDS;
    const isCut = (text: string) => text.split(opening).length !== text.split(closing).length;
    const texts = longer.flatMap((each) => textsOf(each).map((text) => `${each.what}: ${text}`));
    expect(texts.map(outsideTables).filter(isCut)).toEqual([]);
    expect(texts.filter((text) => text.includes(opening)).length).toBeGreaterThan(texts.length / 3);
  });

  test('every moment is there that is there in English: when it was true above all', () => {
    expect(longer.map(({ what }) => what)).toEqual(english.map(({ what }) => what));
    expect(longer.map(momentsOf)).toEqual(english.map(momentsOf));
  });
});

test('each placeholder always holds the same kind of moment', async () => {
  const kinds = new Map<string, Set<string>>();
  const noting: typeof translatorFor = (...asked) => {
    const t = translatorFor(...asked);
    const noted = (key: string, values: Readonly<Record<string, string | number>> = {}): string => {
      for (const [name, value] of Object.entries(values))
        for (const [, style = ''] of String(value).matchAll(/^<t:\d+:(\w)>$/g))
          kinds.set(`${key} ${name}`, (kinds.get(`${key} ${name}`) ?? new Set()).add(KINDS[style] ?? style));
      return (t as unknown as typeof noted)(key, values);
    };
    return Object.assign(noted as unknown as typeof t, t);
  };
  await everyAnswer(commands, 'en-GB', noting, tellingSituations);
  expect([...kinds].filter(([, of]) => of.size > 1)).toEqual([]);
});

test('options of one name, which has one translation, are of one kind', () => {
  const kinds = new Map<string, Set<string>>();
  for (const command of commands.values())
    for (const one of 'subcommands' in command ? Object.values(command.subcommands) : [command])
      for (const [name, { kind }] of Object.entries('options' in one ? one.options : {}))
        kinds.set(name, (kinds.get(name) ?? new Set()).add(kind));
  const shared = [...kinds].flatMap(([name, of]) => (of.size > 1 ? [name] : []));
  expect(shared).toEqual([]);
});
