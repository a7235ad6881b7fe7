/** The process that deletes people from the copies of the store: one {@link CopiesToClean} in, what it could not reach out. */
import { forgetInCopies } from '../store/sqlite/forget-in-copies.ts';
import { CopiesToClean } from './clean-copies.ts';
import { collections } from './collections.ts';

// To a whole group of processes; the bot ends this one by hanging up.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
process.once('message', (message) => void clean(message));

async function clean(message: unknown): Promise<void> {
  const { copies, ids } = CopiesToClean.parse(message);
  process.send?.(await forgetInCopies(copies, collections, ids));
}
