import { setImmediate as turn } from 'node:timers/promises';

/**
 * What a piece of work costs, in ms of this thread's processor time: what else the machine does hardly changes it. Not for
 * work that waits, since whether something else has its turn is looked at all the time.
 */
interface Cost {
  readonly cpu: number;
  /** The longest part of it in which nothing else had its turn. */
  readonly block: number;
}

export async function costOf(work: () => unknown): Promise<Cost> {
  let isOver = false;
  let block = 0;
  const watching = (async () => {
    for (let last = threadMs(); ; ) {
      await turn();
      const now = threadMs();
      block = Math.max(block, now - last);
      last = now;
      if (isOver) return;
    }
  })();
  await turn();
  const begun = threadMs();
  await work();
  const cpu = threadMs() - begun;
  isOver = true;
  await watching;
  return { cpu, block };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
