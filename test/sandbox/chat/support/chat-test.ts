import { once } from 'node:events';
import {
  ChannelType,
  type ChatInputCommandInteraction,
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  type Interaction,
} from 'discord.js';
import { test as base } from 'vitest';
import { z } from 'zod';
import type { LocalChat } from '../../../../src/sandbox/chat/chat-server.ts';
import type { Visitor } from '../../../../src/sandbox/chat/visitor/visitor.ts';
import { startChatServer } from '../../../support/outside-judge.ts';

/** What the tests look at in an answer. */
const thing = z
  .looseObject({
    id: z.string(),
    code: z.number(),
    content: z.string(),
    name: z.string(),
    version: z.string(),
    retry_after: z.number(),
    mentions: z.array(z.object({ id: z.string() })),
    errors: z.unknown(),
  })
  .partial();

/** What REST answered: one thing, or a list of them. */
export interface Told {
  readonly status: number;
  readonly body: z.output<typeof thing>;
  readonly list: readonly z.output<typeof thing>[];
  readonly headers: Headers;
}

/** The codes that an answer has at a path such as `embeds.0.title`. */
export function complaintsAt(told: Told, path: string): readonly string[] {
  const node = path
    .split('.')
    .reduce<unknown>(
      (inner, step) => z.record(z.string(), z.unknown()).catch({}).parse(inner)[step],
      told.body.errors,
    );
  const { _errors } = z
    .object({ _errors: z.array(z.object({ code: z.string() })).catch([]) })
    .catch({ _errors: [] })
    .parse(node);
  return _errors.map(({ code }) => code);
}

interface ChatTest {
  /** The server's clock runs ahead of the real one by as much as a test says. */
  readonly clock: { ahead: number };
  readonly chat: LocalChat;
  /** The first text channel. */
  readonly channel: string;
  /** Has Manage Server. */
  readonly visitor: Visitor;
  readonly neighbour: Visitor;
  /** An unmodified client, ready, its one command published. */
  readonly client: Client<true>;
  /** Asks REST directly, as the bot. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<Told>;
  /** What the bot does with each interaction, until it is told otherwise. */
  readonly answer: (handler: (interaction: Interaction) => Promise<unknown>) => void;
}

/** Published by the client of these tests. */
export const COMMANDS = [
  {
    name: 'profile',
    description: 'A driver',
    options: [{ type: 3, name: 'player', description: 'Who', required: true, autocomplete: true }],
  },
  {
    name: 'board',
    description: 'Live status',
    default_member_permissions: '32',
    options: [
      {
        type: 1,
        name: 'create',
        description: 'Makes one',
        options: [{ type: 7, name: 'channel', description: 'Where', required: true, channel_types: [0] }],
      },
    ],
  },
];

export function newClient(chat: LocalChat, options: Partial<ClientOptions> = {}): Client {
  return new Client({
    intents: [GatewayIntentBits.Guilds],
    ...options,
    rest: { api: chat.apiUrl, ...options.rest },
  });
}

export async function ready(client: Client, token: string): Promise<Client<true>> {
  const done = once(client, Events.ClientReady);
  await client.login(token);
  await done;
  if (!client.isReady()) throw new Error('the client is not ready');
  return client;
}

export const test = base.extend<ChatTest>({
  clock: async ({ task: _ }, use) => {
    await use({ ahead: 0 });
  },
  chat: async ({ clock }, use) => {
    const chat = await startChatServer({ now: () => Date.now() + clock.ahead });
    await use(chat);
    await chat.close();
  },
  channel: async ({ chat }, use) => {
    await use(chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '');
  },
  visitor: async ({ chat }, use) => {
    await use(chat.visitor(chat.people[0] ?? ''));
  },
  neighbour: async ({ chat }, use) => {
    await use(chat.visitor(chat.people[1] ?? ''));
  },
  client: async ({ chat }, use) => {
    const client = await ready(newClient(chat), chat.token);
    await client.application.commands.set(COMMANDS);
    await chat.ready();
    await use(client);
    await client.destroy();
  },
  ask: async ({ chat }, use) => {
    await use(async (method, path, body) => {
      const response = await fetch(`${chat.apiUrl}/v10${path}`, {
        method,
        headers: { authorization: `Bot ${chat.token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const json: unknown = text === '' ? null : JSON.parse(text);
      return {
        status: response.status,
        body: thing.catch({}).parse(json),
        list: z.array(thing).catch([]).parse(json),
        headers: response.headers,
      };
    });
  },
  answer: async ({ client }, use) => {
    let handler: (interaction: Interaction) => Promise<unknown> = async () => {};
    client.on(Events.InteractionCreate, (interaction) => void handler(interaction));
    await use((next) => {
      handler = next;
    });
  },
});

/** The interaction as the slash command that it has to be. */
export function slash(interaction: Interaction): ChatInputCommandInteraction {
  if (!interaction.isChatInputCommand()) throw new Error('no slash command');
  return interaction;
}
