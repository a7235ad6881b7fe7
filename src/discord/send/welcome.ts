import { ChannelType } from 'discord.js';
import type { Claims } from '../../base/claims.ts';
import { HOUR } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import { chatName } from '../../cards/kit/lines.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Guild } from '../gateway/guild.ts';
import { openButton } from '../interactions/form-window.ts';
import { postMessage, postOver } from '../rest/post-message.ts';
import type { Rest } from '../rest/rest-client.ts';
import type { createNotifier } from './direct-message.ts';

interface WelcomeParts {
  readonly rest: Pick<Rest, 'post'>;
  readonly claims: Claims;
  readonly notify: ReturnType<typeof createNotifier>;
  readonly translatorFor: (locale: string) => Translator;
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
export function createWelcome(parts: WelcomeParts): (guild: Guild) => Promise<void> {
  const { claims, now, log } = parts;

  async function welcome(guild: Guild): Promise<void> {
    if (now() - guild.joinedAt > NEWS) return;
    const key = `welcome:${guild.id}`;
    // For longer than it is news, over restarts.
    if (!(await claims.claim(key, 2 * NEWS))) return;
    // A message that Discord did not take may be tried again at the next start.
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

async function offer(
  guild: Guild,
  { rest, notify, translatorFor, log }: WelcomeParts,
): ReturnType<WelcomeParts['notify']> {
  const channelId = announcementChannel(guild);
  const t = translatorFor(guild.locale);
  if (channelId === null) {
    // Whoever manages a guild may have written a link into its name.
    const content = t('setup.welcomeOwner', { server: chatName(guild.name) });
    return notify({ personId: guild.ownerId, kind: 'welcome', content, nonce: guild.id });
  }
  const message = {
    content: t('setup.welcome'),
    components: [openButton(COMMAND, '', t('setup.button'))],
  };
  const post = postOver(rest, (error) => {
    log.warn({ err: error }, 'a new server was not welcomed');
    return 'lost' as const;
  });
  const { kind } = await postMessage(post, channelId, message, guild.id);
  return kind === 'answered' ? 'sent' : kind;
}

/** Where Discord says that somebody has joined; null where there is no such place, or the bot may not write there. */
function announcementChannel(guild: Guild): string | null {
  const id = guild.systemChannelId ?? '';
  const isText = guild.channels.get(id)?.type === ChannelType.GuildText;
  return isText && guild.mayWriteIn(id) ? id : null;
}
