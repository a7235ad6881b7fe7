/** `npm run restore -- FILE`: puts a copy of the store in its place, while no bot runs. */
import { readStorePlace } from './config.ts';
import { readEnvironment } from './environment.ts';
import { StartError } from './errors.ts';
import { listed } from './store/sqlite/contents.ts';
import { restore } from './store/sqlite/restore.ts';

process.exitCode = await main(process.argv[2] ?? '');

async function main(from: string): Promise<number> {
  const place = readStorePlace(readEnvironment());
  if ('wrong' in place) return refuse(`STORE_URL ${place.wrong}; expected: ${place.expected}`);
  if (place.kind === 'redis')
    return refuse(
      'STORE_URL names Redis, which reads its own files: stop the bots, then Redis; put dump.rdb (and appendonlydir) back into its folder; start Redis, then the bots',
    );
  if (from === '') return refuse('name the copy: npm run restore -- FILE');
  try {
    const { contents, replaced } = await restore(place.file, from, Date.now());
    const kept = replaced === null ? '' : `The file that it replaces is now ${replaced}\n`;
    process.stdout.write(`${place.file} is back as of ${from}: ${listed(contents)}\n${kept}`);
    return 0;
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message);
    throw error;
  }
}

function refuse(why: string): number {
  process.stderr.write(`Nothing restored: ${why}\n`);
  return 1;
}
