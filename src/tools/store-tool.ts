/** What the tools for the store's file have in common. */
import { readStorePlace } from '../base/config.ts';
import { readEnvironment } from '../base/environment.ts';
import { StartError } from '../base/errors.ts';

interface Tool {
  /** Says that nothing came of it, before the reason: "No backup". */
  readonly failed: string;
  /** How Redis does the same by itself. */
  readonly redis: string;
  /** Resolves with what it says on success. A {@link StartError} is the reason why not. */
  run(file: string): Promise<string>;
}

/** Resolves with the exit code. */
export async function runStoreTool({ failed, redis, run }: Tool): Promise<number> {
  const refuse = (why: string): number => {
    process.stderr.write(`${failed}: ${why}\n`);
    return 1;
  };
  process.umask(0o077);
  try {
    const place = readStorePlace(readEnvironment());
    if ('wrong' in place) return refuse(`STORE_URL ${place.wrong}; expected: ${place.expected}`);
    if (place.kind === 'redis') return refuse(`STORE_URL names Redis, which ${redis}`);
    process.stdout.write(`${await run(place.file)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message);
    throw error;
  }
}
