import type { AskOutages } from '../alerts/look-now.ts';
import { pauseGone } from '../alerts/pause-gone.ts';
import { createWatchRounds } from '../alerts/rounds.ts';
import type { Clock } from '../base/clock.ts';
import { DAY, MINUTE, SECOND } from '../base/duration.ts';
import { every } from '../base/every.ts';
import type { Runtime } from '../base/runtime.ts';
import { createAlertSender } from '../discord/send/send-alert.ts';
import type { Watch } from '../service/models/watch.ts';
import type { Bot } from './bot.ts';

/** In ms. */
export const ROUND_EVERY = 15 * SECOND;

/** How often channels are looked for that are gone, in ms: most are noticed as they go. */
const LOOK_EVERY = 10 * MINUTE;

/** The alerts at work, until the end. */
export function startAlerts(
  { states, connection, cluster, hidden, history, pastAt, dataService, viewerOf }: Bot,
  { clock, log, resources }: Runtime,
): void {
  const { poll, observations, lookUps } = dataService;
  const failed = (error: unknown): void => log.error({ err: error }, 'alerts failed');
  const rounds = createWatchRounds({
    watches: states.watches,
    deliveries: states.deliveries,
    pauseNotices: states.pauseNotices,
    clock,
    poll,
    unwatched: hidden.unwatched,
    holdsLease: () => cluster.holds(null),
    send: createAlertSender(connection.rest, log),
    translatorOf: async ({ person: id, place, locale }: Watch) => {
      const guildId = place.kind === 'channel' ? place.guild : null;
      return (await viewerOf({ id, guildId, channelId: null, mayManage: false, locale })).t;
    },
    pastAt,
    outages: outagesOf(history, clock),
    doubtful: (count) =>
      log.warn({ count }, 'interrupted alerts may have been sent; they are not sent again'),
  });
  resources.defer(observations.listen(rounds.observed));
  resources.defer(lookUps.want(rounds.subjects));
  // What it looks up for its alerts would go on for ever, and they take the room of others.
  connection.onGuildLeft((guild) => void states.watches.removeIn(guild).catch(failed));
  const isGone = (guild: string, channel: string): boolean =>
    connection.access(guild, channel).kind === 'unknown-channel';
  const { watches, pauseNotices } = states;
  const looking = every(
    clock,
    LOOK_EVERY,
    () => pauseGone({ watches, pauseNotices, isGone, joinedAt: connection.joinedAt, now: clock.now }),
    failed,
  );
  resources.defer(looking.stop);
  resources.defer(rounds.stop);
  const watching = every(clock, ROUND_EVERY, rounds.round, failed);
  resources.defer(watching.stop);
  void watching.now();
}

/** The outages of the last day. */
export function outagesOf(history: Bot['history'], { now }: Pick<Clock, 'now'>): AskOutages {
  return async (server) => (await history.uptime(server, { from: now() - DAY, to: now() })).outages;
}
