import { once } from 'node:events';
import { z } from 'zod';
import { StoreError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { UNREACHED, Unreached } from '../store/sqlite/forget-in-copies.ts';

export const CopiesToClean = z.object({ copies: z.array(z.string()), ids: z.array(z.string()) });

/**
 * Deletes people from copies of the store in a process of its own, which has neither token nor key. Rejects where a copy
 * could not be changed and another attempt may reach it; the log names each that stays as it is.
 */
export async function cleanCopies(
  { copies, ids }: z.output<typeof CopiesToClean>,
  {
    cleaner,
    log,
    signal,
  }: {
    /** File of the process. */
    readonly cleaner: URL;
    readonly log: Pick<Log, 'error'>;
    /** Ends the process; the copies stay whole. */
    readonly signal: AbortSignal;
  },
): Promise<void> {
  if (copies.length === 0) return;
  const unreached = z.array(Unreached).parse(await run(cleaner, { copies, ids }, signal));
  for (const { copy, why } of unreached) log.error({ copy, why }, UNREACHED);
  if (unreached.some(({ mayPass }) => mayPass))
    throw new StoreError('a copy of the store cannot be changed now');
}

async function run(
  cleaner: URL,
  work: z.output<typeof CopiesToClean>,
  signal: AbortSignal,
): Promise<unknown> {
  // A bot about whose people nothing is deleted does without it.
  const { fork } = await import('node:child_process');
  const child = fork(cleaner, [], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    execArgv: [],
    signal,
    killSignal: 'SIGKILL',
  });
  // An error must not be thrown even if nobody waits for the exit any more.
  child.on('error', () => {});
  let answer: unknown = null;
  child.once('message', (message) => {
    answer = message;
    child.kill('SIGKILL');
  });
  // The ids as a message: other users of the machine can read the arguments of a process.
  child.send(work);
  await once(child, 'exit');
  if (answer === null) throw new StoreError('the process that cleans the copies of the store ended');
  return answer;
}
