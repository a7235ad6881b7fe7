/** The alerts at work: one process at a time reads what is watched, decides, and sends. */
import type { BoardFacts } from '../../cards/board/board-facts.ts';
import { digestText } from '../../cards/watch/digest-text.ts';
import type { Clock } from '../../clock.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Observation } from '../../service/endpoints.ts';
import { placeKey, type Watch } from '../../store/watches.ts';
import { isSilent } from './admit.ts';
import { type DeliverParts, deliver, deliverDigest } from './deliver.ts';
import type { Subject } from './look-ups.ts';
import { createWatchMemory, type Waiting } from './memory.ts';
import { namesDrivers, snapshotOf } from './readings.ts';
import { lookBack, type Past, weekToTell } from './week.ts';

export interface WatchRoundsParts extends Omit<DeliverParts, 'now' | 'saying'> {
  readonly clock: Clock;
  /** The live files and the overview, polled for as long as someone watches them. */
  readonly poll: {
    readonly facts: BoardFacts;
    watch(sources: readonly ('live' | 'overview')[], changed: () => void): () => void;
  };
  /** Resolves when one look-up is done, or none was due. Never rejects. */
  readonly lookUp: (subjects: readonly Subject[]) => Promise<void>;
  /** Whether this process keeps the alerts. Of several with one store, at most one does. */
  readonly keeps: () => boolean;
  /** Drivers who must not be watched, in the spelling of `sameSpelling`. */
  readonly hidden: () => Promise<ReadonlySet<string>>;
  /** What history knew at that moment (unix milliseconds). */
  readonly pastAt: (at: number) => Past;
  /** A bug or a failing store; the next round goes on. */
  readonly failed: (error: unknown) => void;
  /** Called with how many alerts were interrupted between being written and being settled. */
  readonly doubtful: (count: number) => void;
}

export interface WatchRounds {
  /** Runs one round. Never rejects; a call during a round joins it. */
  round(): Promise<void>;
  observed(observation: Observation, asOf: number): void;
  stop(): void;
}

/** After this time (ms) an unsettled delivery belongs to a process that no longer lives. */
const DOUBTFUL = 2 * 60_000;

export function createWatchRounds(parts: WatchRoundsParts): WatchRounds {
  const { clock, poll, deliveries } = parts;
  const memory = createWatchMemory(parts.watches, parts.hidden);
  let unwatch: (() => void) | null = null;
  let running: Promise<void> | null = null;
  let naming: boolean | null = null;

  function rest(): void {
    unwatch?.();
    unwatch = null;
  }

  function readFacts(): void {
    if (memory.needsPolls()) unwatch ??= poll.watch(['live', 'overview'], () => {});
    else rest();
    const snapshot = snapshotOf(poll.facts, clock.now());
    naming = namesDrivers(snapshot) ?? naming;
    memory.takeFacts(snapshot, naming);
  }

  async function saying(said: readonly Waiting[]): Promise<void> {
    for (const one of said) memory.said(one, clock.now());
    await memory.save();
  }

  async function tellWeek(watch: Watch): Promise<void> {
    const week = isSilent(watch, clock.now()) ? null : weekToTell(watch.zone, clock.now());
    if (week === null) return;
    const text = async (t: Translator): Promise<string> =>
      digestText(await lookBack(parts.pastAt(week.to - 1), week, watch.zone), t);
    await deliverDigest(watch, { week, text }, { ...parts, now: clock.now });
  }

  async function once(): Promise<void> {
    if (!parts.keeps()) {
      rest();
      memory.forget();
      return;
    }
    await memory.refresh();
    readFacts();
    // A look-up may wait for its turn; what it finds counts in the next round.
    void parts.lookUp(memory.subjects());
    const waiting = Map.groupBy(memory.waiting(clock.now()), ({ watch }) => placeKey(watch));
    for (const here of waiting.values()) await deliver(here, { ...parts, saying, now: clock.now });
    await memory.save();
    for (const watch of memory.digests()) await tellWeek(watch);
    const lost = await deliveries.giveUp(clock.now() - DOUBTFUL);
    if (lost.length > 0) parts.doubtful(lost.length);
  }

  return {
    round() {
      running ??= once()
        .catch(parts.failed)
        .finally(() => {
          running = null;
        });
      return running;
    },
    observed: memory.takeObservation,
    stop: rest,
  };
}
