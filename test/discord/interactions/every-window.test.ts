/** Every window of the product, sent back in Discord's shapes and in others: read, or refused with all else kept. */
import { ChannelType, ComponentType, InteractionType, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { languages } from '../../../src/base/languages.ts';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { writeCustomId } from '../../../src/cards/kit/custom-id.ts';
import { boardRefusal } from '../../../src/command-kit/boards.ts';
import type { AnyCommand } from '../../../src/command-kit/command.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import {
  type Field,
  type Form,
  isShown,
  maxLengthOf,
  type ShownField,
  valuesInSubject,
} from '../../../src/command-kit/form.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { dispatchInMemory, inGuild, PERSON } from '../../support/dispatch-in-memory.ts';
import { featureParts } from '../../support/feature-parts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { peopleInMemory } from '../../support/people.ts';
import { createTranslators } from '../../support/translators.ts';
import type { WindowParts } from '../../support/windows.ts';

const GUILD = '300000000000000001';
const CHANNEL = '300000000000000002';
const ROLE = '300000000000000003';
const FOREIGN = '300000000000000009';

const translatorFor = createTranslators();
const t = translatorFor('en-GB');
const commands = await loadCommands(new URL('../../../commands/', import.meta.url));

/** A window by its name in custom ids, with the ids that it keeps. */
interface Window {
  readonly name: string;
  readonly form: Form;
  readonly kept: Readonly<Record<string, string>>;
}

function windowsOf(command: AnyCommand, name: string): readonly Omit<Window, 'kept'>[] {
  const own = 'form' in command && command.form !== undefined ? [{ name, form: command.form }] : [];
  const subcommands = 'subcommands' in command ? Object.entries(command.subcommands) : [];
  const forms = 'forms' in command && command.forms !== undefined ? Object.entries(command.forms) : [];
  return [
    ...own,
    ...subcommands.flatMap(([sub, { form }]) =>
      form === undefined ? [] : [{ name: `${name} ${sub}`, form }],
    ),
    ...forms.map(([sub, form]) => ({ name: `${name} ${sub}`, form })),
  ];
}

const parts = Object.values(await featureParts<WindowParts>('windows', 'windows'));

const keptIds: Readonly<Record<string, readonly string[]>> = Object.assign(
  { channel: [CHANNEL] },
  ...parts.map((part) => part.keptIds),
);

/** Each window, once for each state in which it shows other fields. */
const windows: readonly Window[] = [...commands].flatMap(([name, command]) =>
  windowsOf(command, name).flatMap((window) => {
    const names = Object.entries(window.form.fields).flatMap(([field, { kind }]) =>
      kind === 'kept' ? [field] : [],
    );
    const states = Math.max(1, ...names.map((field) => keptIds[field]?.length ?? 0));
    return Array.from({ length: states }, (_, state) => ({
      ...window,
      kept: Object.fromEntries(
        names.map((field) => [field, keptIds[field]?.[state] ?? keptIds[field]?.[0] ?? '']),
      ),
    }));
  }),
);

const titles = windows.map((window) => [`${window.name} ${Object.values(window.kept)}`, window] as const);

/** The fields that a window shows. */
const shownFields = ({ form, kept }: Window): readonly (readonly [name: string, field: ShownField])[] =>
  Object.entries(form.fields).flatMap(([name, field]) => (isShown(field, kept) ? [[name, field]] : []));

const texts: Readonly<Record<string, string>> = {
  ...{ title: 'Night run, slowly', time: '20:00', description: 'Bring fuel', places: '7' },
  ...{ zone: 'Asia/Tokyo', player: 'k3nny' },
};
const menus: Readonly<Record<string, string>> = { day: '2016-07-20', zone: 'Asia/Tokyo', length: '3' };

/** A value that differs from the one that most windows begin with, as a window holds it. */
function goodValue(name: string, field: Field): string {
  switch (field.kind) {
    case 'text':
      return texts[name] ?? '7';
    case 'menu':
      return menus[name] ?? '';
    case 'choice':
      return Object.keys(field.choices).at(-1) ?? '';
    case 'several':
      return Object.keys(field.choices).join(' ');
    case 'role':
      return ROLE;
    default:
      return CHANNEL;
  }
}

type Answer = Readonly<Record<string, unknown>>;
type Shape = readonly [what: string, answer: Answer, refusal?: string];

const goodAnswer = (type: number, value: string): Answer =>
  type === ComponentType.TextInput || type === ComponentType.RadioGroup
    ? { type, value }
    : { type, values: value === '' ? [] : value.split(' ') };

/** Shapes that are never an answer of a component of that type. */
function wrongShapes(type: number, field: ShownField): readonly Shape[] {
  if (field.kind === 'text')
    return [
      ...['true', '7', '["7"]', '{}'].map((json): Shape => [json, { type, value: JSON.parse(json) }]),
      ['a list', { type, values: ['7'] }],
      ['a box', { type: ComponentType.Checkbox, value: true }],
      ['too long', { type, value: 'x'.repeat(maxLengthOf(field) + 1) }],
      ...(field.optional
        ? []
        : ['""', 'null'].map((json): Shape => [json, { type, value: JSON.parse(json) }])),
    ];
  const isMany = type !== ComponentType.RadioGroup;
  const valid = goodValue('', field).split(' ')[0] ?? '';
  const shapes = ['null', 'true', '7', '{}', '"never offered"', '[null]', '["never offered"]', '["a","b"]'];
  const values = shapes.map((json): unknown => JSON.parse(json));
  const isOne = field.kind !== 'several';
  const isOptional = 'optional' in field && field.optional === true;
  return [
    ...values.map((value): Shape => [JSON.stringify(value), { type, [isMany ? 'values' : 'value']: value }]),
    // A group of boxes or a menu has a list, the others have one value.
    ['below the other name', { type, [isMany ? 'value' : 'values']: isMany ? valid : [valid] }],
    ['nothing', { type }],
    ['a box', { type: ComponentType.Checkbox, value: true }],
    ['a text', { type: ComponentType.TextInput, value: [valid] }],
    ...(isMany && isOne && !isOptional ? [['none', { type, values: [] }] as const] : []),
    ...(field.kind === 'channel'
      ? [
          [
            'foreign',
            { type, values: [FOREIGN] },
            boardRefusal({ kind: 'unknown-channel' }, FOREIGN, t),
          ] as const,
        ]
      : []),
    ...(field.kind === 'role'
      ? [['foreign', { type, values: [FOREIGN] }, t('discord.oldCommand')] as const]
      : []),
  ];
}

/** Shapes of an answer that is left empty or repeats itself. */
function rightShapes(name: string, type: number, field: ShownField): readonly Answer[] {
  const good = goodAnswer(type, goodValue(name, field));
  if (field.kind === 'text')
    return field.optional ? [good, { type, value: '' }, { type, value: null }] : [good];
  if (field.kind === 'several') {
    const [first = ''] = Object.keys(field.choices);
    return [good, { type, values: [] }, { type, values: [first, first] }];
  }
  return 'optional' in field && field.optional ? [good, { type, values: [] }] : [good];
}

const Response = z.object({
  data: z.object({
    content: z.string().default(''),
    flags: z.int().default(0),
    components: z
      .array(
        z.object({
          components: z.array(z.object({ custom_id: z.string().default('') })).default([]),
          component: z
            .object({
              type: z.int(),
              custom_id: z.string(),
              value: z.string().optional(),
              options: z
                .array(z.object({ value: z.string(), default: z.boolean().default(false) }))
                .default([]),
              default_values: z.array(z.object({ id: z.string() })).default([]),
            })
            .optional(),
        }),
      )
      .default([]),
  }),
});

/** A board in the channel, which changes as it is asked to. */
const boards: Context['boards'] = {
  ...peopleInMemory().boards,
  create: async () => ({ kind: 'created', posted: true }),
  edit: async (_guild, _channel, options) => ({ ...newBoardOptions, ...options }),
  list: async (guildId) => [
    {
      settings: {
        ...{ guildId, channelId: CHANNEL, madeBy: '1', locale: 'en', colours: true, madeAt: 0 },
        ...{ removed: false, options: newBoardOptions },
      },
      ...{ mode: 'live', isPosted: true, paused: null, lastEdit: null, checked: null, errors: [] },
      access: { kind: 'open' },
      placeProblems: [],
    },
  ],
};

/** A person who may do everything in their guild, and what the window is about. */
async function openBot(window: Window, locale = 'en-GB') {
  const people = peopleInMemory();
  let pendingAnswer: PromiseWithResolvers<void> = Promise.withResolvers();
  const dispatch = dispatchInMemory({
    commands,
    context: { ...people, boards },
    // However busy the machine is, no answer takes so long that it is put off.
    clock: createManualClock(),
    guilds: [
      {
        id: GUILD,
        channels: [{ id: CHANNEL, type: ChannelType.GuildText, name: 'cars' }],
        roles: [{ id: ROLE, name: 'Drivers', permissions: '0' }],
      },
    ],
    answer() {
      pendingAnswer.resolve();
      return new globalThis.Response(null, { status: 204 });
    },
  });
  async function ask(type: InteractionType, data: object) {
    pendingAnswer = Promise.withResolvers();
    dispatch.ask({
      ...{ type, data, locale, message: { id: '1', flags: MessageFlags.Ephemeral } },
      ...inGuild(GUILD, String(PermissionFlagsBits.Administrator)),
    });
    await pendingAnswer.promise;
    return Response.parse(JSON.parse(dispatch.heard.at(-1)?.body ?? '')).data;
  }
  const idOf = ({ name, form, kept }: Window): string =>
    writeCustomId({ command: name, action: 'form', subject: valuesInSubject(form, kept) });
  const bot = {
    /** Opens a window by its button. */
    async open(customId: string) {
      const { components } = await ask(InteractionType.MessageComponent, {
        ...{ custom_id: customId, component_type: ComponentType.Button },
      });
      return components.flatMap(({ component }) => component ?? []);
    },
    openFirst: (window: Window) => bot.open(idOf(window)),
    submit: (window: Window, answers: Readonly<Record<string, Answer>>) =>
      ask(InteractionType.ModalSubmit, {
        custom_id: idOf(window),
        components: Object.entries(answers).map(([custom_id, answer], at) => ({
          ...{ type: ComponentType.Label, id: 2 * at },
          component: { id: 2 * at + 1, custom_id, ...answer },
        })),
      }),
  };
  const place = { person: PERSON, guild: GUILD, channel: CHANNEL };
  for (const part of parts) await part.prepare?.(window.kept, people, place);
  return bot;
}

type Bot = Awaited<ReturnType<typeof openBot>>;

/** An answer to each field, of the type that the opened window shows. */
async function goodAnswers(bot: Pick<Bot, 'openFirst'>, window: Window) {
  const types = new Map((await bot.openFirst(window)).map(({ custom_id, type }) => [custom_id, type]));
  return Object.fromEntries(
    shownFields(window).map(([name, field]) => [
      name,
      goodAnswer(types.get(name) ?? 0, goodValue(name, field)),
    ]),
  );
}

/** The values in the fields of a window. */
function valuesIn(components: Awaited<ReturnType<Bot['open']>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    components.map(({ custom_id, value, options, default_values: defaults }) => [
      custom_id,
      value ??
        [
          ...options.flatMap((option) => (option.default ? [option.value] : [])),
          ...defaults.map(({ id }) => id),
        ].join(' '),
    ]),
  );
}

/** All cases of a window: a field and one answer to it, beside good ones to the others. */
async function casesOf(window: Window) {
  const good = await goodAnswers(await openBot(window), window);
  return shownFields(window).map(([name, field]) => ({
    ...{ name, field, good },
    type: z.int().parse(good[name]?.['type']),
  }));
}

test('every window is tried', () => {
  expect(windows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['settings', 'setup', ...parts.flatMap((part) => part.names)]),
  );
});

describe.each(titles)('the window of %s', (_title, window) => {
  test('refuses each answer of another shape, and keeps all else', async () => {
    // A draft of a convoy would remember the answers of another case.
    const isFresh = window.form.keep !== undefined;
    let bot = await openBot(window);
    for (const { name, field, type, good } of await casesOf(window))
      for (const [what, wrong, refusal = t('discord.oldChoice')] of wrongShapes(type, field)) {
        const where = `${name}: ${what}`;
        if (isFresh) bot = await openBot(window);
        const { content, components } = await bot.submit(window, { ...good, [name]: wrong });
        expect(`${where} → ${content}`).toBe(`${where} → ${refusal}`);
        const reopenId = components.flatMap((row) => row.components)[0]?.custom_id ?? '';
        const values = valuesIn(await bot.open(reopenId));
        for (const [other, otherField] of shownFields(window)) {
          // A person whose time zone is known by then is not asked for it.
          if (other === name || values[other] === undefined) continue;
          expect(`${where} → ${other}: ${values[other]}`).toBe(
            `${where} → ${other}: ${goodValue(other, otherField)}`,
          );
        }
      }
  });

  test('reads each answer as Discord sends it', async () => {
    for (const { name, field, type, good } of await casesOf(window))
      for (const right of rightShapes(name, type, field)) {
        const bot = await openBot(window);
        const { content } = await bot.submit(window, { ...good, [name]: right });
        expect([name, right, content]).not.toContain(t('discord.oldChoice'));
      }
  });

  test.each(languages)('refuses in %s, to the person alone', async (locale) => {
    const bot = await openBot(window, locale);
    const good = await goodAnswers(bot, window);
    const [[name = ''] = []] = shownFields(window);
    const { content, flags } = await bot.submit(window, { ...good, [name]: { type: 0 } });
    expect(content).toBe(translatorFor(locale)('discord.oldChoice'));
    expect(flags & MessageFlags.Ephemeral).toBe(MessageFlags.Ephemeral);
  });

  test('answers the longest values, which stand in its id as far as they fit', async () => {
    const bot = await openBot(window);
    const answers = Object.entries(await goodAnswers(bot, window)).map(([name, good]) => {
      const field = window.form.fields[name];
      return [name, field?.kind === 'text' ? { ...good, value: 'x'.repeat(maxLengthOf(field)) } : good];
    });
    const { content, components } = await bot.submit(window, Object.fromEntries(answers));
    expect(content).not.toContain('went wrong');
    const refusal = parts.map(({ refusals = {} }) => refusals[window.name]).find((key) => key !== undefined);
    if (refusal !== undefined) expect([content, components]).toEqual([t(refusal), []]);
  });
});
