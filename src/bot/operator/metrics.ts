import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { MINUTE } from '../../base/duration.ts';
import type { AnswerReport } from '../../discord/interactions/answer.ts';
import { TIMES_REFRESH } from '../../messages/boards/pace.ts';
import type { Sample } from './sample.ts';

/** Figures of this process, in milliseconds and bytes. */
export interface ProcessSample {
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly cpu: number;
  readonly memory: { readonly rss: number; readonly heapUsed: number };
  /** The longest delay of the last ten to twenty seconds. */
  readonly eventLoopLag: number;
  readonly version: string;
  /** Another process works. */
  readonly isStandby: boolean;
}

/** How late the event loop came to a timer that is set all the time, in ms. */
interface Delays {
  readonly count: number;
  readonly longestMs: number;
  /** How many of them were no longer than that. */
  atMost(ms: number): number;
}

/** In seconds. Commands defer their reply after 0.4, and Discord gives up after 3. */
const BUCKETS = [0.1, 0.25, 0.5, 1, 3];
/** In seconds. No work of the bot's may take more than 0.02 at once; a second late, and it is not healthy. */
const DELAYS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];

export function createMetrics(): {
  /** Counts an answer to an existing command, so that strangers cannot make labels. */
  count(answer: AnswerReport): void;
  /** Counts how late the event loop was. */
  delayed(delays: Delays): void;
  /** The text that Prometheus reads. `sample`: null during the start. */
  text(sample: Sample | null, ofProcess: ProcessSample): Promise<string>;
  readonly contentType: string;
} {
  const registry = new Registry();
  const registers = [registry];
  const interactions = new Counter({
    registers,
    name: 'pitwall_interactions_total',
    labelNames: ['command', 'outcome'],
    help: 'Commands, buttons and menus by outcome: answered, declined (the person can change the question), unavailable (data service or store), failed (a bug, or Discord accepted no reply).',
  });
  const acknowledged = new Histogram({
    registers,
    name: 'pitwall_acknowledgement_seconds',
    buckets: BUCKETS,
    help: 'Time from an interaction to its first response that Discord has accepted.',
  });
  const loopDelays = new Histogram({
    registers,
    name: 'pitwall_event_loop_delay_seconds',
    buckets: DELAYS,
    help: 'How late the event loop comes to a timer that is due 50 times a second, rounded up to the next bound; counted every ten seconds.',
  });
  let sample: Sample | null = null;
  let ofProcess: ProcessSample | null = null;
  for (const figure of figures) register(figure, registry, () => sample);
  for (const figure of processFigures) register(figure, registry, () => ofProcess);

  return {
    count({ command, outcome, acknowledgedAfter }) {
      interactions.inc({ command, outcome });
      if (acknowledgedAfter !== null) acknowledged.observe(acknowledgedAfter / 1000);
    },
    delayed({ count, longestMs: longest, atMost }) {
      let counted = 0;
      // Each as the bound that it does not exceed.
      const upTo = (target: number, seconds: number): void => {
        for (; counted < target; counted += 1) loopDelays.observe(seconds);
      };
      for (const seconds of DELAYS) upTo(atMost(seconds * 1000), seconds);
      upTo(count, longest / 1000);
    },
    async text(newSample, newOfProcess) {
      sample = newSample;
      ofProcess = newOfProcess;
      const text = await registry.metrics();
      return text.replaceAll('\n\n', '\n');
    },
    contentType: registry.contentType,
  };
}

/** The parts of the bot count for themselves; what they have counted is read at each scrape. */
function register<Source>(
  { name, help, labels = [], read }: Figure<Source>,
  registry: Registry,
  source: () => Source | null,
): void {
  const settings = {
    name,
    help,
    labelNames: labels,
    registers: [registry],
    collect(this: Reported): void {
      this.reset();
      this.remove({});
      const now = source();
      for (const { labels: of = {}, value } of now === null ? [] : read(now)) this.inc(of, value);
    },
  };
  if (name.endsWith('_total')) new Counter(settings);
  else new Gauge(settings);
}

/** A counter, or a gauge. */
interface Reported {
  reset(): void;
  remove(labels: object): void;
  inc(labels: Readonly<Record<string, string>>, value: number): void;
}

interface Point {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

interface Figure<Source> {
  /** Name by Prometheus's conventions: base units, and `_total` for counters; all others are gauges. */
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** None where it is not known now. */
  readonly read: (source: Source) => readonly Point[];
}

const one = (value: number | null): readonly Point[] => (value === null ? [] : [{ value }]);
const inSeconds = (ms: number | null): readonly Point[] => one(ms === null ? null : ms / 1000);

const gateway: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_shards',
    help: 'Shards of Discord that this process works on; none as a standby.',
    read: ({ gateway: { ownShards } }) => one(ownShards),
  },
  {
    name: 'pitwall_shards_expected',
    help: 'Shards of all processes together, as Discord recommends or SHARDS says.',
    read: ({ gateway: { total } }) => one(total),
  },
  {
    name: 'pitwall_gateway_shards',
    help: 'Connections to Discord that this process runs.',
    read: ({ gateway: { shards } }) => one(shards),
  },
  {
    name: 'pitwall_gateway_shards_ready',
    help: 'Connections to Discord that are logged in.',
    read: ({ gateway: { ready } }) => one(ready),
  },
  {
    name: 'pitwall_gateway_losses_total',
    help: 'Connections to Discord that were lost.',
    read: ({ gateway: { losses } }) => one(losses),
  },
  {
    name: 'pitwall_gateway_latency_seconds',
    help: 'Time from a heartbeat to its answer.',
    read: ({ gateway: { latency } }) => inSeconds(latency),
  },
  {
    name: 'pitwall_clock_skew_seconds',
    help: "How far this machine's clock is ahead of Discord's, negative if it is behind; beyond 30 s the log names it.",
    read: ({ gateway: { clockSkew } }) => inSeconds(clockSkew),
  },
  {
    name: 'pitwall_guilds',
    help: 'Servers on Discord that the bot is in, as far as this process serves them.',
    read: ({ gateway: { guilds } }) => one(guilds),
  },
];

const byOutcome = (label: string, counts: ReadonlyMap<string, number>): readonly Point[] =>
  [...counts].map(([outcome, value]) => ({ value, labels: { [label]: outcome } }));

const sent: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_messages_total',
    help: 'Attempts to send alerts, reminders, recaps and notices, by outcome; unsent and refused ones are tried again.',
    labels: ['outcome'],
    read: ({ messages }) => byOutcome('outcome', messages),
  },
  {
    name: 'pitwall_discord_requests_total',
    help: 'Requests to Discord but for answers to interactions, by result: boards, messages, roles, events.',
    labels: ['result'],
    read: ({ requests }) => byOutcome('result', requests),
  },
];

const service: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_service_calls_total',
    help: 'Calls to the data service by endpoint and result: answered, or the fault.',
    labels: ['endpoint', 'result'],
    read: ({ calls: { counts } }) =>
      counts.map(({ endpoint, result, count }) => ({ value: count, labels: { endpoint, result } })),
  },
  {
    name: 'pitwall_cache_lookups_total',
    help: 'Lookups that need the key.',
    read: ({ calls: { cache } }) => one(cache.asked),
  },
  {
    name: 'pitwall_cache_misses_total',
    help: 'Lookups that no stored answer and no request under way could serve.',
    read: ({ calls: { cache } }) => one(cache.fetched),
  },
  {
    name: 'pitwall_overview_age_seconds',
    help: 'Age of the newest overview of the servers, which is polled all the time.',
    read: ({ now, overview: { asOf } }) => inSeconds(asOf === null ? null : Math.max(0, now - asOf)),
  },
];

const budget: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_budget_limit_requests',
    help: 'Requests that the key allows within its window; missing while the store does not answer.',
    read: ({ budget: known }) => one(known?.limit ?? null),
  },
  {
    name: 'pitwall_budget_requests',
    help: 'The same requests by state: used for people, for boards or by others, held back, or left.',
    labels: ['state'],
    read: ({ budget: known }) =>
      known === null
        ? []
        : [
            { value: known.spent.interactive, labels: { state: 'used-for-people' } },
            { value: known.spent.background, labels: { state: 'used-for-boards' } },
            { value: known.otherUsage, labels: { state: 'used-by-others' } },
            { value: known.heldBack, labels: { state: 'held-back' } },
            { value: known.available, labels: { state: 'left' } },
          ],
  },
  {
    name: 'pitwall_budget_refusals_total',
    help: 'Refusals by the data service because the key was over its limit, since the ledger began.',
    read: ({ budget: known }) => one(known?.refusals ?? null),
  },
];

const store: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_copy_age_seconds',
    help: 'Age of the newest daily copy of the file, from the beginning of its day (UTC); infinite without one, missing with PostgreSQL.',
    read: ({ copyAge }) => inSeconds(copyAge),
  },
  {
    name: 'pitwall_store_usable',
    help: 'Whether something can be stored (writes), and what is kept of history can be used (history): 1 or 0.',
    labels: ['part'],
    read: ({ store: { writes, history } }) => [
      { value: writes === null ? 1 : 0, labels: { part: 'writes' } },
      { value: history === null ? 1 : 0, labels: { part: 'history' } },
    ],
  },
];

const boards: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_boards',
    help: 'Boards that this process runs, by what they show.',
    labels: ['state'],
    read: ({ boards: { statuses } }) => {
      const states = Map.groupBy(statuses, ({ mode, paused }) => (paused === null ? mode : 'paused'));
      return [...states].map(([state, group]) => ({ value: group.length, labels: { state } }));
    },
  },
  {
    name: 'pitwall_board_age_seconds',
    help: `Age of what the oldest running board shows. The times on a quiet board are renewed once a minute, with many boards every ${TIMES_REFRESH.manyMs / MINUTE} minutes.`,
    read: ({ now, boards: { statuses } }) => {
      const checked = statuses.flatMap((board) => (board.paused === null ? (board.checked ?? []) : []));
      return checked.length === 0 ? [] : inSeconds(Math.max(0, now - Math.min(...checked)));
    },
  },
  {
    name: 'pitwall_board_writes_total',
    help: "Messages of boards sent or edited, by Discord's answer.",
    labels: ['outcome'],
    read: ({ boards: { writes } }) => byOutcome('outcome', writes),
  },
];

const figures: readonly Figure<Sample>[] = [...gateway, ...sent, ...service, ...budget, ...store, ...boards];

const processFigures: readonly Figure<ProcessSample>[] = [
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in unix seconds.',
    read: ({ startedAt }) => inSeconds(startedAt),
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'CPU time that the process has used.',
    read: ({ cpu }) => inSeconds(cpu),
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    read: ({ memory: { rss } }) => one(rss),
  },
  {
    name: 'nodejs_heap_size_used_bytes',
    help: "What V8's heap holds; a leak shows in its lowest values, while resident memory is given back late.",
    read: ({ memory: { heapUsed } }) => one(heapUsed),
  },
  {
    name: 'nodejs_eventloop_lag_seconds',
    help: 'The longest delay of the event loop in the last ten to twenty seconds.',
    read: ({ eventLoopLag }) => inSeconds(eventLoopLag),
  },
  {
    name: 'pitwall_standby',
    help: 'Whether this process stands by while another one works: 1 or 0.',
    read: ({ isStandby }) => one(isStandby ? 1 : 0),
  },
  {
    name: 'pitwall_build_info',
    help: 'The version that runs; the value is always 1.',
    labels: ['version'],
    read: ({ version }) => [{ value: 1, labels: { version } }],
  },
];
