import { ChannelType, PermissionFlagsBits } from 'discord-api-types/v10';
import { HOUR } from '../base/duration.ts';
import type { Log } from '../base/log.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Claims } from '../store/claims.ts';
import type { createNotifier } from './direct-message.ts';
import { openButton } from './form-window.ts';
import { allows, permissionsIn } from './permissions.ts';
import { postMessage } from './post-message.ts';
import type { Rest } from './rest-client.ts';
import type { Guild } from './shard-guilds.ts';

/** The facts about a guild that the bot may just have joined. */
export interface NewGuild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  /** BCP 47. */
  readonly locale: string;
  /** Unix milliseconds. */
  readonly joinedAt: number;
  /** Where Discord says that somebody has joined; null where there is no such place, or the bot may not write there. */
  readonly channelId: string | null;
}

interface WelcomeParts {
  readonly rest: Pick<Rest, 'post'>;
  readonly claims: Claims;
  readonly notify: ReturnType<typeof createNotifier>;
  readonly translatorFor: (locale: string) => Translator;
  /** Makes a guild's name safe for a line: whoever manages it may have written a link. */
  readonly inLine: (name: string) => string;
  readonly now: () => number;
  readonly log: Log;
}

/** How long after an invitation the form is still offered, in ms: the bot may have been down meanwhile. */
const NEWS = HOUR;

/** The name of the command whose form is offered. */
const COMMAND = 'setup';

/**
 * Offers the form for a guild's settings, once, to the person who has just invited the bot. Only bots that may read the
 * audit log learn who that was. The person is looking at the guild, so the offer appears where Discord itself announces
 * newcomers; where the bot may not write there, the guild's owner gets it, rather than a channel that is meant for
 * something else.
 */
export function createWelcome(parts: WelcomeParts): (guild: NewGuild) => Promise<void> {
  const { claims, now, log } = parts;

  async function welcome(guild: NewGuild): Promise<void> {
    if (now() - guild.joinedAt > NEWS) return;
    const key = `welcome:${guild.id}`;
    // For longer than it is news, over restarts.
    if (!(await claims.claim(key, 2 * NEWS))) return;
    // What Discord did not take may be tried again at the next start.
    if ((await offer(guild, parts)) === 'lost') await claims.release(key);
  }

  return async (guild) => {
    try {
      await welcome(guild);
    } catch (error) {
      log.warn({ err: error }, 'a new server was not welcomed');
    }
  };
}

async function offer(guild: NewGuild, parts: WelcomeParts): ReturnType<WelcomeParts['notify']> {
  const { rest, notify, translatorFor, inLine, log } = parts;
  const { channelId } = guild;
  const t = translatorFor(guild.locale);
  if (channelId === null) {
    const content = t('setup.welcomeOwner', { server: inLine(guild.name) });
    return notify({ personId: guild.ownerId, kind: 'welcome', content, nonce: guild.id });
  }
  const message = {
    content: t('setup.welcome'),
    components: [openButton(COMMAND, '', t('setup.button'))],
  };
  const post = async (route: `/${string}`, body: object) => {
    try {
      return { kind: 'answered' as const, body: await rest.post(route, { body }) };
    } catch (error) {
      log.warn({ err: error }, 'a new server was not welcomed');
      return { kind: 'lost' as const };
    }
  };
  const answer = await postMessage(post, channelId, message, guild.id);
  return answer.kind === 'answered' ? 'sent' : 'lost';
}

export function newGuild(guild: Guild): NewGuild {
  const { id, name, ownerId, locale, joinedAt } = guild;
  return { id, name, ownerId, locale, joinedAt, channelId: announcementChannel(guild) };
}

function announcementChannel(guild: Guild): string | null {
  const { systemChannelId } = guild;
  const channel = guild.channels.get(systemChannelId ?? '');
  if (channel?.type !== ChannelType.GuildText) return null;
  const granted = permissionsIn(channel.overwrites, guild) ?? 0n;
  const mayWrite = allows(granted, PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages);
  return mayWrite ? systemChannelId : null;
}
