/** Reads the facts for a watch. Pure. */
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { freeSlots } from '../../../src/cards/servers/server-lines.ts';
import type { Outage } from '../../../src/community/history/history.ts';
import type { Car } from '../../../src/service/models/car.ts';
import type { Dated } from '../../../src/service/models/dated.ts';
import type { JudgedFacts } from '../../../src/service/models/facts.ts';
import { sameSpelling } from '../../../src/service/models/identifiers.ts';
import { drivingPlayers, LiveServer, liveServer } from '../../../src/service/models/live-status.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import type { News } from '../cards/alert-text.ts';
import { type AlertRule, ANYWHERE, type ConditionReading } from './observe.ts';
import type { Snapshot } from './snapshot.ts';
import type { Condition } from './watch.ts';

export interface WatchFacts {
  readonly snapshot: Snapshot;
  /** The live files name their drivers; null: not known yet. Where they do not, profiles say who is online. */
  readonly namesDrivers: boolean | null;
  readonly car: Dated<Car> | null;
  readonly profile: Dated<Profile> | null;
  /** The outages of the last day, by the name of the server that is asked for; null: of the data service. */
  readonly outages: ReadonlyMap<string | null, readonly Outage[]>;
  /** Unix milliseconds. */
  readonly now: number;
}

/** A reading, with what is to be said of each condition that it meets. */
export interface WatchReading extends ConditionReading {
  readonly news: ReadonlyMap<string, News>;
}

/** Days before the end of a licence at which its driver is told. */
const LICENCE_DAYS = [7, 1] as const;

/** `between`: the usual time between two look-ups of one profile where those say who is online, in ms; else null. */
export function ruleOf({ kind }: Condition, between: number | null): AlertRule {
  const passing = { away: 0, patience: MINUTE };
  switch (kind) {
    case 'driver':
      return { ...passing, gap: between === null ? 3 * MINUTE : 2 * between, away: 10 * MINUTE };
    case 'duty':
      return { ...passing, gap: 3 * MINUTE };
    case 'server':
      // The overview comes once a minute, or every five where the budget is short.
      return { ...passing, gap: 7 * MINUTE };
    case 'car':
    case 'mine':
    case 'outage':
      return { gap: Number.POSITIVE_INFINITY, away: 0, patience: Number.POSITIVE_INFINITY };
  }
}

/** Null where nothing is known, or only something old. */
export function readCondition(condition: Condition, facts: WatchFacts): WatchReading | null {
  switch (condition.kind) {
    case 'driver':
      return facts.namesDrivers === false
        ? onlineByProfile(facts.profile)
        : onlineByFiles(condition.player, facts);
    case 'server':
      return serverReading(condition, facts.snapshot.judged);
    case 'duty':
      return dutyReading(condition, facts.snapshot.judged);
    case 'car':
      return carReading(condition, facts.car);
    case 'mine':
      return ownReading(condition, facts.profile);
    case 'outage':
      return outageReading(condition, facts.outages.get(condition.server) ?? [], facts.now);
  }
}

function readingFrom(
  at: number,
  scope: string,
  met: readonly (readonly [name: string, news: News])[],
): WatchReading {
  const news = new Map(met);
  return { at, scope, met: [...news.keys()], news };
}

/** While it is not known whether they name drivers, nobody has been driving, and that is true of everybody. */
function onlineByFiles(player: string, { snapshot, namesDrivers: named }: WatchFacts): WatchReading | null {
  const { files, online } = snapshot;
  if (files === null) return null;
  const server = online.get(sameSpelling(player));
  return readingFrom(
    files.at,
    named === null ? ANYWHERE : files.scope,
    server === undefined ? [] : [['online', { kind: 'driver', player, server }]],
  );
}

function onlineByProfile(profile: Dated<Profile> | null): WatchReading | null {
  if (profile === null || profile.record.online === null) return null;
  const { username: player, online } = profile.record;
  const news = { kind: 'driver', player, server: null } as const;
  return readingFrom(profile.asOf, 'profile', online ? [['online', news]] : []);
}

function serverReading(
  { server, free, drivers }: Extract<Condition, { kind: 'server' }>,
  { live, overview }: JudgedFacts,
): WatchReading | null {
  const listed =
    overview === null || overview.isStale ? undefined : overview.record.find(({ name }) => name === server);
  const name = liveServer(server);
  const file = name === null ? null : live[name];
  const counted =
    file === null || file.isStale ? (listed?.guests ?? null) : drivingPlayers(file.record.players).length;
  const freeNow = listed === undefined ? null : freeSlots(listed);
  if ((free !== null && freeNow === null) || (drivers !== null && counted === null)) return null;
  const usesFile = drivers !== null && file !== null && !file.isStale;
  const usesOverview = free !== null || !usesFile;
  const times = [
    ...(usesFile ? [file.asOf] : []),
    ...(usesOverview && overview !== null ? [overview.asOf] : []),
  ];
  return readingFrom(Math.min(...times), usesFile ? 'file' : 'overview', [
    ...(free !== null && freeNow !== null && freeNow >= free
      ? [['free', { kind: 'free', server, count: freeNow }] as const]
      : []),
    ...(drivers !== null && counted !== null && counted >= drivers
      ? [['drivers', { kind: 'drivers', server, count: counted }] as const]
      : []),
  ]);
}

const flags = { police: 'cop', medic: 'med', tow: 'tow', chase: 'isChased' } as const;

/**
 * "At least" is met by what the servers that report duty show, whatever the others may have; that it is not met needs every
 * file to be current and readable. That there is none needs all of them to report every driver.
 */
function dutyReading(
  { duty, atLeast }: Extract<Condition, { kind: 'duty' }>,
  { live }: JudgedFacts,
): WatchReading | null {
  const liveFiles = LiveServer.options.flatMap((name) => {
    const file = live[name];
    return file === null ? [] : [{ ...file, name }];
  });
  const current = liveFiles.filter(({ isStale }) => !isStale);
  const coverages = current.map(({ record }) => record.duty[flags[duty]]);
  const wholeCoverages = coverages.filter((coverage) => coverage === 'all');
  if (coverages.every((coverage) => coverage === 'none')) return null;
  if (atLeast === 0 && wholeCoverages.length < liveFiles.length) return null;
  const count = current
    .flatMap(({ record }) => record.players)
    .filter((player) => player[flags[duty]] === true).length;
  const isMet = atLeast === 0 ? count === 0 : count >= atLeast;
  if (!isMet && (current.length < liveFiles.length || coverages.includes('unclear'))) return null;
  return readingFrom(
    Math.min(...current.map(({ asOf }) => asOf)),
    liveFiles.map(({ name }) => name).join(' '),
    isMet ? [['duty', { kind: duty, count }]] : [],
  );
}

function carReading(
  { vin, below }: Extract<Condition, { kind: 'car' }>,
  car: Dated<Car> | null,
): WatchReading | null {
  if (car === null || car.record.onMarket === null) return null;
  const { onMarket, marketPrice: price, type, hasUnclearMarket } = car.record;
  // For sale, at a price that cannot be read.
  if (below !== null && price === null && hasUnclearMarket) return null;
  const isMet = onMarket && (below === null || (price !== null && price < below));
  return readingFrom(car.asOf, 'car', isMet ? [['sale', { kind: 'sale', vin, type, price }]] : []);
}

function ownReading(
  { below }: Extract<Condition, { kind: 'mine' }>,
  profile: Dated<Profile> | null,
): WatchReading | null {
  if (profile === null) return null;
  const {
    asOf,
    record: { cars, licences },
  } = profile;
  if (cars === null && licences === null) return null;
  const worstFirst = (cars ?? []).toSorted((a, b) => (a.condition ?? 0) - (b.condition ?? 0));
  const worn = worstFirst.flatMap(({ vin, type, condition }) =>
    condition === null || condition >= below
      ? []
      : [[`car ${vin}`, { kind: 'condition', vin, type, condition: condition / 100 }] as const],
  );
  const ending = (licences ?? []).flatMap(({ type, name, validUntil, revoked, expired, isUnclear }) =>
    validUntil === null || validUntil <= asOf || revoked === true || expired === true || isUnclear
      ? []
      : LICENCE_DAYS.filter((days) => validUntil - asOf <= days * DAY).map((days) => {
          const label = name ?? type ?? '';
          const news = { kind: 'licence', name: label, until: validUntil } as const;
          return [`licence ${label.slice(0, MAX_LICENCE_LENGTH)} ${days}`, news] as const;
        }),
  );
  const scope = `${cars === null ? '' : 'cars '}${licences === null ? '' : 'licences'}`;
  return readingFrom(asOf, scope, [...ending, ...worn]);
}

/** Characters of a licence's name that tell it from others. */
const MAX_LICENCE_LENGTH = 40;

/** How long after its end an outage is still worth saying, in ms. */
const BACK_NEWS_MS = 30 * MINUTE;
/** As long as the last reading of an outage may be old, in ms: the recorder writes once a minute. */
const MAX_READING_AGE_MS = 3 * MINUTE;
/** Outages within an hour from which they count as one: the server is unstable. */
const UNSTABLE_OUTAGES = 3;

/** Null while it is not known whether an outage goes on. */
function outageReading(
  { server, goes, after }: Extract<Condition, { kind: 'outage' }>,
  outages: readonly Outage[],
  now: number,
): WatchReading | null {
  const isLong = ({ from, until, to }: Outage): boolean =>
    (to === null ? now : until) - from >= after * MINUTE;
  const long = outages.filter(isLong);
  const last = long.at(-1);
  const reading = (...met: Parameters<typeof readingFrom>[2]) => readingFrom(now, 'outages', met);
  if (last === undefined) return reading();
  const { from, until, to } = last;
  if (to === null && now - until > MAX_READING_AGE_MS) return null;
  const unstableFrom = unstableSince(long);
  if (unstableFrom !== null && (to === null || now - to < HOUR))
    return reading([`unstable ${unstableFrom}`, { kind: 'unstable', server, since: unstableFrom }]);
  if (to === null)
    return goes === 'back' ? reading() : reading([`down ${from}`, { kind: 'down', server, since: from }]);
  // End unknown: skip the outage if it is old, else report the longest possible duration.
  const isTold = goes !== 'down' && now - to < BACK_NEWS_MS && to - until < BACK_NEWS_MS;
  const back = { kind: 'back', server, since: to, lasted: to - from, isAtMost: to > until } as const;
  return isTold ? reading([`back ${from}`, back]) : reading();
}

/** When the first of many outages began that each came within an hour of the one two before; null: the last one did not. */
function unstableSince(outages: readonly Outage[]): number | null {
  let unstableFrom: number | null = null;
  for (const [index, { from }] of outages.entries()) {
    const earlierOutage = outages[index - UNSTABLE_OUTAGES + 1];
    if (earlierOutage === undefined || from - earlierOutage.from > HOUR) unstableFrom = null;
    else unstableFrom ??= earlierOutage.from;
  }
  return unstableFrom;
}
