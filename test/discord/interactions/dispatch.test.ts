import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  ComponentType,
  InteractionType,
} from 'discord.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { HOUR, SECOND } from '../../../src/base/duration.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { defineCommand } from '../../../src/command-kit/command.ts';
import type { Person } from '../../../src/command-kit/context.ts';
import { defineForm } from '../../../src/command-kit/form.ts';
import type { Commands } from '../../../src/discord/publish/load.ts';
import { dispatchInMemory, inGuild } from '../../support/dispatch-in-memory.ts';
import { peopleInMemory } from '../../support/people.ts';

const GUILD = '100000000000000001';
const TEXT = '110000000000000001';
const VOICE = '110000000000000002';
const ROLE = '110000000000000003';
const ELSEWHERE = '999000000000000009';
const MANAGE_GUILD = '32';
/** A round trip to the store, in virtual ms. */
const ROUND_TRIP = 100;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const guild = {
  id: GUILD,
  roles: [{ id: ROLE, permissions: '0' }],
  channels: [
    { id: TEXT, type: ChannelType.GuildText },
    { id: VOICE, type: ChannelType.GuildVoice },
  ],
};

/** One command `/try`, which answers at once and writes down who asked. */
function tried() {
  const people: Person[] = [];
  const base = { topic: 'bot', visibility: 'private', description: 'board.description' } as const;
  const place = { description: 'board.options.channel', required: false } as const;
  const command = defineCommand({
    ...base,
    options: {
      channel: { kind: 'channel', ...place },
      role: { kind: 'role', ...place },
    },
    form: defineForm({
      title: 'setup.title',
      fields: { channel: { kind: 'channel', label: 'setup.channel' } },
      begin: async () => ({}),
      submit: async ({ channel = '' }) => ({ content: `form: ${channel}` }),
    }),
    async run(args, { person }) {
      people.push(person);
      return { content: `args: ${JSON.stringify(args)}` };
    },
  });
  const commands: Commands = new Map([['try', command]]);
  return { people, commands };
}

const typed = (options: readonly object[] = [], resolved: object = {}) => ({
  type: InteractionType.ApplicationCommand,
  data: { id: '1', name: 'try', type: ApplicationCommandType.ChatInput, options, resolved },
});
const flag = { name: 'private', type: ApplicationCommandOptionType.Boolean, value: true };

/** What Discord has been told by the time that all is quiet. */
async function said(bot: ReturnType<typeof dispatchInMemory>): Promise<string> {
  await vi.advanceTimersByTimeAsync(1000);
  return bot.heard.map(({ body }) => body).join('\n');
}

describe('an id that belongs to another guild', () => {
  const guilds = [guild];
  const { Channel, Role } = ApplicationCommandOptionType;
  const placed = (name: string, type: ApplicationCommandOptionType, value: string) =>
    typed([{ name, type, value }], {
      channels: { [value]: { id: value } },
      roles: { [value]: { id: value } },
    });
  const filledIn = (value: string) => ({
    type: InteractionType.ModalSubmit,
    data: {
      custom_id: '1:try:form:',
      components: [
        {
          type: ComponentType.Label,
          component: { type: ComponentType.ChannelSelect, custom_id: 'channel', values: [value] },
        },
      ],
    },
  });
  const here = inGuild(GUILD, MANAGE_GUILD);

  test.for([
    ['a channel', placed('channel', Channel, ELSEWHERE), "I can't find <#999000000000000009> here"],
    ['a role', placed('role', Role, ELSEWHERE), 'I no longer have that command'],
    ['a field of a form', filledIn(ELSEWHERE), "I can't find <#999000000000000009> here"],
  ] as const)(
    'is not taken from %s, although Discord is said to have resolved it',
    async ([, sent, words]) => {
      const bot = dispatchInMemory({ commands: tried().commands, guilds });
      bot.ask({ ...sent, ...here });
      expect(await said(bot)).toContain(words);
    },
  );

  test.for([
    ['a channel', placed('channel', Channel, TEXT), `args: {\\"channel\\":\\"${TEXT}\\"`],
    ['a role', placed('role', Role, ROLE), `\\"role\\":\\"${ROLE}\\"`],
    ['a field of a form', filledIn(TEXT), `form: ${TEXT}`],
  ] as const)('is taken from %s of this guild', async ([, sent, words]) => {
    const bot = dispatchInMemory({ commands: tried().commands, guilds });
    bot.ask({ ...sent, ...here });
    expect(await said(bot)).toContain(words);
  });

  test('looks like an own one while Discord does not serve the guild, and says so', async () => {
    const bot = dispatchInMemory({ commands: tried().commands, guilds: [{ ...guild, isServed: false }] });
    bot.ask({ ...placed('channel', Channel, TEXT), ...here });
    expect(await said(bot)).toContain('args:');
  });
});

describe('with a store that takes 100 ms for everything', () => {
  /** How long an answer took, in ms. */
  async function acknowledged(after = ROUND_TRIP): Promise<number> {
    const later = <T>(value: T) => new Promise<T>((done) => setTimeout(done, after, value));
    const { store } = peopleInMemory();
    const guildSettings = {
      ...store.guildSettings,
      of: async (id: string | null) => later(await store.guildSettings.of(id)),
    };
    const bot = dispatchInMemory({
      commands: tried().commands,
      context: { store: { ...store, guildSettings } },
    });
    const at = performance.now();
    bot.ask({ ...typed([flag]), ...inGuild(GUILD) });
    await said(bot);
    return Math.round((bot.heard[0]?.at ?? Number.NaN) - at);
  }

  test('an interaction is acknowledged after one round trip, or when it is due', async () => {
    expect(await acknowledged()).toBe(ROUND_TRIP);
    expect(await acknowledged(400)).toBe(300);
  });
});

test.for([
  [1001, ['slow answer']],
  [900, []],
] as const)('an answer that Discord has after %d ms is slow: %j', async ([ms, messages]) => {
  const lines: string[] = [];
  const answered = Promise.withResolvers<unknown>();
  let lateMs = 0;
  const bot = dispatchInMemory({
    commands: tried().commands,
    log: createLog({ level: 'warn', secrets: [], stream: { write: (line) => void lines.push(line) } }),
    clock: { ...systemClock, monotonic: () => lateMs },
    onAnswered: answered.resolve,
    answer() {
      lateMs = ms;
      return new Response(null, { status: 204 });
    },
  });
  bot.ask(typed());
  await answered.promise;
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(messages);
});

describe('of 400 interactions that come at once and take long', () => {
  /** A bot that is asked 400 times for what it does not know yet, and from then on answers at once. */
  function asked() {
    let left = 400;
    const command = defineCommand({
      ...{ topic: 'bot', visibility: 'public', description: 'board.description', options: {} },
      run: () => (left-- > 0 ? new Promise<never>(() => {}) : Promise.resolve({ content: 'known' })),
    });
    const bot = dispatchInMemory({ commands: new Map([['try', command]]) });
    const at = performance.now();
    for (let count = 0; count < 400; count += 1) bot.ask(typed());
    return { ...bot, after: () => bot.heard.map((each) => each.at - at) };
  }

  test('one is acknowledged after the other, instead of all when the first is due', async () => {
    const bot = asked();
    await vi.advanceTimersByTimeAsync(300);
    const after = bot.after();
    const within = (from: number, to: number) => after.filter((ms) => ms >= from && ms < to).length;
    expect(after).toHaveLength(400);
    expect(Math.max(...after)).toBe(300);
    expect([within(50, 100), within(150, 200), within(250, 300)]).toEqual([50, 50, 50]);
  });

  test('none delays an answer that is known', async () => {
    const bot = asked();
    await vi.advanceTimersByTimeAsync(10);
    bot.ask(typed());
    await vi.advanceTimersByTimeAsync(0);
    expect(bot.heard.at(-1)?.body).toContain('known');
  });
});

test('one that Discord sends twice is answered once', async () => {
  const bot = dispatchInMemory({ commands: tried().commands });
  for (let time = 0; time < 2; time += 1) bot.ask({ ...typed([flag]), id: '300000000000000000' });
  await said(bot);
  expect(bot.heard).toHaveLength(1);
});

test('a wait is told by the clock that the bot runs by', async () => {
  const clock = { ...systemClock, now: () => systemClock.now() + HOUR };
  const retryAt = clock.now() + 40 * SECOND;
  const run = () => Promise.reject(new ServiceError('over-budget', { endpoint: 'car', sent: 'no', retryAt }));
  const base = { topic: 'bot', visibility: 'public', description: 'board.description', options: {} } as const;
  const bot = dispatchInMemory({ commands: new Map([['try', defineCommand({ ...base, run })]]), clock });
  bot.ask(typed());
  expect(await said(bot)).toContain('in 40 seconds');
});

test('an interaction that another process may have answered has no effect', async () => {
  const { people, commands } = tried();
  const bot = dispatchInMemory({ commands, mayAnswer: async () => false });
  bot.ask(typed([flag]));
  await vi.advanceTimersByTimeAsync(2000);
  expect([bot.heard, people]).toEqual([[], []]);
});

test('where only a person has installed the bot, nothing of the guild applies', async () => {
  const { people, commands } = tried();
  const asked: (string | null)[] = [];
  const { store } = peopleInMemory();
  const guildSettings = {
    ...store.guildSettings,
    async of(guildId: string | null) {
      asked.push(guildId);
      return store.guildSettings.of(guildId);
    },
  };
  const bot = dispatchInMemory({ commands, context: { store: { ...store, guildSettings } } });
  const personal = { authorizing_integration_owners: { 1: '100000000000000004' } };
  const named = { members: { 7: {} }, users: { 7: {} } };
  bot.ask({ ...typed([flag], named), ...inGuild(GUILD, MANAGE_GUILD), ...personal });
  await said(bot);
  expect(people).toMatchObject([{ guildId: null, mayManage: false, members: new Set() }]);
  expect(asked).toEqual([null]);
});

test("a member by Discord's word counts as one in the guild, not in a direct message", async () => {
  const { people, commands } = tried();
  const bot = dispatchInMemory({ commands });
  const named = typed([flag], { users: { 7: {}, 8: {} }, members: { 7: {} } });
  bot.ask({ ...named, ...inGuild(GUILD, MANAGE_GUILD) });
  await said(bot);
  bot.ask(named);
  await said(bot);
  expect(people).toMatchObject([
    { guildId: GUILD, members: new Set(['7']) },
    { guildId: null, members: new Set() },
  ]);
});

test('without a language it is answered in English', async () => {
  const { people, commands } = tried();
  const bot = dispatchInMemory({ commands });
  bot.ask({ ...typed([flag]), locale: undefined });
  expect(await said(bot)).toContain('args:');
  expect(people).toMatchObject([{ locale: 'en' }]);
});

test('whoever has lost the right reads that, whatever the form has sent', async () => {
  const { commands } = tried();
  const [command] = commands.values();
  if (command === undefined) throw new Error('no command');
  const managed: Commands = new Map([['try', { ...command, permission: 'manage-guild' }]]);
  const sent = { type: InteractionType.ModalSubmit, data: { custom_id: '1:try:form:', components: [] } };
  const bot = dispatchInMemory({ commands: managed });
  bot.ask({ ...sent, ...inGuild(GUILD) });
  expect(await said(bot)).toContain('You need *Manage Server* for this.');
  bot.ask({ ...sent, ...inGuild(GUILD, MANAGE_GUILD) });
  expect(await said(bot)).toContain('I no longer have that choice.');
});

test('custom ids that no card has written leave no line in the log, others one each', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], stream: { write: (line) => lines.push(line) } });
  const bot = dispatchInMemory({ commands: tried().commands, log });
  const message = { id: '1', channel_id: '1', flags: 0 };
  const press = (custom_id: string) => ({
    type: InteractionType.MessageComponent,
    data: { custom_id, component_type: ComponentType.Button },
    message,
  });
  for (const id of ['1:try:nothing:', '1:gone:show:', '0:try:show:', 'x'.repeat(100)]) bot.ask(press(id));
  expect(await said(bot)).toContain('from an older version');
  expect(lines).toEqual([]);
  bot.ask(typed([flag]));
  await said(bot);
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['interaction']);
});
