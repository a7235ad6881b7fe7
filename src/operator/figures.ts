/** Everything that `/metrics` tells besides the interactions, one row each. */
import type { Sample } from './sample.ts';

export interface Point {
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Figure<Source> {
  /** By Prometheus's conventions: base units, and `_total` for what only grows. */
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  /** None where it is not known now. */
  readonly read: (source: Source) => readonly Point[];
}

const one = (value: number | null): readonly Point[] => (value === null ? [] : [{ value }]);
const inSeconds = (ms: number | null): readonly Point[] => one(ms === null ? null : ms / 1000);
const yes = (is: boolean): number => (is ? 1 : 0);

const gateway: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_gateway_shards',
    help: 'Connections to Discord that this process runs.',
    kind: 'gauge',
    read: ({ gateway: { shards } }) => one(shards),
  },
  {
    name: 'pitwall_gateway_shards_ready',
    help: 'Connections to Discord that are logged in.',
    kind: 'gauge',
    read: ({ gateway: { ready } }) => one(ready),
  },
  {
    name: 'pitwall_gateway_losses_total',
    help: 'Connections to Discord that were lost.',
    kind: 'counter',
    read: ({ gateway: { losses } }) => one(losses),
  },
  {
    name: 'pitwall_gateway_latency_seconds',
    help: 'Time from a heartbeat to its answer.',
    kind: 'gauge',
    read: ({ gateway: { latency } }) => inSeconds(latency),
  },
  {
    name: 'pitwall_guilds',
    help: 'Servers on Discord that the bot is in, as far as this process serves them.',
    kind: 'gauge',
    read: ({ gateway: { guilds } }) => one(guilds),
  },
];

const service: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_service_calls_total',
    help: 'Calls to the data service by endpoint and result: answered, or the fault.',
    kind: 'counter',
    labels: ['endpoint', 'result'],
    read: ({ calls: { counts } }) =>
      counts.map(({ endpoint, result, count }) => ({ value: count, labels: { endpoint, result } })),
  },
  {
    name: 'pitwall_cache_lookups_total',
    help: 'Look-ups of what needs the key.',
    kind: 'counter',
    read: ({ calls: { cache } }) => one(cache.asked),
  },
  {
    name: 'pitwall_cache_misses_total',
    help: 'Look-ups that no stored answer and no request under way could serve.',
    kind: 'counter',
    read: ({ calls: { cache } }) => one(cache.fetched),
  },
  {
    name: 'pitwall_overview_age_seconds',
    help: 'Age of the newest overview of the servers, which is polled all the time.',
    kind: 'gauge',
    read: ({ now, overview: { asOf } }) => inSeconds(asOf === null ? null : Math.max(0, now - asOf)),
  },
];

const budget: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_budget_limit_requests',
    help: 'Requests that the key allows within its window.',
    kind: 'gauge',
    read: ({ budget: known }) => one(known?.limit ?? null),
  },
  {
    name: 'pitwall_budget_requests',
    help: 'Where those requests are: used for people, for boards, by others, held back, or left.',
    kind: 'gauge',
    labels: ['state'],
    read: ({ budget: known }) =>
      known === null
        ? []
        : [
            { value: known.spent.interactive, labels: { state: 'used_for_people' } },
            { value: known.spent.background, labels: { state: 'used_for_boards' } },
            { value: known.otherUsage, labels: { state: 'used_by_others' } },
            { value: known.heldBack, labels: { state: 'held_back' } },
            { value: known.left, labels: { state: 'left' } },
          ],
  },
  {
    name: 'pitwall_budget_refusals_total',
    help: 'Refusals by the data service because the key was over its limit, since the ledger began.',
    kind: 'counter',
    read: ({ budget: known }) => one(known?.refusals ?? null),
  },
  {
    name: 'pitwall_store_up',
    help: 'Whether the store answers: 1 or 0.',
    kind: 'gauge',
    read: ({ budget: known }) => one(yes(known !== null)),
  },
];

const boards: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_boards',
    help: 'Boards that this process keeps, by what they show.',
    kind: 'gauge',
    labels: ['state'],
    read: ({ boards: { kept } }) => {
      const states = Map.groupBy(kept, ({ mode, paused }) => (paused === null ? mode : 'paused'));
      return [...states].map(([state, those]) => ({
        value: those.length,
        labels: { state: state },
      }));
    },
  },
  {
    name: 'pitwall_board_age_seconds',
    help: 'Age of what the oldest running board shows. The times on a quiet board are renewed every 15 minutes.',
    kind: 'gauge',
    read: ({ now, boards: { kept } }) => {
      const checked = kept.flatMap((board) => (board.paused === null ? (board.checked ?? []) : []));
      return checked.length === 0 ? [] : inSeconds(Math.max(0, now - Math.min(...checked)));
    },
  },
  {
    name: 'pitwall_board_writes_total',
    help: "Messages of boards sent or edited, by Discord's answer.",
    kind: 'counter',
    labels: ['outcome'],
    read: ({ boards: { writes } }) =>
      writes.map(({ outcome, count }) => ({
        value: count,
        labels: { outcome: outcome },
      })),
  },
];

export const figures: readonly Figure<Sample>[] = [...gateway, ...service, ...budget, ...boards];

/** Of this process, in milliseconds and bytes. */
export interface ProcessSample {
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly cpu: number;
  readonly memory: { readonly rss: number };
  /** The longest delay of the last ten to twenty seconds. */
  readonly eventLoopLag: number;
  readonly version: string;
}

export const processFigures: readonly Figure<ProcessSample>[] = [
  {
    name: 'process_start_time_seconds',
    help: 'When the process started, in unix seconds.',
    kind: 'gauge',
    read: ({ startedAt }) => inSeconds(startedAt),
  },
  {
    name: 'process_cpu_seconds_total',
    help: 'CPU time that the process has used.',
    kind: 'counter',
    read: ({ cpu }) => inSeconds(cpu),
  },
  {
    name: 'process_resident_memory_bytes',
    help: 'Memory of the process.',
    kind: 'gauge',
    read: ({ memory: { rss } }) => one(rss),
  },
  {
    name: 'nodejs_eventloop_lag_seconds',
    help: 'The longest delay of the event loop in the last ten to twenty seconds.',
    kind: 'gauge',
    read: ({ eventLoopLag }) => inSeconds(eventLoopLag),
  },
  {
    name: 'pitwall_build_info',
    help: 'The version that runs; the value is always 1.',
    kind: 'gauge',
    labels: ['version'],
    read: ({ version }) => [{ value: 1, labels: { version } }],
  },
];
