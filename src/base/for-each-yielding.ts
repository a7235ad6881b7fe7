import { setImmediate } from 'node:timers';

/** Longest work of all callers together in one turn of the event loop, in ms. Nothing may block it for 20, and other work adds to it. */
const MAX_TURN_MS = 5;

/** When the work of this turn began; null: not yet. The process has one event loop, which callers would else hold in turn. */
let turnStart: number | null = null;
/** Callers that wait for a later turn, in their order. */
const waiting: (() => void)[] = [];

/**
 * Does the work for one item after the other, and yields to the event loop every few milliseconds, in which all callers share.
 * Work that is asynchronous and not awaited counts as well, up to its first wait for something outside the process.
 */
export async function forEachInSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void | Promise<void>,
): Promise<void> {
  for (const item of items) {
    if (!hasTimeLeft()) await laterTurn();
    const pending = work(item);
    if (pending === undefined) continue;
    await pending;
    await settle();
  }
}

/** Repeats the work, in slices as {@link forEachInSlices}, until it resolves with false. */
export async function repeatInSlices(work: () => Promise<boolean>): Promise<void> {
  let hasMore = true;
  const turns = function* () {
    while (hasMore) yield;
  };
  await forEachInSlices(turns(), async () => {
    hasMore = await work();
  });
}

/** Resolves in a turn of the event loop that has time left for one more piece of work, which may be this one. */
export async function waitForTurn(): Promise<void> {
  if (!hasTimeLeft()) await laterTurn();
}

function laterTurn(): Promise<void> {
  return new Promise((resolve) => void waiting.push(resolve));
}

function hasTimeLeft(): boolean {
  turnStart ??= beginTurn();
  return Math.abs(performance.now() - turnStart) < MAX_TURN_MS;
}

function beginTurn(): number {
  setImmediate(() => void endTurn());
  return performance.now();
}

async function endTurn(): Promise<void> {
  turnStart = null;
  for (
    let resume = waiting.shift();
    resume !== undefined;
    resume = hasTimeLeft() ? waiting.shift() : undefined
  ) {
    turnStart ??= beginTurn();
    resume();
    await settle();
  }
}

/** Resolves after all promises that are settled: over a file, all of what was begun may be done by then. */
function settle(): Promise<void> {
  return new Promise((resolve) => void process.nextTick(resolve));
}

/**
 * Like {@link forEachInSlices}, but a failure (a document that cannot be read) stops no later item: rejects with the first
 * failure after the last item.
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  await forEachInSlices(items, (item) => work(item).catch((error: unknown) => void failures.push(error)));
  if (failures.length > 0) throw failures[0];
}
