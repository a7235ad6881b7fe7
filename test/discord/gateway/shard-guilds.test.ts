/** What the bot knows of guilds and may do in their channels, with discord.js as outside judge. */

import {
  ChannelType,
  Client,
  type ClientEvents,
  Events,
  GatewayDispatchEvents,
  GatewayIntentBits,
  type GuildBasedChannel,
  PermissionFlagsBits,
} from 'discord.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { type Connection, createConnection } from '../../../src/discord/connection.ts';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import {
  type Access,
  RIGHTS,
  type Right,
  STATUS_RIGHTS,
  TOPIC_RIGHTS,
} from '../../../src/service/models/board.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { type Tap, tap } from '../../support/tap.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 200);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const GUILD = '300000000000000000';
const OWNER = '300000000000000009';
const roles = ['300000000000000001', '300000000000000002'] as const;
const channels = [
  { id: '300000000000000011', type: ChannelType.GuildText },
  { id: '300000000000000012', type: ChannelType.GuildVoice },
  { id: '300000000000000013', type: ChannelType.GuildCategory },
  { id: '300000000000000014', type: ChannelType.GuildAnnouncement },
  { id: '300000000000000015', type: ChannelType.GuildForum },
  { id: '300000000000000016', type: ChannelType.GuildStageVoice },
] as const;

const gone = { id: GUILD };
const away = { id: GUILD, unavailable: true };

let chat: LocalChat;
let between: Tap;
let connection: Connection;
let judge: Client;

beforeAll(async () => {
  chat = await startChatServer();
  between = await tap(chat);
  connection = createConnection({
    token: chat.token,
    apiUrl: between.apiUrl,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  await connection.connect({ id: 0, count: 1 });
  judge = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: between.apiUrl } });
  const ready = new Promise((resolve) => judge.once(Events.ClientReady, resolve));
  await judge.login(chat.token);
  await ready;
});
afterAll(async () => {
  await judge.destroy();
  await connection.close();
  await between.close();
  await chat.close();
});

// ── What Discord may say ────────────────────────────────────────────────────────────────────────────

const wanted = [...new Set([...RIGHTS, ...TOPIC_RIGHTS, ...STATUS_RIGHTS])];
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
      members: fc.oneof({ weight: 9, arbitrary: memberRoles.map((of) => [member(me, of)]) }, fc.constant([])),
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
  const event = (t: string, d: fc.Arbitrary<object>) => d.map((data): Event => ({ t, d: data }));
  return fc.oneof(
    { weight: 3, arbitrary: event(GatewayDispatchEvents.GuildCreate, created) },
    event(GatewayDispatchEvents.GuildUpdate, fc.record({ id: fc.constant(GUILD), ...names })),
    event(GatewayDispatchEvents.GuildDelete, fc.constantFrom(gone, away)),
    event(GatewayDispatchEvents.ChannelCreate, channel),
    { weight: 3, arbitrary: event(GatewayDispatchEvents.ChannelUpdate, channel) },
    event(GatewayDispatchEvents.ChannelDelete, channel),
    ...[GatewayDispatchEvents.GuildRoleCreate, GatewayDispatchEvents.GuildRoleUpdate].map((t) =>
      event(
        t,
        everyRole.chain((all) => fc.constantFrom(...all)).map((one) => ({ guild_id: GUILD, role: one })),
      ),
    ),
    event(
      GatewayDispatchEvents.GuildRoleDelete,
      fc.constantFrom(...roles).map((role_id) => ({ guild_id: GUILD, role_id })),
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
    ),
  );
}

function member(id: string, of: readonly string[]) {
  const user = { id, username: 'x', discriminator: '0', avatar: null, global_name: null };
  return { user, roles: of, joined_at: '2026-01-01T00:00:00Z', deaf: false, mute: false, flags: 0 };
}

// ── What follows from it ────────────────────────────────────────────────────────────────────────────

function judged(
  channelId: string,
  isPlace: (channel: GuildBasedChannel) => boolean,
  needed: readonly Right[],
) {
  const guild = judge.guilds.cache.get(GUILD);
  if (guild === undefined) return { kind: 'unknown-channel' };
  const { me } = guild.members;
  if (!guild.available || me === null) return { kind: 'unavailable' };
  const channel = guild.channels.cache.get(channelId);
  if (channel === undefined || !isPlace(channel)) return { kind: 'unknown-channel' };
  const hasVoice = channel.type === ChannelType.GuildVoice || channel.type === ChannelType.GuildStageVoice;
  const all = new Set([...needed, ...(hasVoice ? (['Connect'] as const) : [])]);
  // An overwrite makes nobody an administrator; of those who are, this knows every right.
  const rights = [...all].filter((right) => !channel.permissionsFor(me).has(right, false));
  const isHeld = me.isCommunicationDisabled() && !me.permissions.has('Administrator');
  if (isHeld) return { kind: 'missing', rights: [...rights, 'TimedOut'] };
  return rights.length === 0 ? { kind: 'open' } : { kind: 'missing', rights };
}

const takesBoards = (channel: GuildBasedChannel) => channel.isTextBased() && !channel.isThread();
const isVoice = ({ type }: GuildBasedChannel) => type === ChannelType.GuildVoice;
const hasTopic = ({ type }: GuildBasedChannel) =>
  type === ChannelType.GuildText || type === ChannelType.GuildAnnouncement;

/** Lets both learn all that was sent before. */
async function caughtUp(mark: number): Promise<void> {
  const id = String(400_000_000_000_000_000n + BigInt(mark));
  const isMark = ({ id: theirs }: { readonly id: string }) => theirs === id;
  const told = new Promise<void>((resolve) => {
    const look = (...[channel]: ClientEvents[Events.ChannelCreate]) => {
      if (!isMark(channel)) return;
      judge.off(Events.ChannelCreate, look);
      resolve();
    };
    judge.on(Events.ChannelCreate, look);
  });
  const learnt = new Promise<void>((resolve) => {
    const stop = connection.onAccess(() => {
      if (connection.access(chat.guildId, id).kind === 'unknown-channel') return;
      stop();
      resolve();
    });
  });
  const place = { id, type: ChannelType.GuildText, name: 'mark', position: 0, guild_id: chat.guildId };
  between.inject(GatewayDispatchEvents.ChannelCreate, { ...place, permission_overwrites: [] });
  await Promise.all([told, learnt]);
}

/** Nothing is changed before it is made: discord.js would not take it over. */
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
    return wasIn ? [{ t: GatewayDispatchEvents.GuildDelete, d: away }, event] : event;
  });
}

test(`${RUNS} histories of a guild leave what discord.js makes of them`, async () => {
  process.stdout.write(`guilds: FUZZ_SEED=${seed}\n`);
  let mark = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(eventsFor(chat.botId), { maxLength: 12 }), async (events) => {
      between.inject(GatewayDispatchEvents.GuildDelete, gone);
      for (const { t, d } of possible(events)) between.inject(t, d);
      mark += 1;
      await caughtUp(mark);
      for (const { id } of channels) {
        const access: Access = connection.access(GUILD, id);
        expect(access, id).toEqual(judged(id, takesBoards, RIGHTS));
        expect(connection.voice(GUILD, id), id).toEqual(judged(id, isVoice, STATUS_RIGHTS));
        const { topic, ...rest } = { topic: undefined, ...connection.topic(GUILD, id) };
        expect(rest, id).toEqual(judged(id, hasTopic, TOPIC_RIGHTS));
        const channel = judge.guilds.cache.get(GUILD)?.channels.cache.get(id);
        if (topic !== undefined) expect(topic).toBe(channel && 'topic' in channel ? channel.topic : 'none');
      }
    }),
    { numRuns: RUNS, seed },
  );
});

test('a guild is left where the bot was thrown out of it, and not where Discord cannot serve it', async () => {
  const left: string[] = [];
  connection.onGuildLeft((guildId) => left.push(guildId));
  between.inject(GatewayDispatchEvents.GuildDelete, away);
  await caughtUp(1_000_000);
  expect(left).toEqual([]);
  between.inject(GatewayDispatchEvents.GuildDelete, gone);
  await caughtUp(1_000_001);
  expect(left).toEqual([GUILD]);
});
