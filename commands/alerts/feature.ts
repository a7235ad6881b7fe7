/** The alerts: what people ask of them, and how they are sent. */
import { DAY, MINUTE, SECOND } from '../../src/base/duration.ts';
import { createJob } from '../../src/base/job.ts';
import { type Core, defineFeature, type FeatureRuntime } from '../../src/features/feature.ts';
import type { InTransaction } from '../../src/messages/outbox/ledger.ts';
import { troubleMessage } from './cards/watch-text.ts';
import { createLookAtPlaces } from './jobs/look-at-places.ts';
import type { AskOutages } from './jobs/look-now.ts';
import { createPauseNotices, pauseNotices as storedPauseNotices } from './jobs/pause-notices.ts';
import { createWatchRounds } from './jobs/watch-rounds.ts';
import type { Watch, WatchTrouble } from './models/watch.ts';
import { createWatchRequests } from './models/watch-requests.ts';
import { createWatches, isMadeBy, readingsByPart, statesByPlace, watchesByPlace } from './models/watches.ts';
import { en } from './texts/en.ts';

declare module '../../src/command-kit/features.ts' {
  interface Features {
    readonly alerts: ReturnType<typeof createWatchRequests>;
  }
}

const ROUND_INTERVAL_MS = 15 * SECOND;

/** How often channels are looked for that are gone, in ms: most are noticed as they go. And how soon where rights change. */
const CHECK_INTERVAL_MS = 10 * MINUTE;
const QUICK_CHECK_MS = 5 * SECOND;

export const alerts = defineFeature({
  texts: en,
  collections: [watchesByPlace, statesByPlace, readingsByPart, storedPauseNotices],
  counted: { collection: watchesByPlace, one: 'alert', many: 'alerts' },
  privacy: {
    isOn: async ({ unwatched }) => unwatched,
    set: (unwatched, { hidden, person }) => hidden.setPrivacy(person.id, { unwatched }),
    on: { action: 'forbid', label: 'watch.forbid', confirm: (player, t) => t('watch.forbade', { player }) },
    off: { action: 'permit', label: 'watch.permit', confirm: (_player, t) => t('watch.permitted') },
  },
  create: createAlerts,
});

function createAlerts(
  {
    store,
    repositories: { timeZones, guildSettings },
    connection,
    shards,
    hidden: { unwatched },
    history,
    dataService: { poll, observations, lookUps },
    viewerOf,
    translatorFor,
    outbox,
  }: Core<'access' | 'stayedSince' | 'onAccess'>,
  { clock, resources, runs, failed }: FeatureRuntime,
) {
  const { access, stayedSince } = connection;
  const watches = createWatches(store.documents);
  const pauseNotices = createPauseNotices(store.documents);
  /** Reads the outages of the last day. */
  const outages: AskOutages = async (server) =>
    (await history.uptime(server, { from: clock.now() - DAY, to: clock.now() })).outages;
  const requests = createWatchRequests({ watches, unwatched, access, outages });

  async function tell(watch: Watch, why: WatchTrouble): Promise<boolean> {
    const { person: personId, locale, id, place } = watch;
    // In a server without the bot its people know why.
    if (place.kind === 'channel' && stayedSince(place.guild) === Number.POSITIVE_INFINITY) return true;
    const { content } = troubleMessage(why, translatorFor(locale));
    const key = why === 'refused' ? `refused ${id}` : String(Math.floor(clock.now() / DAY));
    const isWanted: InTransaction<boolean> = (transaction) => isMadeBy(transaction, watch);
    const to = { kind: 'direct', personId } as const;
    const outcome = await outbox.send({ kind: 'alerts-notice', key, to, content, isWanted });
    // A text may be refused again and again, and is told of once.
    if (outcome === 'spared') return why === 'refused';
    return !['closed', 'gone', 'rights', 'lost'].includes(outcome);
  }

  async function inZone(watch: Watch): Promise<Watch> {
    const { person, place } = watch;
    const zone =
      place.kind === 'channel' ? (await guildSettings.of(place.guild)).timeZone : await timeZones.of(person);
    return { ...watch, zone: zone ?? watch.zone };
  }

  const rounds = createWatchRounds({
    watches,
    pauseNotices,
    access,
    inZone,
    tell,
    clock,
    poll,
    unwatched,
    holds: () => shards.mayAct(null),
    outbox,
    retry: (ms) => round.runWithin(ms),
    runs,
    translatorOf: async ({ person: id, place, locale }: Watch) => {
      const guildId = place.kind === 'channel' ? place.guild : null;
      return (await viewerOf({ id, guildId, channelId: null, mayManage: false, locale })).t;
    },
    outages,
  });
  resources.defer(() => rounds.stop().catch(failed));
  const round = createJob(clock, ROUND_INTERVAL_MS, rounds.round, failed);
  resources.defer(observations.listen(rounds.observed, failed));
  resources.defer(lookUps.want(rounds.subjects, failed));

  const lookAtPlaces = createLookAtPlaces({ watches, pauseNotices, tell, access, runs, now: clock.now });
  /** Null: any guild, since nobody has looked before. */
  let changed: Set<string> | null = null;
  async function lookAtChanges(): Promise<void> {
    const changesToCheck = changed;
    changed = new Set();
    await lookAtPlaces((guild) => changesToCheck?.has(guild) ?? true);
  }
  const look = createJob(clock, CHECK_INTERVAL_MS, lookAtChanges, failed);
  resources.defer(
    connection.onAccess((guild) => {
      changed?.add(guild);
      look.runWithin(QUICK_CHECK_MS);
    }, failed),
  );

  return {
    requests,
    /** The notice of a pause, below the person's next answer. */
    afterwards: pauseNotices.message,
    belongings: watches,
    jobs: [look, round],
  };
}
