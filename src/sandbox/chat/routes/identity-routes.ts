/** Routes for the bot itself: the gateway's address, the application, its user and its guilds. */
import { Locale } from 'discord.js';
import { z } from 'zod';
import type { Guild } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import { permissionsOf } from '../guild/permissions.ts';
import { readForm, snowflake, whole } from '../judge/form.ts';
import { get, type Route } from '../rest/rest.ts';
import type { SessionStarts } from '../state/session-starts.ts';

const listed = z.object({
  limit: whole(1, 200).default(200),
  after: snowflake.default('0'),
});

interface IdentityRoutesNeeds {
  readonly guilds: Guilds;
  /** The gateway's address, for one of several copies of the bot or for any. */
  readonly gatewayUrl: (copy: string | null) => string;
  /** The number of shards to recommend. */
  readonly shards: () => number;
  readonly starts: SessionStarts;
}

export function identityRoutes({
  guilds,
  gatewayUrl,
  shards,
  starts,
}: IdentityRoutesNeeds): readonly Route[] {
  const { bot } = guilds.main;
  return [
    {
      method: 'GET',
      path: '/gateway',
      open: true,
      handle: ({ copy }) => ({ status: 200, body: { url: gatewayUrl(copy) } }),
    },
    {
      method: 'GET',
      path: '/gateway/bot',
      handle: ({ copy }) => ({
        status: 200,
        body: { url: gatewayUrl(copy), shards: shards(), session_start_limit: starts.limit },
      }),
    },
    get('/applications/@me', () => applicationOf(guilds)),
    get('/users/@me', () => ({
      ...bot,
      verified: true,
      mfa_enabled: true,
      email: null,
      locale: Locale.EnglishUS,
    })),
    {
      method: 'GET',
      path: '/users/@me/guilds',
      handle: ({ query }) => {
        const { limit, after } = readForm(listed, Object.fromEntries(query));
        const rest = guilds.all
          .map((one) => summary(one))
          .filter(({ id }) => BigInt(id) > BigInt(after))
          .toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
        return { status: 200, body: rest.slice(0, limit) };
      },
    },
  ];
}

function applicationOf({ main, all }: Guilds) {
  return {
    id: main.bot.id,
    name: 'Pitwall',
    icon: null,
    description: '',
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    type: null,
    flags: 0,
    flags_new: '0',
    bot: main.bot,
    owner: main.residents.get(main.facts.owner_id)?.member.user,
    team: null,
    redirect_uris: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: [],
    approximate_guild_count: all.length,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
  };
}

/** A guild in the list of the bot's own. */
function summary(guild: Guild) {
  const { id, name, icon, features } = guild.facts;
  const permissions = String(permissionsOf(guild, guild.bot.id, null));
  return { id, name, icon, features, owner: false, permissions };
}
