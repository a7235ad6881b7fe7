/** What the bot may do in a guild's channels after any history of it, compared with a model of that history. */

import { ChannelType, GatewayDispatchEvents, PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { type Access, RIGHTS } from '../../../src/cards/board/board.ts';
import { type Connection, createConnection } from '../../../src/discord/connection.ts';
import { hasRight, type Overwrites, permissionsIn } from '../../../src/discord/permissions.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { type Tap, tap } from '../../support/tap.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 200);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const GUILD = '300000000000000000';
const OWNER = '300000000000000009';
const JOINED = '2026-01-01T00:00:00Z';
const roles = ['300000000000000001', '300000000000000002'] as const;
const channels = [
  { id: '300000000000000011', type: ChannelType.GuildText },
  { id: '300000000000000012', type: ChannelType.GuildVoice },
  { id: '300000000000000013', type: ChannelType.GuildCategory },
  { id: '300000000000000014', type: ChannelType.GuildAnnouncement },
  { id: '300000000000000015', type: ChannelType.GuildForum },
  { id: '300000000000000016', type: ChannelType.GuildStageVoice },
] as const;

const { GuildText, GuildAnnouncement, GuildVoice, GuildStageVoice } = ChannelType;
const texts: readonly ChannelType[] = [GuildText, GuildAnnouncement];

const gone = { id: GUILD };
const away = { id: GUILD, unavailable: true };

interface Facts {
  readonly ownerId: string;
  readonly roles: ReadonlyMap<string, string>;
  readonly memberRoles: readonly string[] | null;
  readonly isTimedOut: boolean;
  readonly channels: ReadonlyMap<string, { readonly overwrites: Overwrites; readonly topic: string | null }>;
}

/** Null: Discord cannot serve the guild; undefined: the bot is not in it. */
type State = Facts | null | undefined;
type Change = (state: State) => State;

/** Nothing, where the guild is not there. */
const change =
  (to: (facts: Facts) => Partial<Facts>): Change =>
  (state) =>
    state ? { ...state, ...to(state) } : state;
const without = <Value>(map: ReadonlyMap<string, Value>, id: string): ReadonlyMap<string, Value> =>
  new Map([...map].filter(([key]) => key !== id));

let chat: LocalChat;
let between: Tap;
let connection: Connection;

beforeAll(async () => {
  chat = await startChatServer();
  between = await tap(chat);
  connection = createConnection({
    token: chat.token,
    apiUrl: between.apiUrl,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  await connection.connect([{ id: 0, count: 1 }]);
});
afterAll(async () => {
  await connection.close();
  await between.close();
  await chat.close();
});

// ── What Discord may say ────────────────────────────────────────────────────────────────────────────

const wanted = [...RIGHTS, 'Connect' as const];
const bits = fc
  .subarray([...wanted, 'Administrator' as const], { minLength: 0 })
  .map((rights) => String(rights.reduce((all, right) => all | PermissionFlagsBits[right], 0n)));
/** Administrators seldom: they have every right. */
const some = fc.oneof(
  { weight: 8, arbitrary: bits.map((all) => String(BigInt(all) & ~PermissionFlagsBits.Administrator)) },
  { weight: 1, arbitrary: bits },
);
const role = (id: string) => some.map((permissions) => ({ id, name: 'r', permissions }));
const everyRole = fc.tuple(...[GUILD, ...roles].map(role));
const memberRoles = fc.subarray([...roles]);

interface Event {
  readonly t: string;
  readonly d: object;
  readonly changes: Change;
}

/** `me`: the bot's own id. */
function eventsFor(me: string): fc.Arbitrary<Event> {
  const overwrites = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(GUILD, ...roles, me, OWNER),
      type: fc.constantFrom(0, 1),
      allow: some,
      deny: some,
    }),
    { selector: ({ id }) => id, maxLength: 4 },
  );
  const channelOf = (of: (typeof channels)[number]) =>
    fc
      .record({ permission_overwrites: overwrites, topic: fc.option(fc.constantFrom('fun', '')) })
      .map((facts) => ({ ...of, name: 'c', position: 0, guild_id: GUILD, ...facts }));
  const channel = fc.constantFrom(...channels).chain(channelOf);
  const names = {
    name: fc.constant('A guild'),
    owner_id: fc.oneof({ weight: 5, arbitrary: fc.constant(OWNER) }, fc.constant(me)),
    roles: everyRole,
    preferred_locale: fc.constant('en-US'),
    system_channel_id: fc.constant(null),
    features: fc.constant([]),
    emojis: fc.constant([]),
    stickers: fc.constant([]),
  };
  const created = fc
    .record({
      ...names,
      // All of them: discord.js keeps one that was deleted during an outage.
      channels: fc.tuple(...channels.map(channelOf)),
      members: fc.oneof(
        { weight: 9, arbitrary: memberRoles.map((of) => [member(me, of)]) },
        fc.constant<ReturnType<typeof member>[]>([]),
      ),
    })
    .map((guild) => ({
      ...{
        ...guild,
        id: GUILD,
        joined_at: '2026-01-01T00:00:00Z',
        unavailable: false,
        large: false,
        member_count: 2,
      },
      ...{ voice_states: [], threads: [], presences: [], stage_instances: [], guild_scheduled_events: [] },
    }));
  const event = <Data extends object>(t: string, d: fc.Arbitrary<Data>, to: (data: Data) => Change) =>
    d.map((data): Event => ({ t, d: data, changes: to(data) }));
  type Member = ReturnType<typeof member> & { readonly communication_disabled_until?: string | null };
  const ownOf = ({ roles: of, communication_disabled_until: until }: Member) => ({
    memberRoles: of,
    isTimedOut: Date.parse(until ?? '') > Date.now(),
  });
  const rightsOf = (all: readonly { readonly id: string; readonly permissions: string }[]) =>
    new Map(all.map(({ id, permissions }) => [id, permissions]));
  const channelFacts = ({
    permission_overwrites,
    topic,
  }: {
    permission_overwrites: Overwrites;
    topic: string | null;
  }) => ({
    overwrites: permission_overwrites,
    topic,
  });
  const oneRole = everyRole
    .chain((all) => fc.constantFrom(...all))
    .map((one) => ({ guild_id: GUILD, role: one }));
  const withRole =
    (isNew: boolean) => (data: { readonly role: { readonly id: string; readonly permissions: string } }) =>
      change(({ roles: known }) =>
        isNew || known.has(data.role.id)
          ? { roles: new Map(known).set(data.role.id, data.role.permissions) }
          : {},
      );
  const withChannel = (one: { id: string; permission_overwrites: Overwrites; topic: string | null }) =>
    change(({ channels: known }) => ({ channels: new Map(known).set(one.id, channelFacts(one)) }));
  return fc.oneof(
    {
      weight: 3,
      arbitrary: event(GatewayDispatchEvents.GuildCreate, created, (guild) => () => ({
        ...{ ownerId: guild.owner_id, roles: rightsOf(guild.roles) },
        channels: new Map(guild.channels.map((one) => [one.id, channelFacts(one)])),
        ...(guild.members.map(ownOf)[0] ?? { memberRoles: null, isTimedOut: false }),
      })),
    },
    event(GatewayDispatchEvents.GuildUpdate, fc.record({ id: fc.constant(GUILD), ...names }), (guild) =>
      change(() => ({ ownerId: guild.owner_id, roles: rightsOf(guild.roles) })),
    ),
    event(
      GatewayDispatchEvents.GuildDelete,
      fc.constantFrom(gone, away),
      (of) => () => (of === gone ? undefined : null),
    ),
    event(GatewayDispatchEvents.ChannelCreate, channel, withChannel),
    { weight: 3, arbitrary: event(GatewayDispatchEvents.ChannelUpdate, channel, withChannel) },
    event(GatewayDispatchEvents.ChannelDelete, channel, ({ id }) =>
      change(({ channels: known }) => ({ channels: without(known, id) })),
    ),
    event(GatewayDispatchEvents.GuildRoleCreate, oneRole, withRole(true)),
    event(GatewayDispatchEvents.GuildRoleUpdate, oneRole, withRole(false)),
    event(
      GatewayDispatchEvents.GuildRoleDelete,
      fc.constantFrom(...roles).map((role_id) => ({ guild_id: GUILD, role_id })),
      ({ role_id }) => change(({ roles: known }) => ({ roles: without(known, role_id) })),
    ),
    event(
      GatewayDispatchEvents.GuildMemberUpdate,
      fc
        .tuple(
          memberRoles,
          fc.constantFrom(me, OWNER),
          fc.constantFrom(null, '2025-01-01T00:00:00Z', '2125-01-01T00:00:00Z'),
        )
        .map(([of, id, until]) => ({
          ...member(id, of),
          guild_id: GUILD,
          communication_disabled_until: until,
        })),
      (data) => change(() => (data.user.id === me ? ownOf(data) : {})),
    ),
  );
}

function member(id: string, of: readonly string[]) {
  const user = { id, username: 'x', discriminator: '0', avatar: null, global_name: null };
  return { user, roles: of, joined_at: '2026-01-01T00:00:00Z', deaf: false, mute: false, flags: 0 };
}

// ── What follows from it ────────────────────────────────────────────────────────────────────────────

function judged(state: State, channelId: string) {
  if (state === undefined) return { kind: 'unknown-channel' };
  if (state === null || state.memberRoles === null) return { kind: 'unavailable' };
  const type = channels.find(({ id }) => id === channelId)?.type ?? GuildText;
  const channel = state.channels.get(channelId);
  if (channel === undefined || ![...texts, GuildVoice, GuildStageVoice].includes(type))
    return { kind: 'unknown-channel' };
  const { memberRoles, ownerId } = state;
  const own = { id: GUILD, ownerId, memberId: chat.botId, memberRoles, roles: state.roles };
  const granted = permissionsIn(channel.overwrites, own);
  const hasVoice = type === GuildVoice || type === GuildStageVoice;
  const all = new Set([...RIGHTS, ...(hasVoice ? (['Connect'] as const) : [])]);
  const rights = [...all].filter((right) => !hasRight(granted, PermissionFlagsBits[right]));
  const isHeld = state.isTimedOut && !hasRight(granted, PermissionFlagsBits.Administrator);
  if (isHeld) return { kind: 'missing', rights: [...rights, 'TimedOut'] };
  return rights.length === 0 ? { kind: 'open' } : { kind: 'missing', rights };
}

/** Lets the bot learn all that was sent before. */
async function caughtUp(mark: number): Promise<void> {
  const id = String(400_000_000_000_000_000n + BigInt(mark));
  const learnt = new Promise<void>((resolve) => {
    const stop = connection.onAccess(() => {
      if (connection.access(chat.guildId, id).kind === 'unknown-channel') return;
      stop();
      resolve();
    });
  });
  const place = { id, type: ChannelType.GuildText, name: 'mark', position: 0, guild_id: chat.guildId };
  between.inject(GatewayDispatchEvents.ChannelCreate, { ...place, permission_overwrites: [] });
  await learnt;
}

/** Nothing is changed before it is made. */
const made: Readonly<Record<string, string>> = {
  [GatewayDispatchEvents.ChannelUpdate]: GatewayDispatchEvents.ChannelCreate,
};

/** A guild comes where it is not there, and goes away from where it is. */
function possible(events: readonly Event[]): readonly Event[] {
  let isIn = false;
  return events.flatMap((event) => {
    const wasIn = isIn;
    if (event.d === gone) isIn = false;
    if (event.d === away) return isIn ? event : [];
    const before = made[event.t];
    if (before !== undefined) return [{ ...event, t: before }, event];
    if (event.t !== GatewayDispatchEvents.GuildCreate) return event;
    isIn = true;
    return wasIn ? [{ t: GatewayDispatchEvents.GuildDelete, d: away, changes: () => null }, event] : event;
  });
}

test(`after ${RUNS} histories of a guild the bot may do what follows from them`, async () => {
  process.stdout.write(`guilds: FUZZ_SEED=${seed}\n`);
  let mark = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(eventsFor(chat.botId), { maxLength: 12 }), async (events) => {
      between.inject(GatewayDispatchEvents.GuildDelete, gone);
      const history = possible(events);
      for (const { t, d } of history) between.inject(t, d);
      const state = history.reduce<State>((before, { changes }) => changes(before), undefined);
      mark += 1;
      await caughtUp(mark);
      for (const { id } of channels) {
        const access: Access = connection.access(GUILD, id);
        expect(access, id).toEqual(judged(state, id));
      }
    }),
    { numRuns: RUNS, seed },
  );
});

test('leaves a guild that removed the bot, and not one that Discord cannot serve', async () => {
  await enterGuild({});
  between.inject(GatewayDispatchEvents.GuildDelete, away);
  await caughtUp(1_000_000);
  expect(connection.stayedSince(GUILD)).toBeNull();
  between.inject(GatewayDispatchEvents.GuildDelete, gone);
  await caughtUp(1_000_001);
  expect(connection.stayedSince(GUILD)).toBe(Number.POSITIVE_INFINITY);
});

// ── Members other than the bot ──────────────────────────────────────────────────────────────────────

const { CreateEvents, ManageEvents, SendMessages, MentionEveryone, ViewChannel, Connect, Administrator } =
  PermissionFlagsBits;
const PERSON = '300000000000000008';
const [FIRST, SECOND_ROLE] = roles;
const [{ id: TEXT_CHANNEL }, { id: VOICE_CHANNEL }] = channels;
const THREAD = '300000000000000021';
const EVERYONE = ViewChannel | SendMessages | CreateEvents | Connect;

interface Scene {
  readonly everyone?: bigint;
  readonly first?: bigint;
  readonly second?: bigint;
  /** Of the channel. */
  readonly overwrites?: readonly { readonly id: string; readonly allow?: bigint; readonly deny?: bigint }[];
  readonly isVoice?: boolean;
  readonly isBotHeld?: boolean;
}

let scenes = 2_000_000;

/** The bot in a guild with that channel and a thread in it; the person has no role by themselves. */
async function enterGuild({
  everyone = EVERYONE,
  first = 0n,
  second = 0n,
  overwrites = [],
  isVoice = false,
  isBotHeld = false,
}: Scene): Promise<void> {
  const kind = isVoice ? { id: VOICE_CHANNEL, type: GuildVoice } : { id: TEXT_CHANNEL, type: GuildText };
  const thread = {
    ...{ id: THREAD, type: ChannelType.PublicThread, name: 't', guild_id: GUILD, parent_id: TEXT_CHANNEL },
    ...{ owner_id: OWNER, member_count: 1, message_count: 1, total_message_sent: 1, rate_limit_per_user: 0 },
    thread_metadata: { archived: false, locked: false, auto_archive_duration: 60, archive_timestamp: JOINED },
  };
  between.inject(GatewayDispatchEvents.GuildDelete, gone);
  between.inject(GatewayDispatchEvents.GuildCreate, {
    ...{ id: GUILD, name: 'A guild', owner_id: OWNER, joined_at: JOINED, unavailable: false, large: false },
    ...{ preferred_locale: 'en-US', system_channel_id: null, features: [], emojis: [], stickers: [] },
    ...{ voice_states: [], presences: [], stage_instances: [], guild_scheduled_events: [], member_count: 2 },
    roles: [
      { id: GUILD, name: 'r', permissions: String(everyone) },
      { id: FIRST, name: 'r', permissions: String(first) },
      { id: SECOND_ROLE, name: 'r', permissions: String(second) },
    ],
    channels: [
      {
        ...{ ...kind, name: 'c', position: 0, guild_id: GUILD, topic: null },
        permission_overwrites: overwrites.map(({ id, allow = 0n, deny = 0n }) => ({
          ...{ id, type: [GUILD, ...roles].includes(id) ? 0 : 1 },
          ...{ allow: String(allow), deny: String(deny) },
        })),
      },
    ],
    // A voice channel has none.
    threads: isVoice ? [] : [thread],
    members: [
      {
        ...member(chat.botId, []),
        ...(isBotHeld ? { communication_disabled_until: '2125-01-01T00:00:00Z' } : {}),
      },
    ],
  });
  scenes += 1;
  await caughtUp(scenes);
}

/** What the connection says of the channel and of a member with these roles. */
function seen(memberRoles: readonly string[] = [], id = PERSON, channel: string = TEXT_CHANNEL) {
  const asker = { id, roles: memberRoles };
  const rights = connection.rightsOf(GUILD, asker);
  return {
    audience: connection.audienceOf(GUILD, channel),
    mayView: connection.mayView(GUILD, channel, asker),
    mayWrite: rights?.mayIn(channel, 'SendMessages') ?? null,
    mayPlan: rights?.may('CreateEvents') ?? null,
  };
}

const open = { audience: 'everyone', mayView: true, mayWrite: true, mayPlan: true };
const closed = { ...open, audience: 'some', mayView: false, mayWrite: false };
const noView = { id: GUILD, deny: ViewChannel };

test.for<[string, Scene, readonly string[], object]>([
  ['by everyone, in a channel without overwrites', {}, [], open],
  ["not, where the channel takes away everyone's right", { overwrites: [noView] }, [], closed],
  ['not by everyone, whose role may not view channels', { everyone: CreateEvents }, [], closed],
  [
    'by a role that the channel lets in',
    { overwrites: [noView, { id: FIRST, allow: ViewChannel }] },
    [FIRST],
    { ...closed, mayView: true, mayWrite: true },
  ],
  [
    'not by those with another role',
    { overwrites: [noView, { id: FIRST, allow: ViewChannel }] },
    [SECOND_ROLE],
    closed,
  ],
  [
    'by a role that lets in, although another one keeps out',
    {
      overwrites: [
        { id: FIRST, deny: ViewChannel },
        { id: SECOND_ROLE, allow: ViewChannel },
      ],
    },
    [FIRST, SECOND_ROLE],
    open,
  ],
  [
    'not by a role that is kept out, although everyone may',
    { overwrites: [{ id: FIRST, deny: ViewChannel }] },
    [FIRST],
    { ...open, mayView: false, mayWrite: false },
  ],
  [
    'by a member who is let in, whatever their role may',
    { overwrites: [noView, { id: FIRST, deny: ViewChannel }, { id: PERSON, allow: ViewChannel }] },
    [FIRST],
    { ...closed, mayView: true, mayWrite: true },
  ],
  [
    'not by a member who is kept out, whatever their role may',
    {
      overwrites: [
        { id: FIRST, allow: ViewChannel },
        { id: PERSON, deny: ViewChannel },
      ],
    },
    [FIRST],
    { ...open, mayView: false, mayWrite: false },
  ],
  [
    'by an administrator, whom no overwrite keeps out',
    { first: Administrator, overwrites: [noView, { id: PERSON, deny: ViewChannel | SendMessages }] },
    [FIRST],
    { ...closed, mayView: true, mayWrite: true },
  ],
  [
    'not by whom an overwrite would make an administrator',
    { overwrites: [noView, { id: PERSON, allow: Administrator }] },
    [],
    closed,
  ],
  [
    'but not written in, where the channel takes that away',
    { overwrites: [{ id: GUILD, deny: SendMessages }] },
    [],
    { ...open, mayWrite: false },
  ],
  [
    'by those who may do nothing else',
    { everyone: ViewChannel },
    [],
    { ...open, mayWrite: false, mayPlan: false },
  ],
  [
    'and planned in by a right in the server, not in a channel',
    { everyone: ViewChannel | SendMessages, overwrites: [{ id: PERSON, allow: CreateEvents }] },
    [],
    { ...open, mayPlan: false },
  ],
  [
    'and written in by nobody who may not join its voice',
    { isVoice: true, overwrites: [{ id: GUILD, deny: Connect }] },
    [],
    closed,
  ],
  ["whatever the bot's own time-out", { isBotHeld: true }, [], open],
])('a channel is viewed %s', async ([, scene, memberRoles, expected]) => {
  await enterGuild(scene);
  expect(seen(memberRoles, PERSON, scene.isVoice ? VOICE_CHANNEL : TEXT_CHANNEL)).toEqual(expected);
});

test('the owner may view and do everything', async () => {
  await enterGuild({ everyone: 0n, overwrites: [noView, { id: OWNER, deny: ViewChannel }] });
  expect(seen([], OWNER)).toEqual({ ...open, audience: 'some' });
});

test('a right is that of a role which the member has, and not of a deleted one', async () => {
  await enterGuild({ first: ManageEvents, second: MentionEveryone });
  const rights = (...memberRoles: readonly string[]) => {
    const { may } = connection.rightsOf(GUILD, { id: PERSON, roles: memberRoles }) ?? {};
    return [may?.('ManageEvents'), may?.('MentionEveryone')];
  };
  expect(rights()).toEqual([false, false]);
  expect(rights(FIRST)).toEqual([true, false]);
  expect(rights(FIRST, SECOND_ROLE)).toEqual([true, true]);
  between.inject(GatewayDispatchEvents.GuildRoleDelete, { guild_id: GUILD, role_id: FIRST });
  scenes += 1;
  await caughtUp(scenes);
  expect(rights(FIRST)).toEqual([false, false]);
});

test('a thread is never told to everyone, and nobody is known to view it', async () => {
  for (const overwrites of [[], [noView]]) {
    await enterGuild({ overwrites });
    expect(seen([], PERSON, THREAD)).toMatchObject({ mayView: false, mayWrite: null });
    expect(seen([], PERSON, THREAD).audience).not.toBe('everyone');
  }
});

test('nobody views a channel that is gone; who does while a guild is away is unknown', async () => {
  await enterGuild({});
  const nobody = { audience: 'nobody', mayView: false, mayWrite: null, mayPlan: true };
  expect(seen([], PERSON, '300000000000000099')).toEqual(nobody);
  between.inject(GatewayDispatchEvents.GuildDelete, away);
  scenes += 1;
  await caughtUp(scenes);
  const unknown = { audience: null, mayView: false, mayWrite: null, mayPlan: null };
  expect(seen()).toEqual(unknown);
  between.inject(GatewayDispatchEvents.GuildDelete, gone);
  scenes += 1;
  await caughtUp(scenes);
  expect(seen()).toEqual({ ...unknown, audience: 'nobody' });
});
