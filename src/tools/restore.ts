/** `npm run restore -- FILE`: puts a copy of the store in its place, while no bot runs. */
import { StartError } from '../base/errors.ts';
import { carryLedger } from '../service/budget/ledger/sqlite.ts';
import { restoreFile } from '../store/sqlite/restore.ts';
import { describeContents, runStoreTool } from './store-tool.ts';

process.exitCode = await runStoreTool({
  usage:
    'npm run restore -- FILE puts that copy of the store in its place, and its history with it; stop the bot first',
  failed: 'Nothing restored',
  redis:
    'reads its own files: stop the bots, then Redis; put dump.rdb (and appendonlydir) back into its folder; start Redis, then the bots',
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
