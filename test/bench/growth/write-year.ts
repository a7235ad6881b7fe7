/**
 * Writes the history of a community's year into a file, in a process of its own, whose memory is not measured:
 * `node write-year.ts <sessions> <file>`.
 */
import { writePast } from '../../../src/community/history/past.ts';
import { LiveServer } from '../../../src/service/models/live-status.ts';
import { historyFormat } from '../../../src/store/sqlite/format.ts';
import { openSqliteHistory } from '../../../src/store/sqlite/history.ts';
import { prepareFile } from '../../../src/store/sqlite/prepare-file.ts';
import { createCommunity } from '../../community/history/support/community.ts';

const [, , sessions = '', file = ''] = process.argv;
const until = Date.UTC(2026, 2, 5, 21, 0, 7);
const since = until - 365 * 24 * 3600_000;
/** Sessions of the driver who comes most often. */
const most = Math.min(5000, Number(sessions) / 10);

const community = createCommunity({
  ...{ seed: 1, drivers: 5000, sessions: Number(sessions) },
  ...{ since, until, most },
});
const runs = LiveServer.options.map((name) => ({ name, isUp: true, from: since, to: until }));
prepareFile(file, historyFormat).close();
const store = openSqliteHistory(file);
await writePast({ ...community, underWay: [], offers: [], runs }, store);
store.close();
