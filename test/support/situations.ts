/** The situations in which commands are tried: all that they may be told, from everything to nothing. */

import { en } from '../../commands/drivers/texts/en.ts';
import { DAY, HOUR } from '../../src/base/duration.ts';
import { newBoardOptions } from '../../src/cards/board/board.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Session, Stretch } from '../../src/community/history/history.ts';
import type { Translator } from '../../src/i18n/translator.ts';
import type { BudgetSnapshot } from '../../src/service/budget/budget-snapshot.ts';
import type { Service } from '../../src/service/client.ts';
import { diagnosedBoards, quietBudget } from './about-bot.ts';
import { noHistory } from './no-history.ts';
import { noNames } from './no-names.ts';
import { countsOf, weekOf } from './past.ts';
import { peopleInMemory } from './people.ts';
import {
  bodies,
  carJson,
  chatJson,
  driverJson,
  failing,
  liveJson,
  NOON,
  overviewJson,
  serviceOf,
} from './records.ts';

export interface Situation {
  readonly name: string;
  contextOf(t: Translator, bot: Pick<Context['bot'], 'translatorFor' | 'commands'>): Context;
}

const usual: Readonly<Record<string, object>> = {
  ...bodies,
  profile: {
    ...driverJson,
    cars: Array.from({ length: 23 }, (_, index) => ({
      ...carJson,
      vin: `AB12${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[index]}`,
    })),
  },
  options: { mph: '1', loccol: '2', theme: 'x', pri_uf1_cop: '1' },
  live: liveJson({
    1: { cop: true, siren: true },
    2: { med: true },
    3: { tow: true, isChased: true },
    4: { hazard: true, caution: true, isJoining: true },
  }),
};

const licence = {
  type: 'cop',
  issuedBy: 12,
  dateIssued: 1_262_304_000,
  revoked: false,
  expired: false,
  suspended: false,
};

/** Every figure and every state that the cards have words for. */
const everything: Readonly<Record<string, object>> = {
  ...usual,
  profile: {
    ...driverJson,
    ...{ isOnline: true, insimAdmin: true, adminLevel: 2, needsCopTraining: true, properties: [] },
    stats: {
      ...driverJson.stats,
      ...Object.fromEntries(Object.keys(en.stat).map((name, index) => [name, 10 ** (index % 9)])),
      unheardOf: 7,
    },
    licenses: [
      { ...licence, name: 'Police' },
      { ...licence, validUntil: NOON / 1000 + 86_400 },
      { ...licence, name: 'Tow truck', expired: true, validUntil: 1_300_000_000 },
      { ...licence, name: 'Medic', suspended: true },
      { ...licence, name: 'Lorry', revoked: true },
    ],
    cars: Array.from({ length: 23 }, (_, index) => ({
      ...carJson,
      type: null,
      condition: index * 4,
      vin: `AB1${10 + index}`,
    })),
  },
  car: {
    ...carJson,
    ...{ type: 'UF1.XMAS', owner: null, nickname: null, isOnMarket: false, isWrecked: true },
    ...{
      upgrades: [
        { id: 1, type: 'ramp' },
        { id: 2, type: 'winch', condition: 0.5 },
      ],
      numPreowners: 40,
    },
  },
  options: {
    ...{ mph: '0', money: '1', loccol: '1', locsize: '2', hidead: '1', theme: '', spawn_location: '3' },
    ...{
      force_mouse: '1',
      chase_debug: '1',
      other: 'x',
      pri_uf1_civ: '1',
      pri_uf1_med: '2',
      pri_uf1_res: '3',
    },
  },
  overview: {
    ...overviewJson,
    two: { ...overviewJson.two, guests: null, maxGuests: null },
    drag_strip: { online: true, guests: 0, maxGuests: 0 },
  },
  'chat-status': { ...chatJson, members: [], instant_invite: 'https://discord.gg/abcdefg' },
  live: liveJson({ 1: {} }),
};

/** Answers with what the service would send, as old as `stale` says. */
function serving(records: Readonly<Record<string, object>>, stale: 'unavailable' | null): Service {
  return serviceOf(records, () => ({ asOf: NOON, stale }));
}

// ── A past ──────────────────────────────────────────────────────────────────────────────────────────

const hole: Stretch = { from: NOON - 7 * HOUR, to: NOON - 5 * HOUR };
const told = { since: NOON - 20 * DAY, until: NOON, holes: [hole] };
const session: Session = {
  ...{ from: NOON - 2 * HOUR, to: NOON, server: 'one', played: 2 * HOUR },
  ...{ duty: { police: HOUR, medic: HOUR, tow: HOUR }, startKnown: true, endKnown: true },
};

function past(current: Session | null): Context['history'] {
  return {
    counts: async (_place, span) => countsOf(span, { step: HOUR, without: [hole] }),
    week: async () => ({ ...weekOf((day, hour) => day + hour), ...told }),
    driver: async (driver) => ({
      ...told,
      driver,
      current,
      sessions: [session, { ...session, startKnown: false, endKnown: false }],
    }),
    sessions: async () => [session],
    usualHours: async () => ({
      days: 30,
      hours: Array.from({ length: 24 }, (_, hour) => (hour > 18 ? 20 : 0)),
    }),
    top: async () => ({
      ...told,
      from: told.since,
      rows: Array.from({ length: 30 }, (_, index) => ({
        rank: index + 1,
        driver: `driver${index}`,
        value: 1e9 - index,
        read: told.since,
      })),
    }),
    playtime: async () => [
      { rank: 1, driver: 'driver1', value: 1e9, read: null },
      { rank: 2, driver: 'k3nny', value: 1e8, read: null },
    ],
    readings: async () =>
      [NOON - 5 * DAY, NOON].map((at, index) => ({
        at,
        figures: { money: 86_300 * index, driven_distance: 1_204_000 * index },
      })),
    bestRanks: async () => new Map([['k3nny', { subject: 'chases' as const, rank: 3, count: 57 }]]),
    openSessions: async () => (current === null ? [] : [current]),
    earlierReading: async () => ({
      at: NOON - 6 * DAY,
      figures: { money: 5, driven_distance: 5, chases_won_cop: 5 },
    }),
    offers: async (models) =>
      ['AB12C', 'AB12D', 'AB12E'].map((vin, index) => ({
        ...{ vin, model: models[0] ?? '', at: NOON - index * DAY, gone: null, price: 987_654 + index },
      })),
    offlineSince: async () => new Map(),
    uptime: async () => ({ runs: [], outages: [] }),
    namesDrivers: async () => true,
  };
}

// ── Boards, and the bot itself ──────────────────────────────────────────────────────────────────────

const settings = {
  guildId: '2',
  channelId: '3',
  madeBy: '1',
  locale: 'en-GB',
  colours: true,
  madeAt: 0,
  removed: false,
  options: newBoardOptions,
};
const status = {
  settings,
  mode: 'live',
  isPosted: true,
  paused: null,
  lastEdit: NOON,
  checked: NOON,
  errors: [],
  access: { kind: 'open' },
} as const;
const paused = { missing: ['EmbedLinks'], since: NOON, notified: true };

const workingBoards: Context['boards'] = {
  usual: newBoardOptions,
  create: async () => ({ kind: 'created', posted: true }),
  remove: async () => ({ isMessageLeft: true }),
  list: async () => [
    status,
    ...(['rights', 'channel', 'unwanted'] as const).map((why, at) => ({
      ...status,
      settings: { ...settings, channelId: `${at + 4}` },
      paused: { ...paused, why },
    })),
  ],
  edit: async () => settings.options,
  move: async () => ({ created: { kind: 'created', posted: false }, removed: { isMessageLeft: true } }),
  test: async () => ({ kind: 'ok' }),
  lost: async () => [],
  changeAll: async () => {},
};

const refusedBoards: Context['boards'] = {
  ...workingBoards,
  create: async () => ({
    kind: 'missing',
    rights: ['ViewChannel', 'SendMessages', 'EmbedLinks', 'ReadMessageHistory'],
  }),
  remove: async () => null,
  list: async () => [],
  edit: async () => null,
  move: async () => ({ created: { kind: 'too-many' }, removed: null }),
  test: async () => ({ kind: 'forbidden' }),
};

const wait = { waitMs: 40_000, reason: 'spent' } as const;
const spentBudget = {
  ...quietBudget,
  ...{
    spent: { interactive: 300, background: 300 },
    otherUsage: 60,
    heldBack: 60,
    left: 0,
    leftForBackground: 0,
  },
  ...{ next: { interactive: wait, background: wait }, trial: { limit: 500, windowMs: HOUR, endsMs: HOUR } },
  ...{ nextReleaseMs: 40_000, refusals: 3 },
};

const diagnosis: Awaited<ReturnType<Context['bot']['diagnose']>> = {
  ...{
    version: '1.2.3',
    startedAt: NOON - HOUR,
    latencyMs: 41.6,
    clockSkewMs: -602_000,
    budget: spentBudget,
  },
  sources: [
    { name: 'profile', goodAsOf: NOON, lastFault: null },
    { name: 'live/one', goodAsOf: NOON, lastFault: { fault: 'unavailable', at: NOON } },
    { name: 'options', goodAsOf: null, lastFault: null },
  ],
  cache: { asked: 200, kept: 150 },
  bugs: [{ id: 'ab12cd34', command: 'car', kind: 'TypeError', at: NOON }],
  boards: diagnosedBoards,
  store: { saves: false, hasHistory: false },
};

const about = {
  diagnose: async () => diagnosis,
  commandId: () => null,
  readmeUrl: 'https://example.org',
};

interface Parts extends Partial<Pick<Context, 'service' | 'boards' | 'history'>> {
  readonly mayManage: boolean;
  readonly budget?: BudgetSnapshot;
}

function situation(name: string, { mayManage, budget = quietBudget, ...parts }: Parts): Situation {
  return {
    name,
    contextOf: (t, bot) => ({
      service: serving(usual, null),
      recentNames: noNames,
      expectPicture: () => {},
      ...{ t, now: NOON, sentAt: NOON, ...peopleInMemory(), ...noHistory, ...parts },
      person: { id: '1', guildId: '2', channelId: '3', mayManage, locale: t.locale },
      bot: { ...bot, ...about, budget: async () => budget },
    }),
  };
}

const allIsKnown = situation('all is known', {
  mayManage: true,
  boards: workingBoards,
  history: past(session),
});
const nobodyMay = situation('nobody may', { mayManage: false, budget: spentBudget, boards: refusedBoards });

/** Those in which most is said. */
export const tellingSituations: readonly Situation[] = [allIsKnown, nobodyMay];

export const situations: readonly Situation[] = [
  ...tellingSituations,
  situation('all is old', {
    mayManage: true,
    service: serving(everything, 'unavailable'),
    history: past(null),
  }),
  situation('the service is down', {
    mayManage: true,
    boards: refusedBoards,
    service: failing('unavailable'),
  }),
  situation('the share is used', {
    mayManage: true,
    service: failing('over-budget', { share: 'burst', retryAt: NOON + 40_000 }),
  }),
];
