/** `npm run backup`: copies the store, also while the bot runs. `-- FILE` names the copy. */
import { readStorePlace } from './config.ts';
import { readEnvironment } from './environment.ts';
import { StartError } from './errors.ts';
import { backUp } from './store/sqlite/backup.ts';
import { listed } from './store/sqlite/contents.ts';

process.exitCode = await main(process.argv[2] ?? null);

async function main(to: string | null): Promise<number> {
  const place = readStorePlace(readEnvironment());
  if ('wrong' in place) return refuse(`STORE_URL ${place.wrong}; expected: ${place.expected}`);
  if (place.kind === 'redis')
    return refuse(
      'STORE_URL names Redis, which writes its own files: run BGSAVE there, and copy dump.rdb (and appendonlydir) from its folder',
    );
  try {
    const { path, bytes, contents } = await backUp(place.file, to, Date.now());
    process.stdout.write(`${path} (${Math.ceil(bytes / 1024)} KiB): ${listed(contents)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message);
    throw error;
  }
}

function refuse(why: string): number {
  process.stderr.write(`No backup: ${why}\n`);
  return 1;
}
