import { runSteps } from '../../src/base/sql.ts';
import { collections } from '../../src/bot/collections.ts';
import { createRepositories } from '../../src/bot/repositories.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Features } from '../../src/command-kit/features.ts';
import { createHiddenDrivers, type HiddenDrivers } from '../../src/community/accounts/hidden-drivers.ts';
import type { Links } from '../../src/community/accounts/links.ts';
import { createOwnData } from '../../src/community/accounts/own-data.ts';
import { createForgetDriver } from '../../src/community/history/forget-driver.ts';
import { noFacts } from '../../src/service/models/facts.ts';
import type { Documents } from '../../src/store/documents.ts';
import { forgetPerson } from '../../src/store/forget.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { featureParts } from './feature-parts.ts';

/** Parts that the requests of features are made of. */
export interface RequestParts {
  readonly documents: Documents;
  readonly links: Links;
  readonly hidden: HiddenDrivers;
  readonly clock: { readonly now: () => number };
}

const requestsOfFeatures = await featureParts<(parts: RequestParts) => unknown>('requests', 'createRequests');

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
}: {
  readonly history?: Forgettable;
  /** Drivers whom the operator does not let anybody hide. */
  readonly shown?: readonly string[];
  /** The store is a database. */
  readonly isShared?: boolean;
  readonly now?: () => number;
} = {}): Pick<Context, 'store' | 'poll' | 'boards' | 'hidden'> & {
  readonly features: Context['features'];
  readonly documents: Documents;
} {
  const documents = documentsInMemory();
  const states = createRepositories(documents);
  const { links } = states;
  const hidden = createHiddenDrivers(links, { hidden: [], shown }, { now });
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
    // There is a value for each name.
    features: Object.fromEntries(
      Object.entries(requestsOfFeatures).map(([name, create]) => [
        name,
        create({ documents, links, hidden, clock: { now } }),
      ]),
    ) as unknown as Features,
    poll: { facts: noFacts },
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
