import { ComponentType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { defineForm, type Fields, type MenuChoices } from '../../../src/command-kit/form.ts';
import { formWindow } from '../../../src/discord/interactions/form-window.ts';
import { windowBreaches } from '../../support/embed-limits.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');

/** So many choices, by the values `v0`, `v1` … */
const choicesOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`v${at}`, 'car.condition'] as const));

function windowOf(
  fields: Fields,
  values: Readonly<Record<string, string>> = {},
  menus: Readonly<Record<string, MenuChoices>> = {},
) {
  const form = defineForm({
    title: 'setup.title',
    fields,
    begin: async () => ({}),
    submit: async () => ({}),
  });
  const filling = { initialValues: {}, values, menus, offers: () => true, nameOf: () => null };
  return formWindow('try', form, filling, t);
}

/** The input of a window with one field. */
function inputOf(window: ReturnType<typeof windowOf>) {
  const [label] = window.components;
  if (label?.type !== ComponentType.Label) throw new TypeError('no label');
  return label.component;
}

describe('the number of choices decides how they are shown:', () => {
  test.each([
    ['choice', 1, ComponentType.StringSelect],
    ['choice', 2, ComponentType.RadioGroup],
    ['choice', 10, ComponentType.RadioGroup],
    ['choice', 11, ComponentType.StringSelect],
    ['choice', 25, ComponentType.StringSelect],
    ['several', 1, ComponentType.CheckboxGroup],
    ['several', 2, ComponentType.CheckboxGroup],
    ['several', 10, ComponentType.CheckboxGroup],
    ['several', 11, ComponentType.StringSelect],
    ['several', 25, ComponentType.StringSelect],
  ] as const)('%s of %d is a component of type %d', (kind, count, type) => {
    const field = { kind, label: 'setup.channel', choices: choicesOf(count) } as const;
    const window = windowOf({ field }, { field: 'v0' });
    expect(inputOf(window).type).toBe(type);
    expect(inputOf(window)).toMatchObject({
      options: [{ value: 'v0', default: true }, ...Array.from({ length: count - 1 }, () => ({}))],
    });
    expect(windowBreaches(window)).toEqual([]);
  });
});

test.each([
  [3, ComponentType.RadioGroup],
  [25, ComponentType.StringSelect],
])('%d choices that depend on the reader are a component of type %d', (count, type) => {
  const menu = Array.from({ length: count }, (_, at) => ({ value: `v${at}`, label: `Day ${at}` }));
  const day = { kind: 'menu', label: 'setup.channel', accepts: () => true } as const;
  const window = windowOf({ day }, { day: 'v1' }, { day: menu });
  expect(inputOf(window).type).toBe(type);
  expect(inputOf(window)).toMatchObject({
    options: menu.map((choice, at) => (at === 1 ? { ...choice, default: true } : choice)),
  });
  expect(windowBreaches(window)).toEqual([]);
});

test('several may be none or all; of a choice, only what the form knows is chosen', () => {
  const choices = choicesOf(3);
  const several = windowOf({ several: { kind: 'several', label: 'setup.channel', choices } });
  expect(inputOf(several)).toMatchObject({ required: false, min_values: 0, max_values: 3 });
  const choice = windowOf({ choice: { kind: 'choice', label: 'setup.channel', choices } }, { choice: 'v9' });
  expect(JSON.stringify(inputOf(choice))).not.toContain('default');
});

test('a line of explanation stands below its choice alone', () => {
  const explanations = { v1: 'setup.channelHint' } as const;
  for (const count of [3, 11]) {
    const field = {
      kind: 'choice',
      label: 'setup.channel',
      choices: choicesOf(count),
      explanations,
    } as const;
    const window = windowOf({ field });
    const input = inputOf(window);
    const options = 'options' in input ? input.options : [];
    expect(options.flatMap(({ value, description }) => (description ? [[value, description]] : []))).toEqual([
      ['v1', t('setup.channelHint')],
    ]);
    expect(windowBreaches(window)).toEqual([]);
  }
});
