import type { ProcessSample } from '../../../src/bot/operator/metrics.ts';
import type { Sample } from '../../../src/bot/operator/sample.ts';
import { quietBudget } from '../../support/about-bot.ts';

/** A bot in good health that has done nothing yet. */
export const sample: Sample = {
  now: Date.UTC(2026, 2, 7, 19),
  gateway: {
    ownShards: 1,
    total: 1,
    shards: 1,
    ready: 1,
    guilds: 3,
    losses: 0,
    latency: 40,
    clockSkew: -600_000,
  },
  calls: { counts: [], cache: { asked: 0, fetched: 0 } },
  budget: { ...quietBudget, heldBack: 2, available: 718, availableToBackground: 500 },
  store: { writes: null, history: null },
  copyAge: 40_000_000,
  messages: new Map(),
  requests: new Map(),
  boards: { statuses: [], writes: new Map() },
  sincePolled: 4000,
  overview: { asOf: Date.UTC(2026, 2, 7, 18, 59, 30), isFresh: true, fault: null },
};

export const processSample: ProcessSample = {
  startedAt: Date.UTC(2026, 2, 7, 18),
  cpu: 2500,
  memory: { rss: 90_000_000, heapUsed: 40_000_000 },
  eventLoopLag: 3,
  version: '0.1.0',
  isStandby: false,
};
