import { createWatchRequests } from '../../commands/alerts/models/watch-requests.ts';
import { createWatches } from '../../commands/alerts/models/watches.ts';
import type { Audience } from '../../commands/convoys/jobs/convoy-events.ts';
import { createConvoyRepository } from '../../commands/convoys/models/convoy-repository.ts';
import { createConvoyRequests } from '../../commands/convoys/models/convoy-requests.ts';
import { createCommunityPosts } from '../../commands/recap/jobs/post.ts';
import { createMonthChoices } from '../../commands/recap/models/month-choices.ts';
import { createRecapRepository } from '../../commands/recap/models/stored.ts';
import { runSteps } from '../../src/base/sql.ts';
import { collections } from '../../src/bot/collections.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { createHiddenDrivers } from '../../src/community/accounts/hidden-drivers.ts';
import { createOwnData } from '../../src/community/accounts/own-data.ts';
import { createForgetDriver } from '../../src/community/history/forget-driver.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import type { Documents } from '../../src/store/documents.ts';
import { forgetPerson } from '../../src/store/forget.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { noHistory } from './no-history.ts';
import { NOON } from './records.ts';
import { createTranslators } from './translators.ts';

type Forgettable = Parameters<typeof createForgetDriver>[0]['store'];

/** A history in which nothing has happened. */
const emptyHistory: Forgettable = {
  rowsAtOnce: 1,
  read: async () => [],
  write: async (work) => runSteps(work(), () => []),
  scrub: async () => [],
  earlier: null,
};

/** A command's data about people and guilds: initially empty, stored in memory. */
export function peopleInMemory({
  history = emptyHistory,
  shown = [],
  isShared = false,
  now = Date.now,
  audience = 'everyone',
}: {
  readonly history?: Forgettable;
  /** Drivers whom the operator does not let anybody hide. */
  readonly shown?: readonly string[];
  /** The store is a database. */
  readonly isShared?: boolean;
  readonly now?: () => number;
  /** The members who may view each channel. */
  readonly audience?: Audience;
} = {}): Pick<Context, 'store' | 'poll' | 'boards' | 'hidden'> & {
  readonly features: Context['features'];
  readonly documents: Documents;
} {
  const documents = documentsInMemory();
  const states = createRepositories(documents);
  const { links } = states;
  const hidden = createHiddenDrivers(links, { hidden: [], shown }, { now });
  const alerts = createWatchRequests({
    watches: createWatches(documents),
    unwatched: hidden.unwatched,
    access: () => ({ kind: 'open' }),
    outages: async () => [],
  });
  return {
    hidden,
    store: {
      ...states,
      userData: createOwnData({
        ...{ documents, collections, links, isShared },
        forgetter: {
          forget: (personId) => forgetPerson(documents, collections, personId),
          isNamed: async (personId) => (await documents.naming(personId)).length > 0,
          search: async () => {},
        },
        failed: (collection, error) => {
          throw new Error(`the export of ${collection} fails`, { cause: error });
        },
        hidden,
        names: { forgetNickname: async () => {} },
        forgetDriver: createForgetDriver({
          store: history,
          copies: () => [],
          unreached: () => {},
          deleted: () => {},
        }),
      }),
    },
    documents,
    boards: noBoards,
    features: {
      alerts,
      recap: recapRequests(documents, { links, hidden, clock: { now } }),
      roles: noRoles,
      convoys: createConvoyRequests({
        stored: createConvoyRepository(documents),
        cards: { took: () => {} },
        boards: { changed: () => {}, syncMessage: async () => true },
        access: () => ({ kind: 'open' }),
        rightsOf: async () => ({ may: () => true, isPlanner: false, mayIn: () => true }),
        mayView: () => true,
        audienceOf: () => audience,
        driversIn: async () => new Map(),
        mayMakeEvents: () => true,
        ping: async () => {},
        changed: () => {},
        random: () => 0.5,
      }),
    },
    poll: { facts: noFacts },
  };
}

/** Recaps of a guild whose channels are open; nothing is sent anywhere. */
function recapRequests(
  documents: Documents,
  parts: Omit<Parameters<typeof createMonthChoices>[0], 'documents'>,
): Context['features']['recap'] {
  const repository = createRecapRepository(documents);
  return {
    months: createMonthChoices({ documents, ...parts }),
    posts: createCommunityPosts({
      ...{
        repository,
        history: noHistory.history,
        notices: { tell: async () => {}, settle: async () => {} },
      },
      settingsOf: async () => ({ language: null, timeZone: null, colours: true }),
      outbox: { send: async () => 'sent' },
      access: () => ({ kind: 'open' }),
      holds: () => true,
      translatorFor: createTranslators(),
      nicknameOf: () => null,
      isHidden: () => false,
      draw: async () => null,
      clock: { now: () => NOON, monotonic: () => 0 },
      runs: { start: () => {} },
    }),
  };
}

/** A guild without boards, where none can be made. */
const noBoards: Context['boards'] = {
  usual: newBoardOptions,
  create: async () => ({ kind: 'unavailable' }),
  remove: async () => null,
  list: async () => [],
  edit: async () => null,
  move: async () => null,
  test: async () => ({ kind: 'unavailable' }),
  lost: async () => [],
  changeAll: async () => {},
};

/** A guild without rules, where none can be made. */
const noRoles: Context['features']['roles'] = {
  refusalOf: async () => null,
  add: async () => 'lost',
  preview: async () => [],
  list: async () => ({ rules: [], lastRun: null }),
  remove: async () => 'none',
};
