/** A busy evening on every server, for a driver who has everything: what cards look like when there is most to say. */

import { DAY, HOUR } from '../../src/base/duration.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Document } from '../../src/store/documents.ts';
import { listedBoard, quietBudget } from './about-bot.ts';
import { documentsInMemory } from './documents-in-memory.ts';
import { featureParts } from './feature-parts.ts';
import { countsOf, usual, weekOf } from './past.ts';
import { readStored } from './personal-data.ts';
import { carJson, chatJson, driverJson, liveJson, NOON } from './records.ts';
import { type Situation, tellingSituations } from './situations.ts';
import { storedDocuments } from './stored-data.ts';

const day = NOON / 1000;

const figures = `sent_money received_money earned_refunds paid_for_renting received_fines paid_fines paid_radar_fines
  driven_distance driving_money_plus driving_money_minus paid_donation received_donation paid_compensation
  received_compensation crashes chases_won_robber chases_lost_robber chases_won_cop chases_lost_cop outran_cops
  net_value gaming_time_total gaming_time_cop gaming_time_civil gaming_time_tow gaming_time_chasing
  gaming_time_chased driven_distance_cop driven_distance_civil driven_distance_tow driven_distance_offroad
  driven_distance_chasing driven_distance_chased driven_distance_sos cop_xp robber_xp rp_xp gumball_distance
  gumball_time winch_used ramps_placed sos_called sos_responded`;
const licences = [
  'Driving',
  'Heavy goods',
  'Race',
  'Taxi',
  'Administrator',
  'Medical service',
  'Police',
  'Tow',
];
const profile = {
  ...driverJson,
  nickname: '^4[TC]^7 Old^1·^7Timer',
  adminLevel: 3,
  insimAdmin: true,
  stats: Object.fromEntries(
    figures.split(/\s+/).map((name) => [name, name.includes('distance') ? 123_456_789 : 234_567]),
  ),
  licenses: licences.map((name, index) => ({
    ...{ name: `${name} licence`, dateIssued: day - 9e7, issuedBy: index, validUntil: day + 9e7 },
    ...{ revoked: index === 7, suspended: index === 5, suspendedUntil: index === 5 ? day + 9e5 : 0 },
  })),
  properties: Array.from({ length: 6 }, () => ({ type: 'garage', condition: 0.5, value: 89_380 })),
  cars: Array.from({ length: 39 }, (_, index) => ({
    ...{ vin: `AB${100 + index}`, type: 'FBM', odometerKm: 53_947 + index, condition: 28 + index },
    upgrades: ['ramp', 'radar_warner', 'winch'].map((type) => ({ type, condition: 0.14, value: 1580 })),
  })),
};
const car = {
  ...carJson,
  ...{ nickname: profile.nickname, numPreowners: 3 },
  preOwners: [
    ...carJson.preOwners,
    { buyer: 'old_timer', buyerId: '14', datePurchase: day - 9e7, odometerKm: 30_000 },
  ],
  upgrades: ['ramp', 'radar_warner', 'winch'].map((type) => ({ type, condition: 0.14, value: 1580 })),
};

const names =
  `Marek Camila Rokas Björn Zsolt Νίκος Волга Ioana Burak Claire Memo Holger Mads Pampa Rafa Heidi हरि O'Neill Anaïs
  Łukasz Seán Yiğit Inês Ødegaard`.split(/\s+/);
const places = ['South City, Main Street', 'Safe Zone', 'Industrial Estate', 'Pit Lane'];

function file(server: string, drivers: number) {
  const players = Array.from({ length: drivers }, (_, at) => {
    const name = names[at % names.length] ?? '';
    const duty =
      at < 2 ? { cop: true, siren: at === 0 } : at < 4 ? { med: true } : at < 5 ? { tow: true } : {};
    const sign = at === 6 ? { isChased: true } : at === 7 ? { isJoining: true } : {};
    const known = {
      un: name.toLowerCase(),
      nn: `^${at % 8}${name} ^3»`,
      l: places[at % 4] ?? '',
      v: `AB${100 + at}`,
    };
    return [String(at + 1), { ...duty, ...sign, ...known }] as const;
  });
  return liveJson(Object.fromEntries(players), server);
}

const overview = {
  one: { online: true, track: 'SO4', guests: 12, maxGuests: 12, trackName: 'South City Long Reversed' },
  two: { online: true, track: 'KY3', guests: 9, maxGuests: 24, trackName: '^1Kyoto ^7Grand Prix' },
  three: { online: true, track: 'AS5', guests: 3, maxGuests: 24, trackName: 'Aston Historic' },
  four: { online: true, track: 'WE1', guests: 0, maxGuests: 24, trackName: 'Westhill International' },
  events: { online: false, track: 'BL1', guests: 0, maxGuests: 40, trackName: 'Blackwood GP Track' },
  training: { online: true, track: 'FE4', guests: 1, maxGuests: 8, trackName: 'Fern Bay Black' },
};
const connected: Readonly<Record<string, number>> = { one: 12, two: 9, three: 3, four: 0 };

const chat = {
  ...chatJson,
  members: Array.from({ length: 24 }, (_, at) => ({
    ...{ id: String(at), username: names[at] ?? '', status: ['online', 'idle', 'dnd'][at % 3] },
    ...(at < 4 ? { channel_id: String((at % 3) + 1) } : {}),
  })),
};

const service: Context['service'] = {
  async get(endpoint, asked) {
    const { server, ...own } = { server: '', ...Object(asked) };
    const bodies: Readonly<Record<string, object>> = {
      ...{ profile: { ...profile, ...own }, car: { ...car, ...own }, overview, 'chat-status': chat },
      options: { mph: '1', loccol: '2', theme: 'x', pri_uf1_cop: '1', hidead: '1', money: '1' },
      live: file(server, connected[server] ?? 0),
    };
    return { record: endpoint.response.parse(bodies[endpoint.name]), asOf: NOON, stale: null };
  },
};

const hole = { from: NOON - 7 * HOUR, to: NOON - 5 * HOUR };
const known = { since: NOON - 20 * DAY, until: NOON, holes: [hole] };
const sessions = Array.from({ length: 10 }, (_, at) => ({
  ...{ from: NOON - (10 - at) * DAY, to: NOON - (10 - at) * DAY + 2 * HOUR, server: 'one' as const },
  ...{ played: 2 * HOUR, duty: { police: at % 3 === 0 ? HOUR : 0, medic: 0, tow: 0 } },
  ...{ startKnown: true, endKnown: true },
}));

const history: Partial<Context['history']> = {
  counts: async (_place, span) => countsOf(span, { step: HOUR, without: [hole] }),
  week: async () => ({ ...weekOf((weekday, hour) => usual(hour * HOUR) + weekday), ...known }),
  driver: async (driver) => ({ ...known, driver, current: null, sessions }),
  sessions: async () => sessions,
  readings: async () =>
    [20, 0].map((daysAgo) => ({
      at: NOON - daysAgo * DAY,
      figures: { driven_distance: 123_456_789 * (21 - daysAgo), money: 1_234_567 * (21 - daysAgo) },
    })),
  playtime: async () => [
    { rank: 12, driver: 'k3nny', value: HOUR, read: null },
    ...Array.from({ length: 56 }, (_, index) => ({
      rank: index + 1,
      driver: `${names[index % 24]}${index}`.toLowerCase(),
      value: HOUR,
      read: null,
    })),
  ],
  usualHours: async () => ({
    days: 30,
    hours: Array.from({ length: 24 }, (_, hour) => (hour > 18 ? 20 : 0)),
  }),
  top: async () => ({
    ...{ ...known, from: known.since },
    rows: Array.from({ length: 57 }, (_, index) => ({
      ...{
        rank: index + 1,
        driver: (names[index % 24] ?? '').toLowerCase() + index,
        value: 2e8 - index * 1e6,
      },
      read: NOON,
    })),
  }),
  earlierReading: async () => ({
    at: NOON - 6e8,
    figures: { driven_distance: 1, gaming_time_total: 1, chases_won_cop: 1, chases_won_robber: 1, money: 1 },
  }),
  offers: async (models) =>
    ['AB100', 'AB101', 'AB102', 'AB12C'].map((vin, index) => ({
      ...{ vin, model: models[0] ?? '', at: NOON - index * DAY, gone: null, price: 21_079 + index },
    })),
  offlineSince: async () => new Map([['events', NOON - 9 * DAY]]),
  uptime: async () => ({
    runs: [
      { from: known.since, to: NOON - 3 * DAY, isUp: true },
      { from: NOON - 3 * DAY, to: NOON - 3 * DAY + HOUR, isUp: false },
      { from: NOON - 3 * DAY + HOUR, to: NOON, isUp: true },
    ],
    outages: Array.from({ length: 10 }, (_, at) => {
      const from = NOON - (12 - at) * DAY;
      return { from, until: from + HOUR, to: from + HOUR };
    }),
  }),
  namesDrivers: async () => true,
};

const link: Awaited<ReturnType<Context['store']['links']['of']>> = {
  ...{ username: 'k3nny', since: NOON - 9 * DAY, proved: NOON - 8 * DAY, by: 'self' },
  ...{ hidden: false, unwatched: false },
};
const budget = { ...quietBudget, spent: { interactive: 60, background: 200 }, left: 460, refusals: 1 };

const boards = [
  listedBoard('11', { lastEdit: NOON }),
  listedBoard('12', { access: { kind: 'missing', rights: ['EmbedLinks'] } }),
];

/** Stored documents of features that have most, in place of the examples. */
const busyDocuments = Object.values(
  await featureParts<((person: string) => readonly Document[]) | undefined>('busy-evening', 'busyDocuments'),
).flatMap((create) => create ?? []);

/** Everything that is stored of a person who has most. */
async function readStoredExamples() {
  const person = '281474976710657001';
  const documents = documentsInMemory();
  const examples = [...storedDocuments({ person, username: 'k3nny', guild: '2' })];
  const busy = busyDocuments.flatMap((create) => create(person));
  const replaced = ['proofs', 'boards', ...busy.map(({ collection }) => collection)];
  await documents.commit(
    [],
    examples.flatMap(([name, texts]) => (replaced.includes(name) ? [] : texts)),
  );
  await documents.commit([], busy);
  return readStored(person, documents);
}

/** Requests of features that list most. */
const busyRequests = await featureParts<object>('busy-evening', 'busyRequests');

export const busyEvening: Situation = {
  name: 'a busy evening',
  contextOf(t, bot) {
    const [situation] = tellingSituations;
    if (situation === undefined) throw new Error('no situation');
    const context = situation.contextOf(t, bot);
    const { store } = context;
    return {
      ...{ ...context, service, history: { ...context.history, ...history } },
      // An administrator, who has every command.
      person: { ...context.person, mayManage: true, mayManageRoles: true },
      recentNames: { ...context.recentNames, nicknameOf: (username) => `^1${username} ^3»` },
      store: {
        ...store,
        links: { ...store.links, of: async () => link },
        userData: {
          ...store.userData,
          stored: readStoredExamples,
        },
      },
      features: {
        ...context.features,
        ...Object.fromEntries(
          Object.entries(context.features).map(([name, requests]) => [
            name,
            { ...requests, ...busyRequests[name] },
          ]),
        ),
      },
      boards: { ...context.boards, list: async () => boards },
      bot: {
        ...context.bot,
        budget: async () => budget,
        diagnose: async () => ({
          ...(await context.bot.diagnose('2')),
          budget,
          store: { saves: true, hasHistory: true },
        }),
      },
    };
  },
};
