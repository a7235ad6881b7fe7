import { ChannelType } from 'discord.js';
import { HOUR } from '../../base/duration.ts';
import type { Log } from '../../base/log.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Outbox } from '../../messages/outbox/outbox.ts';
import { chatName } from '../../text/names.ts';
import type { Guild } from '../gateway/guild.ts';
import { openButton } from '../interactions/form-window.ts';

interface WelcomeParts {
  readonly outbox: Pick<Outbox, 'send'>;
  readonly translatorFor: (locale: string) => Translator;
  readonly now: () => number;
  readonly log: Log;
}

/** How long after an invitation the form is still offered, in ms: the bot may have been down meanwhile. */
const OFFER_WINDOW_MS = HOUR;

/** The name of the command whose form is offered. */
const COMMAND = 'setup';

/**
 * Offers the form for a guild's settings, once, to the person who has just invited the bot. Only bots that may read the
 * audit log learn who that was. The person is looking at the guild, so the offer appears where Discord itself announces
 * newcomers; where the bot may not write there, the guild's owner gets it, rather than a channel that is meant for
 * something else.
 */
export function createWelcome(parts: WelcomeParts): (guild: Guild) => Promise<void> {
  const { now, log } = parts;
  return async (guild) => {
    if (now() - guild.joinedAt > OFFER_WINDOW_MS) return;
    if ((await offer(guild, parts)) === 'lost')
      log.warn({ guild: guild.id }, 'a new server was not welcomed');
  };
}

/** Once for each stay in the guild, over logins and restarts. */
function offer(guild: Guild, { outbox, translatorFor }: WelcomeParts) {
  const channelId = announcementChannel(guild);
  const t = translatorFor(guild.locale);
  const key = `${guild.id} ${guild.joinedAt}`;
  if (channelId === null)
    return outbox.send({
      kind: 'welcome-notice',
      key,
      to: { kind: 'direct', personId: guild.ownerId },
      // A guild's name may contain a link.
      content: t('setup.welcomeOwner', { server: chatName(guild.name) }),
    });
  return outbox.send({
    kind: 'welcome',
    key,
    of: guild.id,
    to: { kind: 'channel', channelId },
    content: t('setup.welcome'),
    components: [openButton(COMMAND, '', t('setup.button'))],
  });
}

/** Channel in which Discord announces new members; null if there is none, or the bot may not write there. */
function announcementChannel(guild: Guild): string | null {
  const id = guild.systemChannelId ?? '';
  const isText = guild.channels.get(id)?.type === ChannelType.GuildText;
  return isText && guild.mayWriteIn(id) ? id : null;
}
