import type { Context } from '../../src/command-kit/context.ts';

const unknown = { since: null, until: null, holes: [] };

/** The part of a context that remembers, of a bot that has been started just now. */
export const noHistory: Pick<Context, 'history' | 'hidden'> = {
  history: {
    counts: async () => ({ ...unknown, step: 60_000, points: [], latest: null }),
    week: async () => ({ ...unknown, days: Array.from({ length: 7 }, () => Array(24).fill(null)) }),
    driver: async () => null,
    sessions: async () => [],
    usualHours: async () => ({ hours: Array(24).fill(0), days: 0 }),
    top: async () => ({ ...unknown, from: 0, rows: [] }),
    playtime: async () => [],
    readings: async () => [],
    bestRanks: async () => new Map(),
    openSessions: async () => [],
    earlierReading: async () => null,
    offers: async () => [],
    offlineSince: async () => new Map(),
    uptime: async () => ({ runs: [], outages: [] }),
    namesDrivers: async () => null,
  },
  hidden: {
    isHidden: () => false,
    isFixed: () => false,
    isProved: () => false,
    findPublicAttendee: () => null,
    countsFrom: ({ since }) => since,
    setPrivacy: async () => false,
    refresh: async () => {},
  },
};
