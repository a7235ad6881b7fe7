/** `npm run backup`: copies the store and its history, also while the bot runs. `-- FILE` names the copy. */
import { backUp } from '../store/sqlite/backup.ts';
import { describeContents, runStoreTool } from './store-tool.ts';

process.exitCode = await runStoreTool({
  usage:
    'npm run backup copies the store and its history beside it; npm run backup -- FILE puts the copy there',
  failed: 'No backup',
  postgres: 'run pg_dump -n pitwall -Fc there, which copies one moment while the bots run',
  async run(file, to) {
    const { path, bytes, contents, history } = await backUp(file, to, Date.now());
    const lines = [`${path} (${kibibytes(bytes)}): ${describeContents(contents)}`];
    if (history !== null) lines.push(`${history.path} (${kibibytes(history.bytes)}): its history`);
    return lines.join('\n');
  },
});

function kibibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}
