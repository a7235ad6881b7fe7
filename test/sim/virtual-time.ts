import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly run: () => void;
  readonly every: number | null;
}

const realImmediate = setImmediate;

/** Turns of the event loop within which everything at one moment happens. */
const TURNS = 3;

/**
 * Time that passes only when it is told to. While installed, the global timers and `Date` follow it
 * too, so that code that knows no passed-in clock (Bottleneck) lives in the same time.
 */
export class VirtualTime {
  #elapsed = 0;
  #wallOffset: number;
  #order = 0;
  #heap: Timer[] = [];
  readonly #cancelled = new Set<number>();
  readonly #bootOffset: number;

  /** `start`: unix milliseconds. `uptime`: how long the machine is up by then. */
  constructor(start: number, uptime = 5_000_000) {
    this.#wallOffset = start;
    this.#bootOffset = uptime;
  }

  /** Milliseconds since the start, whatever the wall clock says. */
  get elapsed(): number {
    return this.#elapsed;
  }

  readonly clock: Clock = {
    now: () => Math.floor(this.#wallOffset + this.#elapsed),
    monotonic: () => this.#bootOffset + this.#elapsed,
    after: (ms, callback) => {
      const order = this.#add(ms, callback, null);
      return () => this.#cancelled.add(order);
    },
  };

  /** Puts the wall clock forward, or back where negative. */
  stepWall(ms: number): void {
    this.#wallOffset += ms;
  }

  /** Runs all timers that are due within `ms`, each with everything that follows from it at once. */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settled();
    for (;;) {
      const [timer] = this.#heap;
      if (timer === undefined || timer.due > end) break;
      this.#shift();
      if (this.#cancelled.delete(timer.order)) continue;
      this.#elapsed = Math.max(this.#elapsed, timer.due);
      if (timer.every !== null) this.#push({ ...timer, due: timer.due + timer.every });
      timer.run();
      await settled();
    }
    this.#elapsed = end;
  }

  /** Lets time pass until the promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let done = false;
    const finish = (): void => {
      done = true;
    };
    promise.then(finish, finish);
    await settled();
    while (!done) {
      const [timer] = this.#heap;
      if (timer === undefined) throw new Error('nothing is left to wait for');
      await this.pass(Math.max(0, timer.due - this.#elapsed));
    }
    return promise;
  }

  /** Puts the global timers and `Date` on this time, and stops `performance.now`; what it returns puts them back. */
  install(): () => void {
    const time = this;
    const { setTimeout, clearTimeout, setInterval, clearInterval, Date: RealDate } = globalThis;
    const { now } = performance;
    class VirtualDate extends RealDate {
      constructor(...parts: [] | [number]) {
        super(parts.length === 0 ? time.clock.now() : parts[0]);
      }
      static override now(): number {
        return time.clock.now();
      }
    }
    const handle = (order: number): object => ({ order, ref: () => {}, unref: () => {} });
    const clear = (timer: { order: number } | undefined): void => {
      if (timer !== undefined) time.#cancelled.add(timer.order);
    };
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms = 0) => handle(time.#add(Math.max(1, ms), run, null)),
      setInterval: (run: () => void, ms = 0) => handle(time.#add(Math.max(1, ms), run, Math.max(1, ms))),
      clearTimeout: clear,
      clearInterval: clear,
      Date: VirtualDate,
    });
    // Work that lets others have their turn every few milliseconds would else do so when the machine is busy.
    performance.now = () => 0;
    return () => {
      performance.now = now;
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, Date: RealDate });
    };
  }

  #add(ms: number, run: () => void, every: number | null): number {
    this.#order += 1;
    this.#push({ due: this.#elapsed + Math.max(0, ms), order: this.#order, run, every });
    return this.#order;
  }

  /** A binary heap, the next timer first; of those due together the one set first. */
  #push(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, heap[parent])) break;
      heap[index] = heap[parent] ?? timer;
      index = parent;
    }
    heap[index] = timer;
  }

  #shift(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      const next = heap[child];
      if (next === undefined || !isBefore(next, last)) break;
      heap[index] = next;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(a: Timer | undefined, b: Timer | undefined): boolean {
  if (a === undefined || b === undefined) return a !== undefined;
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}

/** When everything that can happen without time passing has happened: slices of work take more than one turn on a slow machine. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1)
    await new Promise<void>((resolve) => void realImmediate(resolve));
}
