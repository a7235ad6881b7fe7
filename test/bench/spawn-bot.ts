import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import manifest from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../../', import.meta.url));

/** How `npm start` starts the bundle once it is built: with its flags and its variables, but from any folder. */
export const npmStart = manifest.scripts.start.replace(/^.*&& /, '').replace('dist/', join(root, 'dist/'));
/** The same bot without a bundle. */
export const fromSources = `exec node ${join(root, 'src/main.ts')}`;

/** The bot in a folder of its own, with no other settings than these. The shell becomes the bot: it has its process id. */
export function spawnBot(
  folder: string,
  settings: Readonly<Record<string, string>>,
  command = npmStart,
): ChildProcess {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  return spawn('sh', ['-c', command], {
    cwd: folder,
    env: { PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
