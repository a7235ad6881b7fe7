/** The convoys: what people ask of them, and what they do by themselves. */

import { convoyPlace, nonceOf, sendOnce } from '../alerts/deliver.ts';
import type { DeliveryClaim } from '../alerts/deliveries.ts';
import { SECOND } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { cancelledText, eventGoneText, pingText, reminderText } from '../cards/convoy/convoy-texts.ts';
import { createConvoyEvents } from '../convoys/convoy-events.ts';
import { createConvoyRequests } from '../convoys/convoy-requests.ts';
import { createConvoyRounds } from '../convoys/convoy-rounds.ts';
import { createGuildRoles } from '../discord/send/guild-roles.ts';
import { createScheduledEvents } from '../discord/send/scheduled-events.ts';
import { createAlertSender } from '../discord/send/send-alert.ts';
import { REMIND_BEFORE } from '../service/models/convoy.ts';
import type { Bot, Parts } from './bot.ts';

/** In ms. */
const ROUND_EVERY = 15 * SECOND;
/** Direct messages about convoys to one person: whoever makes them can move them again and again. */
const MOST_A_DAY = 10;

export function createConvoys(
  { states, connection, guildDrivers, convoyCards, boards, shards, history, translatorFor }: Parts,
  { clock, log, resources }: Runtime,
): Bot['convoys'] {
  const { convoys: stored, deliveries } = states;
  const discord = createGuildRoles(connection.rest, connection.userId, log);
  const post = createAlertSender(connection.rest, log);

  /** A message that a killed process has claimed may have been sent, and is not sent again. */
  async function once(
    place: string,
    key: string,
    message: Omit<Parameters<typeof post>[0], 'components' | 'nonce'>,
    limits: Pick<DeliveryClaim, 'watches' | 'cooldown' | 'most'> = {
      watches: [key],
      cooldown: 0,
      most: null,
    },
  ): Promise<void> {
    const claim = { key, place, at: clock.now(), ...limits };
    await sendOnce(
      claim,
      { deliveries },
      () => post({ ...message, components: [], nonce: nonceOf(place + key) }),
      'rights',
    );
  }

  let soon = (): void => {};
  const mayMakeEvents = (guild: string): boolean => connection.mayInGuild(guild, 'CreateEvents');
  const tell = (personId: string, key: string, content: string, about = key): Promise<void> =>
    once(
      convoyPlace(personId),
      key,
      { to: { kind: 'direct', personId }, content, roles: [] },
      { watches: [about], cooldown: REMIND_BEFORE, most: MOST_A_DAY },
    );
  const events = createConvoyEvents({
    stored,
    events: createScheduledEvents(connection.rest, connection.userId, log),
    may: mayMakeEvents,
    tellGone: async (convoy) => {
      if (convoy.madeBy !== '')
        await tell(convoy.madeBy, `event ${convoy.id}`, eventGoneText(convoy, translatorFor(convoy.locale)));
    },
    now: clock.now,
  });
  const requests = createConvoyRequests({
    stored,
    cards: convoyCards,
    boards,
    access: connection.access,
    async rightsOf(guild, person) {
      const { convoyRole } = await states.guildSettings.of(guild);
      const standing = await discord.standing(guild, person);
      if (typeof standing === 'string') return standing;
      return {
        may: standing.may,
        isPlanner: convoyRole !== null && [guild, ...standing.roles].includes(convoyRole),
        mayIn(channel, right) {
          const overwrites = connection.overwritesOf(guild, channel);
          return overwrites === null ? null : standing.mayIn(overwrites, right);
        },
      };
    },
    mayMakeEvents,
    async ping(convoy) {
      const { id, channel, role, locale } = convoy;
      if (role === null) return;
      const content = pingText({ ...convoy, role }, translatorFor(locale));
      const to = { kind: 'channel', channelId: channel } as const;
      await once(`convoy:${channel}`, id, { to, content, roles: [role] }).catch((error: unknown) =>
        log.error({ err: error }, 'convoy not pinged'),
      );
    },
    changed: () => soon(),
    random: Math.random,
  });
  const rounds = createConvoyRounds({
    stored,
    boards,
    holds: shards.holds,
    stayedSince: connection.stayedSince,
    history,
    driversIn: guildDrivers.in,
    remind(personId, convoy) {
      const about = `convoy ${convoy.id}`;
      const t = translatorFor(convoy.locale);
      return convoy.stage === 'cancelled'
        ? tell(personId, `${about} cancelled`, cancelledText(convoy, t))
        : tell(personId, `${about} ${convoy.at}`, reminderText(convoy, t), about);
    },
    keepEvent: events.keep,
    now: clock.now,
    random: Math.random,
  });

  return {
    requests,
    start(): void {
      const failed = (error: unknown): void => log.error({ err: error }, 'convoys failed');
      const working = every(clock, ROUND_EVERY, rounds.round, failed);
      resources.defer(working.stop);
      connection.onGuildLeft((guild) => void stored.removeIn(guild).catch(failed));
      soon = () => void working.now();
      soon();
    },
  };
}
