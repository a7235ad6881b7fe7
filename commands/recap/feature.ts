/** Recaps: a driver's month, the reading on each side of its turn, and the community's weeks and months in a channel. */
import { MINUTE } from '../../src/base/duration.ts';
import { createJob } from '../../src/base/job.ts';
import { type Core, defineFeature, type FeatureRuntime } from '../../src/features/feature.ts';
import { createMonthKeeper } from './jobs/keep-months.ts';
import { createCommunityPosts } from './jobs/post.ts';
import { createPostNotices, postMakers } from './jobs/post-maker.ts';
import { carryDigests } from './models/carry-digests.ts';
import { createMonthChoices, monthChoices, noteTold } from './models/month-choices.ts';
import { communityPosts, createRecapRepository } from './models/stored.ts';
import { en } from './texts/en.ts';

declare module '../../src/command-kit/features.ts' {
  interface Features {
    readonly recap: ReturnType<typeof createRecap>['requests'];
  }
}

/** How often wanted profiles and due posts are looked for. */
const CHECK_INTERVAL_MS = 10 * MINUTE;

export const recap = defineFeature({
  texts: en,
  collections: [monthChoices, communityPosts, postMakers],
  privacy: {
    isOn: async (_link, { features, person }) => (await features.recap.months.of(person.id))?.isOn ?? null,
    set: (isOn, { features, person }) => features.recap.months.set(person.id, isOn),
    on: { action: 'keep', label: 'recap.keep.turnOn', line: 'recap.keep.isOn' },
    off: { action: 'drop', label: 'recap.keep.turnOff', line: 'recap.keep.isOff' },
  },
  prepare: carryDigests,
  /** The demo's first answer is not followed by the notice. */
  async writeDemo(documents, { members }) {
    for (const { person } of members) await noteTold(documents, person);
  },
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
    outbox,
    shownNames,
    pictures,
    translatorFor,
  }: Core<'access' | 'isThere'>,
  { clock, resources, runs, failed }: FeatureRuntime,
) {
  const repository = createRecapRepository(store.documents);
  const posts = createCommunityPosts({
    repository,
    notices: createPostNotices({ documents: store.documents, outbox, translatorFor }),
    settingsOf: repositories.guildSettings.of,
    history,
    outbox,
    access: connection.access,
    // In a guild without the bot, its people know why nothing comes.
    holds: (guild) => shards.mayAct(guild) && connection.isThere(guild),
    translatorFor,
    nicknameOf: shownNames.nicknameOf,
    isHidden: hidden.isHidden,
    draw: pictures.draw,
    clock,
    runs,
  });
  const months = createMonthChoices({
    documents: store.documents,
    links: repositories.links,
    hidden,
    clock,
  });
  const keeper = createMonthKeeper({
    keepers: months.kept,
    keptDriver: async (personId) => {
      const own = await months.of(personId);
      return own?.isKept === true ? own.driver : null;
    },
    zoneOf: repositories.timeZones.of,
    history,
    hidden,
    clock,
  });
  resources.defer(dataService.observations.listen(keeper.observed, failed));
  // As roles', by one process for all.
  const subjects = () => (shards.mayAct(null) ? keeper.subjects() : []);
  resources.defer(dataService.lookUps.want(subjects, failed));

  return {
    requests: {
      months: {
        of: months.of,
        tell: months.tell,
        async set(personId: string, isOn: boolean): Promise<void> {
          await months.set(personId, isOn);
          keeper.drop(personId);
        },
      },
      posts,
    },
    belongings: repository,
    afterwards: months.message,
    jobs: [posts.round, keeper.refresh, months.sweep].map((work) =>
      createJob(clock, CHECK_INTERVAL_MS, work, failed),
    ),
  };
}
