/** What the bot makes of dispatches that are not as Discord describes them, and of a time-out. */
import { GatewayDispatchEvents, PermissionFlagsBits } from 'discord.js';
import { test as base, describe, expect } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { createLog } from '../../../src/base/log.ts';
import { createConnection } from '../../../src/discord/connection.ts';
import { RIGHTS } from '../../../src/service/models/board.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { tap } from '../../support/tap.ts';

const GUILD = '300000000000000000';
const CHANNEL = '300000000000000007';

/** Connected over a tap that can say anything in Discord's name. */
const test = base.extend<{
  readonly connected: (parts?: Partial<Parameters<typeof createConnection>[0]>) => Promise<{
    readonly connection: ReturnType<typeof createConnection>;
    readonly inject: (t: string, d: object | null) => void;
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
    const log = createLog({ level: 'warn', secrets: [], stream: { write: (line) => lines.push(line) } });
    const opened: ReturnType<typeof createConnection>[] = [];
    await use(async (parts) => {
      const connection = createConnection({ token: chat.token, apiUrl: between.apiUrl, log, ...parts });
      opened.push(connection);
      await connection.connect({ id: 0, count: 1 });
      const { guildId, botId, channels } = chat;
      const { inject } = between;
      return { connection, inject, lines, guildId, botId, channelId: channels[0]?.id ?? '' };
    });
    for (const each of opened) await each.close();
    await between.close();
    await chat.close();
  },
});

test('a broken dispatch is one short line of its kind, and the bot goes on', async ({ connected }) => {
  const { connection, inject, lines, guildId, channelId } = await connected();
  for (let sent = 0; sent < 20; sent += 1) {
    inject(GatewayDispatchEvents.GuildRoleUpdate, { guild_id: guildId });
    inject(GatewayDispatchEvents.InteractionCreate, { id: '1', type: 2 });
    inject(GatewayDispatchEvents.InteractionCreate, { id: '1', type: 2, user: { id: '1' } });
  }
  inject(GatewayDispatchEvents.ChannelDelete, { id: channelId, guild_id: guildId });
  await expect.poll(() => connection.access(guildId, channelId).kind).toBe('unknown-channel');
  expect(lines).toHaveLength(2);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
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
  connection.onAccess((guild) => changed.push(guild));
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
