/** The alerts at work: one process at a time reads what is watched, decides, and sends. */

import { createBoundedMap } from '../../../src/base/bounded.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { MINUTE } from '../../../src/base/duration.ts';
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import type { Runs } from '../../../src/base/runs.ts';
import type { Facts } from '../../../src/service/models/facts.ts';
import { createWatchMemory, type PendingAlert } from '../models/memory.ts';
import { namesDrivers, type Snapshot, takeSnapshot } from '../models/snapshot.ts';
import { isLookedUp } from '../models/subjects.ts';
import { placeKey } from '../models/watch.ts';
import { claimKey } from './admit.ts';
import { type DeliverParts, deliverAlerts, deliverReminder } from './deliver.ts';
import type { AskOutages } from './look-now.ts';

/** How often the last readings are saved, in ms: a process that is killed loses as much. */
const SAVE_INTERVAL_MS = MINUTE;
/** Alerts that are remembered as refused. */
const MAX_SEPARATE = 1000;

export function createWatchRounds(
  parts: Omit<DeliverParts, 'now'> & {
    readonly clock: Clock;
    /** The live files and the overview, polled for as long as someone watches them. */
    readonly poll: {
      readonly facts: Facts;
      watch(sources: readonly ('live' | 'overview')[], changed: () => void): () => void;
    };
    readonly outages: AskOutages;
    /** This process keeps the alerts. Of several with one store, at most one does. */
    readonly holds: () => boolean;
    /** Drivers who must not be watched, in the spelling of `foldName`. */
    readonly unwatched: () => Promise<ReadonlySet<string>>;
    /** Messages of one place never wait for those of another. */
    readonly runs: Runs;
  },
) {
  const { clock, poll, runs } = parts;
  const memory = createWatchMemory(parts.watches, parts.unwatched);
  const now = clock.now;
  let unwatch: (() => void) | null = null;
  let naming: boolean | null = null;
  let latest: Snapshot | null = null;
  /** When the last readings were saved (monotonic ms). */
  let savedAt = Number.NEGATIVE_INFINITY;
  /** Alerts that are sent alone since Discord refused a message with them: their content delays no other. */
  const separateAlerts = createBoundedMap<string, true>(MAX_SEPARATE);

  function rest(): void {
    unwatch?.();
    unwatch = null;
  }

  async function readFacts(): Promise<Snapshot> {
    const atWork = memory.atWork();
    // All others wait for facts of the live files or the overview.
    if (!memory.reminders().every(isLookedUp) || !atWork.every(({ watch }) => isLookedUp(watch)))
      unwatch ??= poll.watch(['live', 'overview'], () => {});
    else rest();
    const snapshot = takeSnapshot(poll.facts, now());
    latest = snapshot;
    naming = namesDrivers(snapshot) ?? naming;
    const watchedServers = new Set(
      atWork.flatMap(({ watch: { condition } }) => (condition.kind === 'outage' ? [condition.server] : [])),
    );
    const outages = new Map(
      await Promise.all(
        [...watchedServers].map(async (server) => [server, await parts.outages(server)] as const),
      ),
    );
    await memory.takeFacts({ snapshot, namesDrivers: naming, outages, now: now() });
    return snapshot;
  }

  const separate = (alerts: readonly PendingAlert[]): void => {
    for (const alert of alerts) separateAlerts.set(alertId(alert), true);
  };

  async function round(): Promise<void> {
    if (!parts.holds()) {
      rest();
      memory.forget();
      return;
    }
    await memory.refresh();
    // As of the last round, whose news are on their way.
    if (clock.monotonic() - savedAt >= SAVE_INTERVAL_MS) {
      await memory.saveReadings();
      savedAt = clock.monotonic();
    }
    const snapshot = await readFacts();
    // An outage has limits of its own, and so its own message.
    const messageOf = (alert: PendingAlert): string => {
      const { watch } = alert;
      return separateAlerts.get(alertId(alert)) === true
        ? alertId(alert)
        : `${placeKey(watch)} ${watch.condition.kind === 'outage' ? 'outage' : ''}`;
    };
    const alertsByMessage = Map.groupBy(await memory.waiting(now()), messageOf);
    await memory.save();
    await forEachInSlices(alertsByMessage, async ([id, alerts]) => {
      const isSeparate = separateAlerts.get(id) === true;
      const outgoing = { id, waiting: alerts, ...(isSeparate ? {} : { separate }) };
      runs.start(id, () => deliverAlerts(outgoing, memory, { ...parts, now }));
    });
    await forEachInSlices(memory.reminders(), async (watch) =>
      runs.start(`reminder ${watch.id}`, () =>
        deliverReminder(watch, () => latest ?? snapshot, { ...parts, now }),
      ),
    );
  }

  return {
    /**
     * Runs one round; not to be called during another one. What is to be sent is begun and goes on by itself. Rejects where
     * the store fails; the next one goes on.
     */
    round,
    observed: memory.takeObservation,
    /** The subjects to look up, each once. */
    subjects: () => (parts.holds() ? memory.subjects() : []),
    /** Ends. To be called once no round and no message is under way: the next process goes on from here. */
    async stop(): Promise<void> {
      rest();
      if (parts.holds()) await memory.saveReadings();
    },
  };
}

/** Identifies an alert from its first news to its last attempt. */
function alertId(alert: PendingAlert): string {
  return `${placeKey(alert.watch)} ${claimKey(alert)} ${alert.since}`;
}
