/** Live servers that do what a test says, a recorder that reads them through the real poll, and the store. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SECOND } from '../../../../src/base/duration.ts';
import { ServiceError, StoreError } from '../../../../src/base/errors.ts';
import type { History } from '../../../../src/community/history/history.ts';
import { READ_INTERVAL_MS } from '../../../../src/community/history/intake.ts';
import { createLookUps } from '../../../../src/community/history/look-ups.ts';
import { createOffers } from '../../../../src/community/history/offers.ts';
import { allCoverage, createQuestions } from '../../../../src/community/history/questions.ts';
import { createReadings } from '../../../../src/community/history/readings.ts';
import { createRecorder } from '../../../../src/community/history/recorder.ts';
import type { Service } from '../../../../src/service/client.ts';
import { sameSpelling } from '../../../../src/service/models/identifiers.ts';
import { createPoll } from '../../../../src/service/poll/poll.ts';
import type { HistoryStore } from '../../../../src/store/history-store.ts';
import { historyFormat } from '../../../../src/store/sqlite/format.ts';
import { openSqliteHistory } from '../../../../src/store/sqlite/history.ts';
import { prepareFile } from '../../../../src/store/sqlite/prepare-file.ts';
import { VirtualTime } from '../../../sim/virtual-time.ts';
import { serviceOf } from '../../../support/records.ts';

export const START = Date.UTC(2026, 2, 2);
/** Time in ms after which a standby takes over from a killed process. */
const TAKEOVER_MS = 12 * SECOND;

type Flags = Readonly<Partial<Record<'cop' | 'med' | 'tow' | 'isChased', boolean>>>;

export interface RecordedHistory {
  readonly time: VirtualTime;
  readonly store: HistoryStore;
  readonly history: History;
  /** Drivers on server One, by name, with their flags. Without names, the file has none. */
  readonly drivers: Map<string, Flags>;
  /** What else may be with the file. */
  readonly file: { down: boolean; frozenAt: number | null; names: boolean; members: number | null };
  /** Since when server One alone stands still, or is gone. */
  readonly one: { stoppedAt: number | null; gone: boolean };
  /** What the overview says, while somebody polls it; null: it cannot be read. */
  overview: Readonly<Record<string, { readonly online: boolean }>> | null;
  /** Drivers on server Two; null: it cannot be read. */
  readonly two: { drivers: readonly string[] | null };
  readonly hidden: Set<string>;
  readonly linked: Set<string>;
  readonly service: Service;
  /** Questions answered by the service so far. */
  readonly asked: () => number;
  readonly writes: () => number;
  /** Another process, with the same store. The first one works. */
  start(): Promise<Process>;
}

export interface Process {
  readonly readings: ReturnType<typeof createReadings>;
  /** How often it has reported one. */
  failures(): number;
  /** While cut off, it does not reach the store, or writes nothing as where the disk is full. */
  cutOff(on: boolean | 'writes'): void;
  /** As the kernel does it; another process takes over after a while. */
  kill(): void;
  stop(): Promise<void>;
  /** Another process is to work: with a hand-over, or since this one was not heard of. */
  loseTo(other: Process, how: 'stopped' | 'expired'): Promise<void>;
  /** As a board would. */
  watchAsBoard(): () => void;
}

/** Until the test is over. */
export function recordedHistory(time = new VirtualTime(START)): RecordedHistory {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-history-'));
  const path = join(folder.path, 'pitwall.history.sqlite');
  prepareFile(path, historyFormat).close();
  const opened = openSqliteHistory(path);
  const file = { down: false, frozenAt: null as number | null, names: true, members: null as number | null };
  const two: RecordedHistory['two'] = { drivers: null };
  const one: RecordedHistory['one'] = { stoppedAt: null, gone: false };
  const told: { overview: RecordedHistory['overview'] } = { overview: null };
  const drivers = new Map<string, Flags>();
  const hidden = new Set<string>();
  const linked = new Set<string>();
  let asked = 0;
  let writes = 0;
  const store: HistoryStore = {
    ...opened,
    write(work) {
      writes += 1;
      return opened.write(work);
    },
  };

  function live(on: ReadonlyMap<string, Flags>, at: number): unknown {
    const players = [...on].map(([un, flags], index) => [
      String(index + 1),
      { ...(file.names ? { un } : {}), cop: false, med: false, tow: false, isChased: false, ...flags },
    ]);
    return {
      server: 'One',
      time: at / SECOND,
      players: Object.fromEntries(players),
    };
  }

  const isOfTwo = (given: unknown): boolean =>
    JSON.stringify(given) === '{"server":"two"}' && two.drivers !== null;
  const movedAt = (given: unknown): number =>
    file.frozenAt ?? (isOfTwo(given) ? null : one.stoppedAt) ?? time.clock.now();
  const service = serviceOf(
    ({ endpoint, asked: given }) => {
      asked += 1;
      const isOther = endpoint === 'live' && !isOfTwo(given) && JSON.stringify(given) !== '{"server":"one"}';
      const isGone = endpoint === 'live' && !isOfTwo(given) && one.gone;
      const isUntold =
        (endpoint === 'overview' && told.overview === null) ||
        (endpoint === 'chat-status' && file.members === null);
      if (file.down || isOther || isGone || isUntold)
        throw new ServiceError('unavailable', { endpoint, sent: 'yes' });
      if (endpoint === 'overview') return told.overview;
      if (endpoint === 'chat-status') return { members: [], presence_count: file.members };
      const on = isOfTwo(given) ? new Map(two.drivers?.map((name) => [name, {}])) : drivers;
      return live(on, movedAt(given));
    },
    ({ endpoint, asked: given }) => ({
      asOf: endpoint === 'live' ? movedAt(given) : time.clock.now(),
      stale: null,
    }),
  );
  const isHidden = (username: string): boolean => hidden.has(sameSpelling(username));

  const running: Process[] = [];
  let holder: Process | null = null;
  /** A test that ran out of time would go on, and report at every step that the store is closed. */
  let isClosed = false;
  function leave(process: Process): void {
    running.splice(running.indexOf(process), 1);
    if (holder === process) holder = running[0] ?? null;
  }

  async function start(): Promise<Process> {
    // A killed process does nothing more, although its timers are still there.
    let alive = true;
    const clock = {
      ...time.clock,
      after: (ms: number, callback: () => void) =>
        time.clock.after(ms, () => alive && !isClosed && callback()),
    };
    let isCutOff: boolean | 'writes' = false;
    let failures = 0;
    const failed = (error: unknown): void => {
      if (isCutOff === false) throw error;
      failures += 1;
    };
    const reached = cuttable(store, () => isCutOff);
    const poll = createPoll({ service, clock, failed });
    const isLinked = (username: string): boolean => linked.has(sameSpelling(username));
    const readings = createReadings({ clock, isHidden });
    const lookUps = createLookUps(readings, createOffers({ isHidden }), store);
    const recorder = createRecorder({
      ...{ history: reached, clock, isHidden, isLinked, failed, lookUps },
      holds: () => alive && holder === process,
    });
    const process: Process = {
      readings,
      failures: () => failures,
      cutOff(on) {
        isCutOff = on;
      },
      kill() {
        alive = false;
        unwatch();
        time.clock.after(TAKEOVER_MS, () => leave(process));
      },
      async stop() {
        unwatch();
        await time.until(recorder.stop());
        leave(process);
      },
      async loseTo(other, how) {
        if (how === 'stopped') {
          unwatch();
          await time.until(recorder.stop());
        }
        holder = other;
      },
      watchAsBoard: () => poll.watch(['live', 'overview', 'members'], () => {}),
    };
    running.push(process);
    holder ??= process;
    // Nothing waits for time before its first run has ended.
    await recorder.start();
    const unwatch = poll.watch(['live'], () => recorder.read(poll.facts), READ_INTERVAL_MS);
    return process;
  }

  onTestFinished(() => {
    isClosed = true;
    opened.close();
    folder.remove();
  });
  return {
    ...{ time, store, service, drivers, one, two, hidden, linked, start, file },
    get overview() {
      return told.overview;
    },
    set overview(said) {
      told.overview = said;
    },
    history: createQuestions({ store, clock: time.clock, isHidden, coverage: allCoverage }),
    asked: () => asked,
    writes: () => writes,
  };
}

function cuttable(store: HistoryStore, isCutOff: () => boolean | 'writes'): HistoryStore {
  return {
    ...store,
    async read(query) {
      if (isCutOff() === true) throw new StoreError('cut off');
      return store.read(query);
    },
    async write(work) {
      if (isCutOff() !== false) throw new StoreError('cut off');
      return store.write(work);
    },
  };
}
