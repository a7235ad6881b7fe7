import { createLookAtPlaces } from '../alerts/look-at-places.ts';
import { createWatchRounds } from '../alerts/watch-rounds.ts';
import { DAY, MINUTE, SECOND } from '../base/duration.ts';
import { every } from '../base/every.ts';
import { createRuns } from '../base/runs.ts';
import type { Runtime } from '../base/runtime.ts';
import { pausedMessage } from '../cards/watch/watch-text.ts';
import type { PauseReason, Watch } from '../service/models/watch.ts';
import type { Bot } from './bot.ts';

/** In ms. */
export const ROUND_EVERY = 15 * SECOND;

/** How often channels are looked for that are gone, in ms: most are noticed as they go. And how soon where rights change. */
const LOOK_EVERY = 10 * MINUTE;
const LOOK_SOON = 5 * SECOND;

/** The alerts at work, until the end. */
export function startAlerts(
  {
    states,
    connection,
    shards,
    hidden,
    pastAt,
    outages,
    dataService,
    viewerOf,
    translatorFor,
    notify,
    sendOnce,
  }: Bot,
  { clock, log, resources }: Runtime,
): void {
  const { poll, observations, lookUps } = dataService;
  const { watches, pauseNotices } = states;
  const { access, stayedSince } = connection;
  const failed = (error: unknown): void => log.error({ err: error }, 'alerts failed');
  const tell = async ({ person: personId, locale }: Watch, why: PauseReason): Promise<boolean> => {
    const { content } = pausedMessage(why, translatorFor(locale));
    const key = String(Math.floor(clock.now() / DAY));
    const outcome = await notify({ personId, kind: 'alerts', content, key });
    return !['closed', 'gone', 'rights', 'spared', 'lost'].includes(outcome);
  };
  const runs = createRuns(clock, failed);
  const rounds = createWatchRounds({
    watches,
    deliveries: states.deliveries,
    pauseNotices,
    access,
    tell,
    clock,
    poll,
    unwatched: hidden.unwatched,
    holds: () => shards.holds(null),
    sendOnce: sendOnce.send,
    again: (ms) => watching.within(ms),
    runs,
    translatorOf: async ({ person: id, place, locale }: Watch) => {
      const guildId = place.kind === 'channel' ? place.guild : null;
      return (await viewerOf({ id, guildId, channelId: null, mayManage: false, locale })).t;
    },
    pastAt,
    outages,
    doubtful: (count) =>
      log.warn({ count }, 'interrupted alerts may have been sent; they are not sent again'),
  });
  resources.defer(observations.listen(rounds.observed));
  resources.defer(lookUps.want(rounds.subjects));
  // Alerts of a guild that was left would be looked up for ever, and they take the room of others.
  connection.onGuildLeft((guild) => void watches.removeIn(guild).catch(failed));
  const look = createLookAtPlaces({
    ...{ watches, pauseNotices, tell, access, stayedSince, runs },
    now: clock.now,
  });
  let changed = new Set<string>();
  const looking = every(
    clock,
    LOOK_EVERY,
    () => {
      const seen = changed;
      changed = new Set();
      return look(seen);
    },
    failed,
  );
  resources.defer(
    connection.onAccess((guild) => {
      changed.add(guild);
      looking.within(LOOK_SOON);
    }),
  );
  resources.defer(looking.stop);
  resources.defer(rounds.stop);
  resources.defer(runs.stop);
  const watching = every(clock, ROUND_EVERY, rounds.round, failed);
  resources.defer(watching.stop);
  void watching.now();
}
