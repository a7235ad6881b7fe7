import {
  type APIApplicationCommand,
  type APIApplicationCommandOptionChoice,
  type APIMessage,
  type APIUser,
  ChannelType,
  GuildMemberFlags,
  Locale,
  MessageFlags,
  MessageType,
  PermissionFlagsBits,
} from 'discord.js';
import type { ChatEvent, ChatServer } from '../../../../src/sandbox/chat/chat-server.ts';
import type { Filled } from '../../../../src/sandbox/chat/visitor/submitted-form.ts';
import type { Outcome, Visitor } from '../../../../src/sandbox/chat/visitor/visitor.ts';

type TypedOption = Parameters<Visitor['invoke']>[2][number];

/** What a bot would do, decided by each test. */
export interface Script {
  complete?(
    options: readonly TypedOption[],
    focused: string,
  ): Promise<readonly (string | APIApplicationCommandOptionChoice<string | number>)[]>;
  invoke?(command: string, options: readonly TypedOption[]): Promise<Outcome['acknowledged']>;
  press?(messageId: string, customId: string, values: readonly string[]): Promise<Outcome['acknowledged']>;
  /** Opened by every command and button. */
  readonly form?: Outcome['form'];
  submit?(filled: Filled): Promise<Outcome['acknowledged']>;
}

export interface FakeChat extends ChatServer {
  script: Script;
  /** Of each visit, oldest first: the language that the page asked for. */
  readonly locales: readonly (string | undefined)[];
  /** A message of the bot; `readerId` makes it private. */
  post(message: Partial<APIMessage>, readerId?: string | null): APIMessage;
  edit(id: string, change: Partial<APIMessage>): void;
  remove(id: string): void;
  /** How often the fault that happens once has. */
  readonly drops: number;
  /** Everybody is announced again. */
  announceMembers(): void;
  /** The voice channel has another name. */
  renameVoiceChannel(name: string): void;
  readonly said: readonly string[];
  /** `directly`: in the conversation with the bot. */
  readonly invoked: readonly {
    readonly directly?: boolean;
    readonly command: string;
    readonly options: readonly TypedOption[];
  }[];
  readonly usedOn: readonly { readonly entry: string; readonly personId: string }[];
  readonly pressed: readonly { readonly customId: string; readonly values: readonly string[] }[];
  readonly submitted: readonly Filled[];
}

const GUILD = '100000000000000001';
const BOT = '100000000000000009';
export const ALICE = '100000000000000011';
export const BERT = '100000000000000012';
const CARLA = '100000000000000013';
/** Alice's conversation with the bot. */
export const DIRECT = '100000000000000031';
/** The voice channel. */
/** People only read there. */
export const SERVERS = '100000000000000021';
const VOICE = '100000000000000029';

/**
 * The chat server's interface in memory, with the bot's part played by the test: it can be told to answer late,
 * never, or with what no bot of ours would send.
 */
export function createFakeChat(
  commands: readonly APIApplicationCommand[],
  names: Record<string, string> = {},
): FakeChat {
  const listeners = new Set<(event: ChatEvent) => void>();
  const messages: { message: APIMessage; readerId: string | null }[] = [];
  const said: string[] = [];
  const invoked: FakeChat['invoked'][number][] = [];
  const usedOn: { entry: string; personId: string }[] = [];
  const pressed: { customId: string; values: readonly string[] }[] = [];
  const locales: (string | undefined)[] = [];
  const submitted: Filled[] = [];
  let isLate = false;
  let drops = 0;
  let last = 200000000000000000n;
  const emit = (event: ChatEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const user = (id: string): APIUser => ({
    id,
    username: names[id] ?? { [ALICE]: 'alice', [BERT]: 'bert', [CARLA]: 'carla', [BOT]: 'Pitwall' }[id] ?? id,
    discriminator: '0',
    global_name: null,
    avatar: null,
    ...(id === BOT ? { bot: true } : {}),
  });
  const channels = [
    ...['general', 'servers'].map((name, position) => ({
      ...{ id: `10000000000000002${position}`, name, position, guild_id: GUILD },
      ...{ type: ChannelType.GuildText as const, topic: 'Where everybody talks' },
      // In the second one people only read.
      permission_overwrites:
        position === 0
          ? []
          : [{ id: GUILD, type: 0, allow: '0', deny: `${PermissionFlagsBits.SendMessages}` }],
    })),
    { id: VOICE, name: 'Pit Lane', position: 2, guild_id: GUILD, type: ChannelType.GuildVoice as const },
  ];

  const chat: FakeChat = {
    script: {},
    locales,
    said,
    invoked,
    usedOn,
    pressed,
    submitted,
    apiUrl: 'http://127.0.0.1:8999/api',
    token: 'fake',
    guildId: GUILD,
    guildName: 'Night Drivers',
    roles: [],
    channels,
    members: [ALICE, BERT, BOT, CARLA].map((id, index) => ({
      user: user(id),
      roles: [],
      joined_at: '2026-01-01T00:00:00.000Z',
      deaf: false,
      mute: false,
      flags: GuildMemberFlags.CompletedOnboarding,
      status: ['online', 'idle', 'online', 'offline'][index] ?? 'online',
    })),
    people: [ALICE, BERT],
    presence: null,
    get faults() {
      return [
        { name: 'late-interactions' as const, on: isLate, once: false },
        { name: 'gateway-drop' as const, on: false, once: true },
      ];
    },
    get drops() {
      return drops;
    },
    setFault(name, on) {
      if (name === 'gateway-drop') drops += 1;
      else if (name !== 'late-interactions') throw new Error(`no fault ${name}`);
      else isLate = on;
      emit({ type: 'faults' });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    directChannel: (userId) => (userId === ALICE ? DIRECT : `${DIRECT}${userId}`),
    ready: async () => {},
    close: async () => {},
    post(part, readerId = null) {
      const message: APIMessage = {
        id: String(++last),
        channel_id: channels[0]?.id ?? '',
        author: user(BOT),
        content: '',
        timestamp: new Date().toISOString(),
        edited_timestamp: null,
        tts: false,
        mention_everyone: false,
        mentions: [],
        mention_roles: [],
        attachments: [],
        embeds: [],
        pinned: false,
        type: MessageType.Default,
        ...(readerId === null ? {} : { flags: MessageFlags.Ephemeral }),
        ...part,
      };
      messages.push({ message, readerId });
      emit({ type: 'message', change: 'create', message, readerId });
      return message;
    },
    edit(id, change) {
      const entry = messages.find(({ message }) => message.id === id);
      if (entry === undefined) throw new Error(`no message ${id}`);
      entry.message = { ...entry.message, ...change };
      emit({ type: 'message', change: 'update', message: entry.message, readerId: entry.readerId });
    },
    remove(id) {
      const index = messages.findIndex(({ message }) => message.id === id);
      const [entry] = messages.splice(index, 1);
      if (entry === undefined) throw new Error(`no message ${id}`);
      emit({
        type: 'message-delete',
        channelId: entry.message.channel_id,
        messageId: id,
        readerId: entry.readerId,
      });
    },
    announceMembers: () => emit({ type: 'members' }),
    renameVoiceChannel(name) {
      const voice = channels.find(({ id }) => id === VOICE);
      if (voice !== undefined) voice.name = name;
      emit({ type: 'channels' });
    },
    visitor: (me, { locale } = {}): Visitor => {
      locales.push(locale);
      return {
        id: me,
        locale: locale ?? Locale.EnglishGB,
        // What needs a server is not offered in a conversation with the bot.
        commands: (channelId) =>
          channelId === DIRECT ? commands.filter(({ name }) => name !== 'board') : commands,
        messages: (channelId) =>
          messages
            .filter(({ message, readerId }) => message.channel_id === channelId && (readerId ?? me) === me)
            .map(({ message }) => message),
        say(channelId, content) {
          said.push(content);
          return chat.post({ channel_id: channelId, content, author: user(me) });
        },
        async complete(_channelId, _command, options, focused) {
          const choices = (await chat.script.complete?.(options, focused)) ?? [];
          return choices.map((one) => (typeof one === 'string' ? { name: one, value: one } : one));
        },
        async invoke(channelId, command, options) {
          invoked.push({ ...(channelId === DIRECT ? { directly: true } : {}), command, options });
          return outcome((await chat.script.invoke?.(command, options)) ?? 'failed', chat.script.form);
        },
        async invokeOn(_channelId, entry, personId) {
          usedOn.push({ entry, personId });
          return outcome((await chat.script.invoke?.(entry, [])) ?? 'failed');
        },
        async press(messageId, customId, values = []) {
          pressed.push({ customId, values });
          return outcome(
            (await chat.script.press?.(messageId, customId, values)) ?? 'failed',
            chat.script.form,
          );
        },
        async submit(_interactionId, filled) {
          submitted.push(filled);
          return outcome((await chat.script.submit?.(filled)) ?? 'failed');
        },
      };
    },
  };
  return chat;
}

function outcome(acknowledged: Outcome['acknowledged'], form: Outcome['form'] = null): Outcome {
  return { interactionId: '1', acknowledged, after: 1, message: null, form };
}
