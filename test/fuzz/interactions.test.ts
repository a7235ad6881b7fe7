import { text } from 'node:stream/consumers';
import {
  type APIEmbed,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionType,
} from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../src/base/clock.ts';
import { type Fault, faults, ServiceError } from '../../src/base/errors.ts';
import { languages } from '../../src/base/languages.ts';
import { createLog } from '../../src/base/log.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import { createDispatch } from '../../src/discord/interactions/dispatch.ts';
import { loadCommands } from '../../src/discord/publish/load.ts';
import type { Call } from '../../src/service/call.ts';
import { createClient } from '../../src/service/client.ts';
import { places } from '../service/loopback.ts';
import { codePoint } from '../support/code-point.ts';
import { contextParts } from '../support/context.ts';
import * as documents from '../support/documents.ts';
import { breaches } from '../support/embed-limits.ts';
import { longNames } from '../support/hostile-names.ts';
import { createInteraction, createOfflineClient } from '../support/interaction.ts';
import { peopleInMemory } from '../support/people.ts';
import { bodies } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';
import { hostile } from '../text/in-game.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const translatorFor = createTranslators();
const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const guildId = '100000000000000001';
const APPLICATION = '100000000000000002';
const CHANNEL = '100000000000000003';
const PERSON = '100000000000000004';

// ── The data service ────────────────────────────────────────────────────────────────────────────────

/** What is answered next: a fault, or the record that was asked for. */
let mood: Fault | null = null;

function bodyOf({ endpoint, query }: Call): unknown {
  const known: Readonly<Record<string, unknown>> = {
    ...bodies,
    profile: { ...documents.profileFull, username: query['username'] },
    car: { ...documents.carFirstHand, vin: query['vin'] },
    options: documents.optionsAsText,
    overview: documents.overviewFive,
    'chat-status': documents.chatWidget,
    live: documents.liveLater,
  };
  return known[endpoint];
}

const service = createClient({
  places,
  layer: async (call) => {
    if (mood !== null) throw new ServiceError(mood, { endpoint: call.endpoint, sent: 'yes' });
    const body = bodyOf(call);
    return { body, asOf: call.trueAt(body) ?? Date.now(), stale: null, rate: null };
  },
});

// ── Discord ─────────────────────────────────────────────────────────────────────────────────────────

interface Said {
  readonly id: string;
  readonly body: string;
}
let hear: (said: Said) => void = () => {};

/** What it would send is what there is to judge. */
const client = createOfflineClient({
  async makeRequest(url, { body }) {
    const id = /interactions\/(\d+)\//.exec(url)?.[1] ?? '';
    hear({ id, body: body instanceof FormData ? await fieldsOf(body) : await textOf(body) });
    return new Response(null, { status: 204 });
  },
});

async function fieldsOf(form: FormData): Promise<string> {
  return String(form.get('payload_json'));
}

async function textOf(body: unknown): Promise<string> {
  if (typeof body === 'string') return body;
  return body instanceof ReadableStream ? text(body) : '';
}

/** A reply to a person, or the suggestions below an option. */
const Answer = z.object({
  type: z.int(),
  data: z.looseObject({
    content: z.string().nullish(),
    embeds: z.array(z.custom<APIEmbed>()).optional(),
    components: z.array(z.unknown()).optional(),
    allowed_mentions: z.unknown().optional(),
    choices: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    title: z.string().optional(),
  }),
});

let lastId = 200_000_000_000_000_000n;

/** What a person does, without who and where. */
interface Deed {
  readonly type: InteractionType;
  readonly data: object;
  readonly message?: object;
}

interface Where {
  readonly locale: string;
  readonly inGuild: boolean;
  readonly mayManage: boolean;
}

const user = { id: PERSON, username: 'anna', discriminator: '0', avatar: null, global_name: null };

function frame({ locale, inGuild, mayManage }: Where) {
  lastId += 1n;
  const member = {
    user,
    roles: [],
    joined_at: '2020-01-01T00:00:00.000Z',
    deaf: false,
    mute: false,
    flags: 0,
    permissions: mayManage ? '32' : '0',
  };
  return {
    id: String(lastId),
    token: 'token',
    application_id: APPLICATION,
    version: 1,
    channel_id: CHANNEL,
    channel: { id: CHANNEL, type: 0 },
    locale,
    entitlements: [],
    app_permissions: '0',
    attachment_size_limit: 1000,
    authorizing_integration_owners: inGuild ? { 0: guildId } : { 1: PERSON },
    ...(inGuild ? { guild_id: guildId, guild_locale: locale, member } : { user }),
  };
}

const message = {
  id: '100000000000000005',
  channel_id: CHANNEL,
  author: user,
  content: '',
  embeds: [],
  attachments: [],
  mentions: [],
  mention_roles: [],
  mention_everyone: false,
  pinned: false,
  tts: false,
  type: 0,
  timestamp: '2026-01-01T00:00:00.000Z',
  edited_timestamp: null,
  // The person who presses had requested it.
  interaction_metadata: { id: '1', type: 2, user, authorizing_integration_owners: {} },
};

// ── What people do ──────────────────────────────────────────────────────────────────────────────────

const odd = fc.oneof(
  fc.constantFrom('', '__proto__', 'constructor', '-1', '9'.repeat(30), 'k3nny', 'AB12C', '😀'.repeat(64)),
  fc.constantFrom(...hostile),
  fc.constantFrom(...Object.values(longNames).map((name) => name.slice(0, 100))),
  fc.string({ unit: codePoint, maxLength: 40 }),
);
const names = [...commands.keys()];
const words = [
  'show',
  'refresh',
  'overview',
  'garage',
  'open',
  'page',
  'tell',
  'sort',
  'confirm',
  'mine',
  'km',
];
/** Ids that a card may have written, such as one from an older version, and such as nobody has written. */
const customId = fc.oneof(
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...words), fc.nat(12), fc.boolean(), odd)
    .map(([name, word, n, again, subject]) =>
      `1:${name}:${again ? 'refresh-' : ''}${word}${n > 9 ? '' : `-${n}`}:${subject}`.slice(0, 100),
    ),
  odd.map((subject) => `1:setup:form:${subject}`.slice(0, 100)),
  odd,
);

const where: fc.Arbitrary<Where> = fc.record({
  locale: fc.constantFrom(...languages, 'xx', 'zh-CN', '', 'not a locale'),
  inGuild: fc.boolean(),
  mayManage: fc.boolean(),
});

const pressed = fc.tuple(customId, fc.option(fc.array(odd, { maxLength: 3 }))).map(([id, values]): Deed => {
  const component = { custom_id: id, id: 1 };
  const press = { type: InteractionType.MessageComponent, message };
  return values === null
    ? { ...press, data: { ...component, component_type: ComponentType.Button } }
    : { ...press, data: { ...component, component_type: ComponentType.StringSelect, values } };
});

/** A command with arbitrary values in its options: its own names, other ones, or none. */
const typedOptions = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(
      ...['player', 'vin', 'a', 'b', 'server', 'language', 'distances', 'refresh', 'private', 'odd'],
    ),
    type: fc.constant(ApplicationCommandOptionType.String),
    value: fc.oneof(odd, fc.constantFrom('one', 'two', 'miles', 'de', 'k3nny', 'AB12C')),
  }),
  { selector: ({ name }) => name, maxLength: 4 },
);
const subcommand = fc.constantFrom('create', 'remove', 'list', 'move', 'test', 'odd');

function dataOf(name: string, options: readonly object[], under: string) {
  const own = commands.get(name);
  const type = ApplicationCommandOptionType.Subcommand;
  const nested = own !== undefined && 'subcommands' in own ? [{ name: under, type, options }] : options;
  return { id: '100000000000000006', name, type: ApplicationCommandType.ChatInput, options: nested };
}

const invoked = fc.tuple(fc.constantFrom(...names, 'gone'), typedOptions, subcommand).map(
  ([name, options, under]): Deed => ({
    type: InteractionType.ApplicationCommand,
    data: dataOf(name, options, under),
  }),
);

const completed = fc
  .tuple(fc.constantFrom(...names, 'gone'), typedOptions, subcommand, odd)
  .map(([name, options, under, value]): Deed => {
    const typed = { name: 'player', type: ApplicationCommandOptionType.String, value, focused: true };
    const others = options.filter((option) => option.name !== typed.name);
    return {
      type: InteractionType.ApplicationCommandAutocomplete,
      data: dataOf(name, [...others, typed], under),
    };
  });

const submitted = fc
  .tuple(
    customId,
    fc.array(fc.tuple(fc.constantFrom('channel', 'language', 'distances', 'odd'), odd), { maxLength: 5 }),
  )
  .map(
    ([id, fields]): Deed => ({
      type: InteractionType.ModalSubmit,
      data: {
        custom_id: id,
        components: fields.map(([name, value], index) => ({
          ...{ type: ComponentType.Label, id: 2 * index },
          component: {
            type: ComponentType.StringSelect,
            id: 2 * index + 1,
            custom_id: name,
            values: [value],
          },
        })),
      },
    }),
  );

const onPerson = fc.constantFrom('Driver profile', 'Gone').map(
  (name): Deed => ({
    type: InteractionType.ApplicationCommand,
    data: {
      id: '100000000000000006',
      name,
      type: ApplicationCommandType.User,
      target_id: PERSON,
      resolved: { users: { [PERSON]: user } },
    },
  }),
);

/** Not what a person may read: values of our own, an error's text, or where it was thrown. */
const leaks = /\b(?:NaN|undefined|Infinity)\b|∞|\[object|Invalid Date|\{\{|[A-Z][a-z]+Error\b|\.ts:\d/;

test(`${RUNS} interactions have one sound answer each, and none is a bug`, { timeout: 300_000 }, async () => {
  process.stdout.write(`interactions: FUZZ_SEED=${seed}\n`);
  const log = createLog({ level: 'fatal', secrets: [] });
  const people = peopleInMemory();
  const bugs: unknown[] = [];
  const dispatch = createDispatch({
    mayAnswer: async () => true,
    commands,
    context: contextParts({
      service,
      recentNames: {
        players: (typed) => ['k3nny', `${typed}x`, ...hostile.slice(0, 5)],
        vins: () => [{ vin: 'AB12C', type: longNames.markup }],
        playersNear: () => ['k3nny', '😀'.repeat(64)],
        vinsNear: () => [],
        playersCalled: (typed) =>
          hostile.slice(0, 5).map((nickname) => ({ username: typed, nickname, at: 0, fit: 'only' })),
        licences: () => [longNames.markup],
        nicknameOf: () => longNames.markup,
        playerWithId: () => null,
      },
      ...people,
    }),
    notify: async () => {},
    clock: systemClock,
    translatorFor,
    viewerOf: createViewers({
      translatorFor,
      service,
      store: people.store,
      failed: (error) => bugs.push(error),
    }),
    log,
    onBug: (bug) => bugs.push(bug),
    deferAfter: 10_000,
  });
  const seen = new Map<number, number>();

  function judge(body: string): void {
    const { type, data } = Answer.parse(JSON.parse(body));
    seen.set(type, (seen.get(type) ?? 0) + 1);
    const { choices, content, embeds = [], components = [], title } = data;
    if (title !== undefined) {
      expect([title.length > 0 && title.length <= 45, components.length > 0]).toEqual([true, true]);
      return;
    }
    if (choices !== undefined) {
      expect(choices.length).toBeLessThanOrEqual(25);
      for (const { name, value } of choices)
        expect([name.length > 0 && name.length <= 100, value.length > 0 && value.length <= 100]).toEqual([
          true,
          true,
        ]);
      return;
    }
    expect(data.allowed_mentions).toEqual({ parse: [] });
    expect((content ?? '').length).toBeLessThanOrEqual(2000);
    expect(content || embeds.length > 0).toBeTruthy();
    expect(breaches({ content: content ?? '', embeds, components })).toEqual([]);
    expect(JSON.stringify({ content, embeds })).not.toMatch(leaks);
  }

  const deeds = fc.oneof(
    { weight: 5, arbitrary: pressed },
    { weight: 4, arbitrary: invoked },
    { weight: 2, arbitrary: completed },
    { weight: 1, arbitrary: onPerson },
    { weight: 1, arbitrary: submitted },
  );
  const moods = fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constantFrom(...faults) },
  );
  await fc.assert(
    fc.asyncProperty(deeds, where, moods, async (deed, here, next) => {
      mood = next;
      const place = frame(here);
      const answered = Promise.withResolvers<Said>();
      let count = 0;
      hear = (said) => {
        count += 1;
        answered.resolve(said);
      };
      dispatch.handle(createInteraction(client, { ...place, ...deed }));
      const said = await answered.promise;
      await new Promise(setImmediate);
      expect({ id: said.id, count }).toEqual({ id: place.id, count: 1 });
      judge(said.body);
      expect(bugs.splice(0)).toEqual([]);
    }),
    { numRuns: RUNS, seed },
  );
  // New messages, updates in place, suggestions, and forms.
  expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual([4, 7, 8, 9]);
});
