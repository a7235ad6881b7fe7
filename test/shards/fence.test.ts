/** A process that has lost its claim writes nothing, of whatever kind. */
import { describe, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { DAY } from '../../src/base/duration.ts';
import { StoreError } from '../../src/base/errors.ts';
import { createStoredBoards } from '../../src/board/stored-boards.ts';
import { createDeliveries } from '../../src/deliveries/ledger.ts';
import type { Draft } from '../../src/features/convoys/convoy.ts';
import { convoyKey, createConvoyRepository } from '../../src/features/convoys/convoy-repository.ts';
import { createRoleRules } from '../../src/features/roles/role-rules.ts';
import { newBoardOptions, newBoardState } from '../../src/service/models/board.ts';
import { CLAIMS_KEY, claimsDocuments } from '../../src/shards/claims-document.ts';
import { fenceStore } from '../../src/shards/fence.ts';
import { createShards, type Shards } from '../../src/shards/shards.ts';
import { changeDocuments } from '../../src/store/change.ts';
import type { Documents } from '../../src/store/documents.ts';
import { overEachStore } from '../store/over-each-store.ts';
import type { Opened } from '../store/support.ts';

const GUILD = '281474976710656001';
const chunk = { kind: 'ten', key: 'one', start: 0, text: 'counts' };
const delivery = { key: 'a', place: 'p', watches: ['w'], at: 0, cooldown: 0, most: null };
const board = {
  ...{ guildId: GUILD, channelId: '7', madeBy: '', madeAt: 0, locale: 'en', colours: true },
  ...{ removed: false, options: newBoardOptions },
};
const draft: Draft = {
  ...{ id: '1792780000000001', guild: GUILD, channel: '8', madeAt: 0, at: DAY, when: 'tomorrow' },
  ...{ title: 'Run', server: 'two', zone: 'UTC', hours: 2, places: 2, weekly: false, role: null },
};
const rule: Parameters<ReturnType<typeof createRoleRules>['put']>[1] = {
  ...{ role: '5', keep: false, linked: true, madeBy: '9', locale: 'en' },
  ...{ when: { kind: 'km', atLeast: 5 }, since: 0, paused: null, ending: false },
};

async function claimed(documents: Documents): Promise<Shards> {
  const shards = createShards({
    ...{ documents, clock: systemClock, isAlone: false, setting: 'auto' },
    gateway: async () => ({ shards: 1, concurrency: 1 }),
    driver: { connect: async () => {}, disconnect: async () => {} },
    processes: () => {},
    log: { info() {}, warn() {} },
  });
  await shards.claim.take();
  return shards;
}

/** The kinds of work that a process does by itself, and how many of each are stored. */
const works = {
  'a board': {
    prepare: ({ documents }: Pick<Opened, 'documents'>) => createStoredBoards(documents).add(board),
    write: ({ documents }: Pick<Opened, 'documents' | 'history'>) =>
      createStoredBoards(documents).saveState(board.channelId, { ...newBoardState, posted: '9' }),
    stored: async ({ documents }: Opened) => {
      const { posted } = await createStoredBoards(documents).stateOf(board.channelId);
      return posted === null ? 0 : 1;
    },
  },
  "a convoy's card": {
    prepare: async ({ documents }: Pick<Opened, 'documents'>) => {
      const convoys = createConvoyRepository(documents);
      await convoys.putDraft('9', draft);
      await convoys.announce('9', draft, { locale: 'en', colours: true }, 0);
    },
    write: ({ documents }: Pick<Opened, 'documents' | 'history'>) =>
      createConvoyRepository(documents).saveCard(convoyKey(GUILD, draft), { ...newBoardState, posted: '9' }),
    stored: async ({ documents }: Opened) =>
      (await createConvoyRepository(documents).cardOf(convoyKey(GUILD, draft))) === null ? 0 : 1,
  },
  'an alert': {
    prepare: async () => {},
    write: ({ documents }: Pick<Opened, 'documents' | 'history'>) =>
      createDeliveries(documents).claim(delivery),
    stored: async ({ documents }: Opened) => (await createDeliveries(documents).since('p', -1)).length,
  },
  'a role': {
    prepare: async () => {},
    write: ({ documents }: Pick<Opened, 'documents' | 'history'>) =>
      createRoleRules(documents).put(GUILD, rule),
    stored: async ({ documents }: Opened) => (await createRoleRules(documents).of(GUILD)).length,
  },
  history: {
    prepare: async () => {},
    write: ({ history }: Pick<Opened, 'documents' | 'history'>) => history.write([chunk]),
    stored: async ({ history }: Opened) => (await history.read(chunk, 0, 0)).length,
  },
};

overEachStore((test) => {
  for (const [what, { prepare, write, stored }] of Object.entries(works))
    describe(`${what} of a process`, () => {
      test('is stored while that has its claim', async ({ one }) => {
        await prepare(one);
        const shards = await claimed(one.documents);
        await write(fenceStore(one, shards.claim.fence));
        expect(await stored(one)).toBe(1);
        await shards.release(true);
      });

      test('is not stored once another process has the claim', async ({ one, two }) => {
        await prepare(one);
        const first = await claimed(one.documents);
        const fence = first.claim.fence();
        await first.release(true);
        const second = await claimed(two.documents);
        // As of a process that stood still: it does not know yet.
        await expect(write(fenceStore(one, () => fence))).rejects.toThrow(StoreError);
        await expect(write(fenceStore(one, first.claim.fence))).rejects.toThrow(StoreError);
        expect(await stored(two)).toBe(0);
        await second.release(true);
      });

      test('is not stored if the process stands still between reading the claims and writing', async ({
        one,
        two,
      }) => {
        await prepare(one);
        const first = await claimed(one.documents);
        const [reached, continued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const still = async (): Promise<void> => {
          reached.resolve();
          await continued.promise;
        };
        const stoodStill = fenceStore(
          {
            documents: {
              ...one.documents,
              commit: (...given) => still().then(() => one.documents.commit(...given)),
            },
            history: { ...one.history, write: (...given) => still().then(() => one.history.write(...given)) },
          },
          first.claim.fence,
        );
        const writing = write(stoodStill);
        writing.catch(() => {});
        await reached.promise;
        await first.release(true);
        continued.resolve();
        // No other process can write history beside a file.
        if (what === 'history' && !one.isShared) return;
        await expect(writing).rejects.toThrow(StoreError);
        expect(await stored(two)).toBe(0);
      });
    });

  test('a board is stored although the claims change all the time', async ({ one, two }) => {
    await works['a board'].prepare(one);
    const shards = await claimed(one.documents);
    const boards = createStoredBoards(fenceStore(two, shards.claim.fence).documents);
    for (let count = 1; count <= 10; count += 1)
      await Promise.all([
        boards.saveState(board.channelId, { ...newBoardState, posted: String(count) }),
        changeDocuments(one.documents, async (transaction) => {
          const state = await transaction.read(claimsDocuments, CLAIMS_KEY);
          if (state === null) throw new Error('there is a claim');
          transaction.write(claimsDocuments, CLAIMS_KEY, { ...state, crashes: { count, at: count } });
        }),
      ]);
    expect((await boards.stateOf(board.channelId)).posted).toBe('10');
    await shards.release(true);
  });
});
