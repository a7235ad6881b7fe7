/** Recaps: a driver's month, the reading on each side of its turn, and the community's month in a channel. */
import { MINUTE } from '../../base/duration.ts';
import { repeatEvery } from '../../base/repeat-every.ts';
import { createRuns } from '../../base/runs.ts';
import type { Runtime } from '../../base/runtime.ts';
import { type Core, defineFeature } from '../feature.ts';
import { createMonthKeeper } from './keep-months.ts';
import { createMonthPosts } from './post.ts';
import { createRecapRepository, keptMonths, monthlyPosts } from './stored.ts';
import { en } from './texts/en.ts';

declare module '../../command-kit/features.ts' {
  interface Features {
    readonly recap: ReturnType<typeof createRecap>['requests'];
  }
}
declare module '../../i18n/translation.ts' {
  interface FeatureTexts {
    readonly recap: (typeof en)['recap'];
  }
}

/** How often wanted profiles and due posts are looked for. */
const CHECK_INTERVAL_MS = 10 * MINUTE;

export const recap = defineFeature({
  texts: en,
  collections: [keptMonths, monthlyPosts],
  create: createRecap,
});

function createRecap(
  {
    store,
    repositories,
    connection,
    shards,
    dataService,
    history,
    hidden,
    sendOnce,
    shownNames,
    translatorFor,
  }: Core,
  { clock, log, resources }: Runtime,
) {
  const repository = createRecapRepository(store.documents);
  const failed = (error: unknown): void => log.error({ err: error }, 'recaps failed');
  const runs = createRuns(clock, failed);
  const posts = createMonthPosts({
    repository,
    settingsOf: repositories.guildSettings.of,
    history,
    deliveries: repositories.deliveries,
    sendOnce: sendOnce.send,
    access: connection.access,
    holds: shards.mayAct,
    translatorFor,
    nicknameOf: shownNames.nicknameOf,
    clock,
    runs,
  });
  const keeper = createMonthKeeper({
    keepers: repository.keepers,
    keptDriver: repository.keptDriver,
    links: repositories.links,
    zoneOf: repositories.timeZones.of,
    history,
    hidden,
    clock,
  });
  return {
    requests: {
      keptDriver: repository.keptDriver,
      async setKeptDriver(personId: string, driver: string | null): Promise<void> {
        await repository.setKeptDriver(personId, driver);
        keeper.drop(personId);
      },
      posts,
    },
    belongings: repository,
    start(): void {
      resources.defer(runs.stop);
      resources.defer(dataService.observations.listen(keeper.observed, failed));
      // As roles', by one process for all.
      const subjects = () => (shards.mayAct(null) ? keeper.subjects() : []);
      resources.defer(dataService.lookUps.want(subjects, failed));
      for (const work of [posts.round, keeper.refresh]) {
        const repetition = repeatEvery(clock, CHECK_INTERVAL_MS, work, failed);
        resources.defer(repetition.stop);
        void repetition.now();
      }
    },
  };
}
