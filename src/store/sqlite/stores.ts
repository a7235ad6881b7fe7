import { basename } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Stores } from '../../bot/stores.ts';
import { openEmbeddedLedger } from '../../service/budget/ledger/open.ts';
import { createNamespaces } from '../namespaces.ts';
import { createSqliteBoardRecords } from './board-records.ts';
import { historyFile, namedLikeHistoryCopies } from './copies.ts';
import { createDailyCopy } from './daily-copy.ts';
import { type Database, openDatabase } from './database.ts';
import { createSqliteDeliveries } from './deliveries.ts';
import { createSqliteDocuments } from './documents.ts';
import { createSqliteGuildSettings } from './guild-settings.ts';
import { openSqliteHistoryChunks } from './history-chunks.ts';
import { sqliteAdapter } from './keyv-adapter.ts';
import { createSqliteLinks } from './links.ts';
import { createSqliteDocument } from './shared-document.ts';
import { createSqliteSubscriptions } from './subscriptions.ts';
import { createSqliteTimeZones } from './time-zones.ts';
import { markInUse } from './use-mark.ts';
import { createSqliteUserData } from './user-data.ts';
import { createSqliteWatches } from './watches.ts';

/** The file must have been prepared, and the one of its history. */
export function createSqliteStores(
  file: string,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Stores {
  // Answers can be fetched again; people's decisions cannot.
  const answers = openDatabase(file, { durable: false });
  const decisions = openDatabase(file, { durable: true });
  const copies = createDailyCopy(file);
  // Their tables in one transaction: each one waits for the disk.
  const decided = decisions.transaction(() => createDecisions(decisions, copies, log));
  const history = openSqliteHistoryChunks(historyFile(file));
  const ledger = openEmbeddedLedger({ file, clock });
  const unmark = markInUse(decisions);
  return {
    namespace: createNamespaces((name, limits) => sqliteAdapter(answers, name, limits)),
    ...decided,
    documents: createSqliteDocuments(decisions, { file, clock }),
    history,
    historyCopies: () =>
      namedLikeHistoryCopies(file).map((path) => ({
        name: basename(path),
        open: () => openSqliteHistoryChunks(path),
      })),
    ledger,
    lock: null,
    fleet: createSqliteDocument(answers, 'fleet', clock),
    claimInteraction: null,
    copies,
    async close() {
      await ledger.close();
      history.close();
      answers.close();
      unmark();
      decisions.close();
    },
  };
}

/** What people have decided, and what is known of their messages. */
function createDecisions(database: Database, copies: ReturnType<typeof createDailyCopy>, log: Log) {
  const links = createSqliteLinks(database);
  const subscriptions = createSqliteSubscriptions(database);
  const watches = createSqliteWatches(database);
  const timeZones = createSqliteTimeZones(database);
  return {
    links,
    guildSettings: createSqliteGuildSettings(database),
    subscriptions,
    watches,
    deliveries: createSqliteDeliveries(database),
    timeZones,
    userData: createSqliteUserData(database, {
      ...{ links, subscriptions, watches, timeZones, copies },
      unreached: (copy, error) =>
        log.error({ copy, err: error }, 'a person was deleted, but not from this copy: delete it'),
    }),
    boards: createSqliteBoardRecords(database, {
      unreadable: (channelId) => log.error({ channelId }, 'board settings unreadable'),
    }),
  };
}
