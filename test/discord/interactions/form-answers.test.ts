/** Answers of a window in Discord's shapes, and in shapes that Discord never sends. */
import { ComponentType, InteractionType, MessageFlags } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { languages } from '../../../src/base/languages.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { defineFormCommand } from '../../../src/command-kit/command.ts';
import { defineForm } from '../../../src/command-kit/form.ts';
import { dispatchInMemory } from '../../support/dispatch-in-memory.ts';
import { createTranslators } from '../../support/translators.ts';

const translatorFor = createTranslators();

const many = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`m${at}`, 'car.condition'] as const));
const submissions: object[] = [];
const form = defineForm({
  title: 'setup.title',
  fields: {
    one: { kind: 'choice', label: 'setup.channel', choices: { a: 'car.condition', b: 'car.odometer' } },
    some: { kind: 'several', label: 'setup.channel', choices: { c: 'car.condition', d: 'car.odometer' } },
    menu: { kind: 'choice', label: 'setup.channel', choices: many },
    text: { kind: 'text', label: 'setup.channel', optional: true },
  },
  begin: async () => ({}),
  async submit(values) {
    submissions.push(values);
    return { content: 'saved' };
  },
});
const commands = new Map([
  [
    'try',
    defineFormCommand({ description: 'car.description', topic: 'drivers', visibility: 'private', form }),
  ],
]);

/** What a person of that language is answered. */
async function answerTo(sent: { readonly type: InteractionType; readonly data: object }, locale = 'en-GB') {
  const answered = Promise.withResolvers<void>();
  const bot = dispatchInMemory({
    commands,
    answer() {
      answered.resolve();
      return new Response(null, { status: 204 });
    },
  });
  bot.ask({ ...sent, locale, message: { id: '1', flags: MessageFlags.Ephemeral } });
  await answered.promise;
  const [first] = bot.heard;
  return Answer.parse(JSON.parse(first?.body ?? ''));
}

const Option = z.object({ value: z.string(), default: z.boolean().default(false) });
const Answer = z.object({
  data: z.object({
    content: z.string().default(''),
    flags: z.int().default(0),
    custom_id: z.string().default(''),
    components: z
      .array(
        z.object({
          components: z.array(z.object({ custom_id: z.string() })).default([]),
          component: z
            .object({
              custom_id: z.string(),
              value: z.string().optional(),
              options: z.array(Option).default([]),
            })
            .optional(),
        }),
      )
      .default([]),
  }),
});

/** In the shapes that Discord documents. */
const right = {
  one: { type: ComponentType.RadioGroup, value: 'b' },
  some: { type: ComponentType.CheckboxGroup, values: ['c', 'd'] },
  menu: { type: ComponentType.StringSelect, values: ['m10'] },
  text: { type: ComponentType.TextInput, value: 'words' },
};

const submitted = (answers: Readonly<Record<string, object>>) => ({
  type: InteractionType.ModalSubmit,
  data: {
    custom_id: '1:try:form:,,,',
    components: Object.entries(answers).map(([custom_id, answer], at) => ({
      type: ComponentType.Label,
      id: 2 * at,
      component: { id: 2 * at + 1, custom_id, ...answer },
    })),
  },
});

describe('an answer', () => {
  test.each([
    ['of each kind', {}, { one: 'b', some: 'c d', menu: 'm10', text: 'words' }],
    ['of none of several', { some: { ...right.some, values: [] } }, { some: '' }],
    ['of one of several, twice', { some: { ...right.some, values: ['d', 'd'] } }, { some: 'd' }],
    ['of a text that is left empty', { text: { ...right.text, value: '' } }, { text: '' }],
    ['of a text that is null', { text: { ...right.text, value: null } }, { text: '' }],
    [
      'of a window that an earlier version opened',
      {
        one: { type: ComponentType.StringSelect, values: ['a'] },
        some: { type: ComponentType.StringSelect, values: ['d'] },
      },
      { one: 'a', some: 'd' },
    ],
  ])('%s is read', async (_what, answers, values) => {
    submissions.length = 0;
    const { data } = await answerTo(submitted({ ...right, ...answers }));
    expect(data.content).toBe('saved');
    expect(submissions).toMatchObject([values]);
  });

  test.each([
    ['a choice of null', { one: { ...right.one, value: null } }],
    ['a choice that was never offered', { one: { ...right.one, value: 'c' } }],
    ['a choice of true', { one: { ...right.one, value: true } }],
    ['a choice as a list', { one: { type: ComponentType.RadioGroup, values: ['a'] } }],
    ['two choices of one', { one: { type: ComponentType.StringSelect, values: ['a', 'b'] } }],
    ['a choice that every object has', { one: { ...right.one, value: 'constructor' } }],
    ['several of which one was never offered', { some: { ...right.some, values: ['c', 'x'] } }],
    ['several in one word', { some: { ...right.some, values: ['c d'] } }],
    ['several of null', { some: { ...right.some, values: null } }],
    ['several with null', { some: { ...right.some, values: [null] } }],
    ['several as true', { some: { type: ComponentType.Checkbox, value: true } }],
    ['several as a text', { some: { type: ComponentType.TextInput, value: ['c'] } }],
    ['a menu of a number', { menu: { ...right.menu, values: 10 } }],
    ['a menu of nothing', { menu: { ...right.menu, values: [] } }],
    ['a text of true', { text: { ...right.text, value: true } }],
    ['a text that is too long', { text: { ...right.text, value: 'x'.repeat(41) } }],
  ])('%s is refused, and the rest stays filled in', async (_what, answers) => {
    submissions.length = 0;
    const { data } = await answerTo(submitted({ ...right, ...answers }));
    expect(submissions).toEqual([]);
    expect(data.content).toBe(translatorFor('en-GB')('discord.oldChoice'));
    const [wrong = ''] = Object.keys(answers);
    const kept = { one: 'b', some: 'c d', menu: 'm10', text: 'words', [wrong]: '' };
    expect(await reopened(data.components[0]?.components[0]?.custom_id ?? '')).toEqual(kept);
  });

  test('without a field is refused, and the rest stays filled in', async () => {
    const { menu: _, ...rest } = right;
    const { data } = await answerTo(submitted(rest));
    expect(await reopened(data.components[0]?.components[0]?.custom_id ?? '')).toEqual({
      one: 'b',
      some: 'c d',
      menu: '',
      text: 'words',
    });
  });

  test.each(languages)('that was never offered is refused in %s, to the person alone', async (locale) => {
    const { data } = await answerTo(submitted({ ...right, one: { ...right.one, value: 'x' } }), locale);
    expect(data.content).toBe(translatorFor(locale)('discord.oldChoice'));
    expect(data.flags & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
    expect(readCustomId(data.components[0]?.components[0]?.custom_id ?? '')).toMatchObject({
      command: 'try',
      action: 'form',
      subject: ',c d,m10,words',
    });
  });
});

/** What the window of such a button holds, by field. */
async function reopened(customId: string): Promise<Readonly<Record<string, string>>> {
  const { data } = await answerTo({
    type: InteractionType.MessageComponent,
    data: { custom_id: customId, component_type: ComponentType.Button },
  });
  return Object.fromEntries(
    data.components.flatMap(({ component }) =>
      component === undefined
        ? []
        : [
            [
              component.custom_id,
              component.value ??
                component.options.flatMap((option) => (option.default ? [option.value] : [])).join(' '),
            ],
          ],
    ),
  );
}
