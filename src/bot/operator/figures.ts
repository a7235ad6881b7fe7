/** The rows of `/metrics` besides interactions and the process. */
import { MINUTE } from '../../base/duration.ts';
import { TIMES_REFRESHED } from '../../board/pace.ts';
import { type Figure, inSeconds, one } from './figure.ts';
import type { Sample } from './sample.ts';

const gateway: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_shards',
    help: 'Shards that the bot has in all, where processes lease them.',
    kind: 'gauge',
    read: ({ gateway: { allShards } }) => one(allShards),
  },
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
    help: 'Lookups that need the key.',
    kind: 'counter',
    read: ({ calls: { cache } }) => one(cache.asked),
  },
  {
    name: 'pitwall_cache_misses_total',
    help: 'Lookups that no stored answer and no request under way could serve.',
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
    help: 'Requests that the key allows within its window; missing while the store does not answer.',
    kind: 'gauge',
    read: ({ budget: known }) => one(known?.limit ?? null),
  },
  {
    name: 'pitwall_budget_requests',
    help: 'The same requests by state: used for people, for boards or by others, held back, or left.',
    kind: 'gauge',
    labels: ['state'],
    read: ({ budget: known }) =>
      known === null
        ? []
        : [
            { value: known.spent.interactive, labels: { state: 'used-for-people' } },
            { value: known.spent.background, labels: { state: 'used-for-boards' } },
            { value: known.otherUsage, labels: { state: 'used-by-others' } },
            { value: known.heldBack, labels: { state: 'held-back' } },
            { value: known.left, labels: { state: 'left' } },
          ],
  },
  {
    name: 'pitwall_budget_refusals_total',
    help: 'Refusals by the data service because the key was over its limit, since the ledger began.',
    kind: 'counter',
    read: ({ budget: known }) => one(known?.refusals ?? null),
  },
];

const store: readonly Figure<Sample>[] = [
  {
    name: 'pitwall_store_usable',
    help: 'Whether something can be stored (writes), and what is kept of history can be used (history): 1 or 0.',
    kind: 'gauge',
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
    kind: 'gauge',
    labels: ['state'],
    read: ({ boards: { statuses } }) => {
      const states = Map.groupBy(statuses, ({ mode, paused }) => (paused === null ? mode : 'paused'));
      return [...states].map(([state, those]) => ({ value: those.length, labels: { state } }));
    },
  },
  {
    name: 'pitwall_board_age_seconds',
    help: `Age of what the oldest running board shows. The times on a quiet board are renewed every ${TIMES_REFRESHED / MINUTE} minutes.`,
    kind: 'gauge',
    read: ({ now, boards: { statuses } }) => {
      const checked = statuses.flatMap((board) => (board.paused === null ? (board.checked ?? []) : []));
      return checked.length === 0 ? [] : inSeconds(Math.max(0, now - Math.min(...checked)));
    },
  },
  {
    name: 'pitwall_board_writes_total',
    help: "Messages of boards sent or edited, by Discord's answer.",
    kind: 'counter',
    labels: ['outcome'],
    read: ({ boards: { writes } }) => [...writes].map(([outcome, value]) => ({ value, labels: { outcome } })),
  },
];

export const figures: readonly Figure<Sample>[] = [...gateway, ...service, ...budget, ...store, ...boards];
