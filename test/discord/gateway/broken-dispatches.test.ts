/** What the bot makes of dispatches that are not as Discord describes them, of logins, and of a time-out. */
import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord.js';
import fc from 'fast-check';
import { test as base, expect } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { createLog } from '../../../src/base/log.ts';
import { createConnection } from '../../../src/discord/connection.ts';
import { createShardGuilds } from '../../../src/discord/gateway/shard-guilds.ts';
import { startChatServer } from '../../support/outside-judge.ts';
import { tap } from '../../support/tap.ts';

const GUILD = '300000000000000000';
const OWNER = '300000000000000009';

/** As Discord sends it, or not quite. */
function isDispatch(sent: object): sent is GatewayDispatchPayload {
  return 't' in sent;
}

function told(guilds: ReturnType<typeof createShardGuilds>, t: string, d: object | null) {
  const dispatch = { op: 0, s: 1, t, d };
  if (!isDispatch(dispatch)) throw new TypeError('no dispatch');
  return guilds.apply(dispatch);
}

const channel = { id: '7', type: 0, permission_overwrites: [{ id: GUILD, allow: '2048', deny: '0' }] };
const came = {
  ...{ id: GUILD, name: 'A guild', owner_id: OWNER, preferred_locale: 'en-US', system_channel_id: null },
  ...{ joined_at: '2026-01-01T00:00:00Z', channels: [channel], roles: [{ id: GUILD, permissions: '1024' }] },
  members: [{ user: { id: '9' }, roles: [] }],
};
const ready = (...ids: readonly string[]) => ({ user: { id: '9' }, guilds: ids.map((id) => ({ id })) });

base(
  'a login names the guilds that have thrown the bot out meanwhile, and leaves out those of an outage',
  () => {
    const guilds = createShardGuilds();
    told(guilds, 'READY', ready(GUILD, '2', '3'));
    told(guilds, 'GUILD_CREATE', came);
    expect(told(guilds, 'READY', ready('2'))).toEqual([
      { guildId: '2', came: null },
      { guildId: GUILD, came: null, left: true },
      { guildId: '3', came: null, left: true },
    ]);
    expect([...guilds.all]).toEqual([['2', null]]);
  },
);

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 500);
const some = fc.subarray(['1', '2', '3', '4']);
const anyHistory = fc.array(
  fc.oneof(
    some.map((ids) => ['READY', ids] as const),
    fc.constantFrom('1', '2', '3', '4').chain((id) =>
      fc.constantFrom(
        ...([
          ['GUILD_CREATE', [id]],
          ['away', [id]],
          ['GUILD_DELETE', [id]],
        ] as const),
      ),
    ),
  ),
  { maxLength: 20 },
);

base(
  `${RUNS} histories of logins leave the guilds of the last one, and each that is left is said to be`,
  () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const guilds = createShardGuilds();
        /** Whether it is served, by id. */
        let model = new Map<string, boolean>();
        for (const [what, ids] of history) {
          const before = [...model.keys()];
          const [id = ''] = ids;
          if (what === 'READY') model = new Map(ids.map((one) => [one, false]));
          else if (what === 'GUILD_DELETE') model.delete(id);
          else model.set(id, what === 'GUILD_CREATE');
          const changes =
            what === 'READY'
              ? told(guilds, what, ready(...ids))
              : what === 'away'
                ? told(guilds, 'GUILD_DELETE', { id, unavailable: true })
                : told(guilds, what, what === 'GUILD_CREATE' ? { ...came, id } : { id });
          expect(new Map([...guilds.all].map(([each, guild]) => [each, guild !== null]))).toEqual(model);
          const left = changes.flatMap(({ guildId, left: hasLeft }) => (hasLeft ? [guildId] : []));
          const gone = before.filter((one) => !model.has(one));
          expect(new Set(left)).toEqual(new Set([...gone, ...(what === 'GUILD_DELETE' ? [id] : [])]));
          expect(changes.map(({ guildId }) => guildId)).toEqual(expect.arrayContaining([...ids]));
        }
      }),
      { numRuns: RUNS },
    );
  },
);

base('a role that was deleted does not come back by an update', () => {
  const guilds = createShardGuilds();
  told(guilds, 'READY', ready(GUILD));
  told(guilds, 'GUILD_CREATE', came);
  const role = { guild_id: GUILD, role: { id: '5', permissions: '8' } };
  told(guilds, 'GUILD_ROLE_CREATE', role);
  told(guilds, 'GUILD_ROLE_UPDATE', { ...role, role: { id: '5', permissions: '16' } });
  expect(guilds.all.get(GUILD)?.roles.get('5')).toBe('16');
  told(guilds, 'GUILD_ROLE_DELETE', { guild_id: GUILD, role_id: '5' });
  told(guilds, 'GUILD_ROLE_UPDATE', role);
  expect(guilds.all.get(GUILD)?.roles.has('5')).toBe(false);
});

base.each<[string, string, object | null]>([
  ['a login without guilds', 'READY', { user: { id: '8' } }],
  ['a guild without channels', 'GUILD_CREATE', { ...came, channels: undefined }],
  ['a guild without members', 'GUILD_CREATE', { ...came, members: undefined }],
  ['a guild without roles', 'GUILD_CREATE', { ...came, roles: undefined }],
  ['news of a guild without its roles', 'GUILD_UPDATE', { id: GUILD, name: 'Renamed' }],
  [
    'a role whose permissions are no number',
    'GUILD_ROLE_CREATE',
    { guild_id: GUILD, role: { id: '5', permissions: 'all' } },
  ],
  ['a role without permissions', 'GUILD_ROLE_UPDATE', { guild_id: GUILD, role: { id: GUILD } }],
  ['no role', 'GUILD_ROLE_UPDATE', { guild_id: GUILD }],
  [
    'an overwrite that is no number',
    'CHANNEL_UPDATE',
    { ...channel, guild_id: GUILD, permission_overwrites: [{ id: GUILD, allow: '?', deny: '0' }] },
  ],
  ['an own member without roles', 'GUILD_MEMBER_UPDATE', { guild_id: GUILD, user: { id: '9' } }],
  ['a member without an account', 'GUILD_MEMBER_UPDATE', { guild_id: GUILD, roles: [] }],
  ['nothing', 'GUILD_CREATE', null],
])('%s is refused, and changes nothing', (_what, t, d) => {
  const guilds = createShardGuilds();
  told(guilds, 'READY', ready(GUILD, '2'));
  told(guilds, 'GUILD_CREATE', came);
  const before = structuredClone([...guilds.all]);
  expect(() => told(guilds, t, d)).toThrow();
  expect([...guilds.all]).toEqual(before);
  told(guilds, 'GUILD_MEMBER_UPDATE', { guild_id: GUILD, user: { id: '9' }, roles: ['5'] });
  expect(guilds.all.get(GUILD)?.memberRoles).toEqual(['5']);
});

/** Connected over a tap that can say anything in Discord's name. */
const test = base.extend<{
  readonly connected: (parts?: Partial<Parameters<typeof createConnection>[0]>) => Promise<{
    readonly connection: ReturnType<typeof createConnection>;
    readonly inject: (t: string, d: object) => void;
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

test('a time-out of the bot leaves it looking and reading, and is over without a word of Discord', async ({
  connected,
}) => {
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
