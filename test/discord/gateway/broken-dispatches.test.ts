/** What the bot makes of dispatches that are not as Discord describes them, and of a time-out. */
import { GatewayDispatchEvents, type Interaction, PermissionFlagsBits } from 'discord.js';
import { test as base, describe, expect } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { UserError } from '../../../src/base/errors.ts';
import { createLog } from '../../../src/base/log.ts';
import { RIGHTS } from '../../../src/cards/board/board.ts';
import { createConnection } from '../../../src/discord/connection.ts';
import { guildOf } from '../../../src/discord/gateway/guild.ts';
import { refuseForeign } from '../../../src/discord/interactions/args.ts';
import { frame } from '../../support/interaction.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { tap } from '../../support/tap.ts';
import { createTranslators } from '../../support/translators.ts';

const GUILD = '300000000000000000';
const CHANNEL = '300000000000000007';

/** Connected over a tap that can say anything in Discord's name. */
const test = base.extend<{
  readonly connected: (parts?: Partial<Parameters<typeof createConnection>[0]>) => Promise<{
    readonly connection: ReturnType<typeof createConnection>;
    readonly inject: (t: string | undefined, d: object | null) => void;
    readonly lines: readonly string[];
    readonly guildId: string;
    readonly channelId: string;
    readonly botId: string;
  }>;
}>({
  connected: async ({ task: _ }, use) => {
    const chat = await startChatServer();
    const between = await tap(chat);
    const lines: string[] = [];
    const log = createLog({ level: 'debug', secrets: [], stream: { write: (line) => lines.push(line) } });
    const opened: ReturnType<typeof createConnection>[] = [];
    await use(async (parts) => {
      const connection = createConnection({ token: chat.token, apiUrl: between.apiUrl, log, ...parts });
      opened.push(connection);
      await connection.connect([{ id: 0, count: 1 }]);
      const { guildId, botId, channels } = chat;
      const { inject } = between;
      return { connection, inject, lines, guildId, botId, channelId: channels[0]?.id ?? '' };
    });
    for (const each of opened) await each.close();
    await between.close();
    await chat.close();
  },
});

test('a broken dispatch is a short line, and a warning once of its kind', async ({ connected }) => {
  const { connection, inject, lines, guildId, channelId } = await connected();
  const noColours = { id: '5', permissions: '8', colors: null };
  for (let sent = 0; sent < 20; sent += 1) {
    inject(GatewayDispatchEvents.GuildRoleUpdate, { guild_id: guildId });
    inject(GatewayDispatchEvents.GuildRoleCreate, { guild_id: guildId, role: noColours });
    inject(GatewayDispatchEvents.InteractionCreate, null);
    inject(GatewayDispatchEvents.InteractionCreate, { id: '1', type: 2 });
    inject(undefined, {});
  }
  inject(GatewayDispatchEvents.ChannelDelete, { id: channelId, guild_id: guildId });
  await expect.poll(() => connection.access(guildId, channelId).kind).toBe('unknown-channel');
  const levels = Object.groupBy(lines, (line) => JSON.parse(line).level);
  expect(levels).toMatchObject({ warn: { length: 3 }, debug: { length: 77 } });
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
});

describe('an interaction that names a channel and a role of another guild', () => {
  const [PLACE, ROLE] = ['900000000000000001', '900000000000000002'];
  const channels = { [PLACE]: { id: PLACE, type: 0, name: 'there', permissions: '8', parent_id: null } };
  const roles = { [ROLE]: { id: ROLE, name: 'there', permissions: '8', position: 1, colors: {} } };
  const resolved = { channels, roles };
  const author = { id: '4', username: 'anna', discriminator: '0' };
  const messageIn = (channel_id: string) => ({
    ...{ id: '6', channel_id, author, content: '', type: 0, timestamp: '2026-01-01T00:00:00Z' },
    ...{ attachments: [], embeds: [], mentions: [], mention_roles: [], components: [] },
  });
  const metadata = { archived: false, auto_archive_duration: 60, archive_timestamp: '2026-01-01T00:00:00Z' };
  const thread = { id: PLACE, type: 11, name: 'there', thread_metadata: metadata };
  const field = (type: number, value: string) => ({
    type: 18,
    component: { type, custom_id: String(type), values: [value] },
  });
  const button = { custom_id: '1:try:press:', component_type: 2 };
  const command = (options: readonly object[]) => ({ id: '5', name: 'try', type: 1, options, resolved });
  const placed = { name: 'channel', type: 7, value: PLACE };

  /** `message`: an own one in the channel of the interaction. */
  test.for<[string, (message: object) => object]>([
    ['in its options', () => ({ type: 2, data: command([placed, { name: 'role', type: 8, value: ROLE }]) })],
    [
      'in a menu of channels',
      (message) => ({ type: 3, data: { ...button, component_type: 8, values: [PLACE], resolved }, message }),
    ],
    [
      'in a menu of roles',
      (message) => ({ type: 3, data: { ...button, component_type: 6, values: [ROLE], resolved }, message }),
    ],
    [
      'in a form',
      () => ({
        type: 5,
        data: { custom_id: '1:try:form:', components: [field(8, PLACE), field(6, ROLE)], resolved },
      }),
    ],
    [
      'in the message of its button',
      (message) => ({ type: 3, data: button, message: { ...message, resolved } }),
    ],
    [
      'as the thread of that message',
      (message) => ({ type: 3, data: button, message: { ...message, thread } }),
    ],
  ])('%s leaves the bot without them', async ([, sent], { connected }) => {
    const { connection, inject, guildId, channelId } = await connected();
    const arrival = new Promise<Interaction>((resolve) => connection.onInteraction(resolve));
    const member = { user: author, roles: [], permissions: '0', joined_at: '2026-01-01T00:00:00Z' };
    const place = { guild_id: guildId, channel: { id: channelId, type: 0 }, user: undefined, member };
    inject(GatewayDispatchEvents.InteractionCreate, { ...frame, ...place, ...sent(messageIn(channelId)) });
    const guild = guildOf((await arrival).guild);
    expect(connection.access(guildId, PLACE)).toEqual({ kind: 'unknown-channel' });
    expect(connection.audienceOf(guildId, PLACE)).toBe('nobody');
    expect(connection.writable(guildId)).not.toContain(PLACE);
    expect(connection.permissionsOf(guildId, ROLE)).toBeNull();
    expect(connection.rightsOf(guildId, { id: '4', roles: [ROLE] })?.may('BanMembers')).toBe(false);
    const t = createTranslators()('en-GB');
    for (const [kind, id] of [
      ['channel', PLACE],
      ['role', ROLE],
    ] as const)
      expect(() => refuseForeign(kind, id, { guild, t })).toThrow(UserError);
  });
});

describe('a guild', () => {
  const rights = String(RIGHTS.reduce((all, right) => all | PermissionFlagsBits[right], 0n));
  const overwrite = { id: GUILD, type: 0, allow: rights, deny: '0' };
  const channel = { id: CHANNEL, type: 0, name: 'c', position: 0, permission_overwrites: [overwrite] };
  const member = (id: string) => ({ user: { id, username: 'x', discriminator: '0' }, roles: [] });
  const cameFor = (botId: string) => ({
    ...{ id: GUILD, name: 'A guild', owner_id: '1', preferred_locale: 'en-US', system_channel_id: null },
    ...{ joined_at: '2026-01-01T00:00:00Z', channels: [channel], roles: [{ id: GUILD, permissions: '0' }] },
    ...{ members: [member(botId)], unavailable: false },
  });
  const update = { ...channel, guild_id: GUILD };

  test.for<[string, string, (botId: string) => object | null]>([
    ['nothing at all', 'GUILD_CREATE', () => null],
    ['a guild without its roles', 'GUILD_UPDATE', () => ({ id: GUILD, name: 'Renamed' })],
    ['no role', 'GUILD_ROLE_UPDATE', () => ({ guild_id: GUILD })],
    ['a role without rights', 'GUILD_ROLE_UPDATE', () => ({ guild_id: GUILD, role: { id: GUILD } })],
    [
      'a role with rights that are no number',
      'GUILD_ROLE_UPDATE',
      () => ({ guild_id: GUILD, role: { id: GUILD, permissions: 'all' } }),
    ],
    [
      'an overwrite that is no number',
      'CHANNEL_UPDATE',
      () => ({ ...update, permission_overwrites: [{ ...overwrite, allow: '?' }] }),
    ],
    ['an own member without roles', 'GUILD_MEMBER_UPDATE', (id) => ({ guild_id: GUILD, user: { id } })],
    ['a member without an account', 'GUILD_MEMBER_UPDATE', () => ({ guild_id: GUILD, roles: [] })],
  ])('is as it was after %s', async ([, t, broken], { connected }) => {
    const { connection, inject, lines, botId } = await connected();
    inject('GUILD_CREATE', cameFor(botId));
    inject(t, broken(botId));
    inject('CHANNEL_CREATE', { ...update, id: '300000000000000008' });
    await expect.poll(() => connection.writable(GUILD)).toHaveLength(2);
    expect(connection.access(GUILD, CHANNEL)).toEqual({ kind: 'open' });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ t, msg: 'a dispatch cannot be read' }]);
  });

  test.for(['channels', 'roles', 'members'])(
    'that comes without its %s stays unavailable',
    async (part, { connected }) => {
      const { connection, inject, lines, botId } = await connected();
      inject('GUILD_CREATE', cameFor(botId));
      inject('GUILD_DELETE', { id: GUILD, unavailable: true });
      inject('GUILD_CREATE', { ...cameFor(botId), [part]: undefined });
      await expect.poll(() => lines.length).toBe(1);
      // Not "no such channel", which would end a board there.
      expect(connection.access(GUILD, CHANNEL)).toEqual({ kind: 'unavailable' });
      inject('GUILD_CREATE', cameFor(botId));
      await expect.poll(() => connection.access(GUILD, CHANNEL)).toEqual({ kind: 'open' });
    },
  );

  test('gets no role back by an update after its deletion', async ({ connected }) => {
    const { connection, inject, botId } = await connected();
    const role = { guild_id: GUILD, role: { id: '5', permissions: '8' } };
    inject('GUILD_CREATE', cameFor(botId));
    inject('GUILD_ROLE_CREATE', role);
    inject('GUILD_ROLE_UPDATE', { ...role, role: { id: '5', permissions: '16' } });
    await expect.poll(() => connection.permissionsOf(GUILD, '5')).toBe('16');
    inject('GUILD_ROLE_DELETE', { guild_id: GUILD, role_id: '5' });
    inject('GUILD_ROLE_UPDATE', role);
    inject('CHANNEL_DELETE', update);
    await expect.poll(() => connection.access(GUILD, CHANNEL).kind).toBe('unknown-channel');
    expect(connection.permissionsOf(GUILD, '5')).toBeNull();
  });
});

test('a time-out leaves the bot looking and reading, and ends without an event', async ({ connected }) => {
  const clock = { ...systemClock, now: () => later + Date.now(), after: afterwards };
  let later = 0;
  const waiting: { readonly ms: number; readonly call: () => void }[] = [];
  function afterwards(ms: number, call: () => void): () => void {
    if (ms < HOUR) return systemClock.after(ms, call);
    waiting.push({ ms, call });
    return () => {};
  }
  const { connection, inject, guildId, channelId, botId } = await connected({ clock });
  const until = new Date(clock.now() + 1.5 * DAY).toISOString();
  const own = { guild_id: guildId, user: { id: botId }, roles: [], communication_disabled_until: until };
  const before = connection.access(guildId, channelId);
  inject(GatewayDispatchEvents.GuildMemberUpdate, own);
  await expect.poll(() => connection.isTimedOut(guildId)).toBe(true);
  expect(before.kind).toBe('open');
  expect(connection.access(guildId, channelId)).toEqual({ kind: 'missing', rights: ['TimedOut'] });
  const changed: string[] = [];
  connection.onAccess((guild) => void changed.push(guild));
  expect(waiting.map(({ ms }) => ms)).toEqual([DAY]);
  later = DAY;
  waiting.shift()?.call();
  expect([connection.isTimedOut(guildId), waiting.length]).toEqual([true, 1]);
  later = 2 * DAY;
  waiting.shift()?.call();
  expect([connection.access(guildId, channelId).kind, waiting.length, changed]).toEqual([
    'open',
    0,
    [guildId, guildId],
  ]);
});
