/** `npm run restore -- FILE`: puts a copy of the store in its place, while no bot runs. */
import { StartError } from '../base/errors.ts';
import { carryLedger } from '../service/budget/ledger/tables.ts';
import { restoreFile } from '../store/sqlite/restore.ts';
import { describeContents, runStoreTool } from './store-tool.ts';

process.exitCode = await runStoreTool({
  usage:
    'npm run restore -- FILE puts that copy of the store in its place, and its history with it; stop the bot first',
  failed: 'Nothing restored',
  postgres:
    'stop the bots, run pg_restore --clean there, and DELETE FROM pitwall.budget_state, so that one request asks how many are left',
  async run(file, from) {
    if (from === null) throw new StartError('name the copy: npm run restore -- FILE');
    const { contents, replaced, history } = await restoreFile(file, from, {
      now: Date.now(),
      carry: carryLedger,
    });
    return [
      `${file} is back as of ${from}: ${describeContents(contents)}`,
      history ? 'So is its history' : 'There is no history beside the copy: that of the bot stays',
      ...(replaced === null ? [] : [`The file that it replaces is now ${replaced}`]),
    ].join('\n');
  },
});
