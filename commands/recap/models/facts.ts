/** The sums of a recap, from a driver's sessions and readings. Times in unix milliseconds, lengths in ms. */
import { DAY, HOUR } from '../../../src/base/duration.ts';
import { forEachInSlices } from '../../../src/base/for-each-yielding.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { dayOf, hourOf, wallTimes, weekdayOf } from '../../../src/base/zone.ts';
import { MIN_TOLD_HOLE_MS } from '../../../src/cards/history/coverage-lines.ts';
import {
  type Coverage,
  type Figure,
  knownWithin,
  type ProfileReading,
  playedWithin,
  type Session,
  type Stretch,
} from '../../../src/community/history/history.ts';
import type { LiveServer } from '../../../src/service/models/live-status.ts';
import { dividePeriod, type Period } from './period.ts';

/** How far off the turn of a period a reading may lie. */
export const MAX_OFF_TURN = 2 * DAY;
/** A part of a period of which less is known is unknown. */
const KNOWN_SHARE = 0.5;
/** A period of which no more is known is told in words only: a share, and at least so many ms. */
const THIN_SHARE = 0.1;
const THIN_MS = 3 * DAY;

/** A driver is new for so long, in ms, if enough of as long a time before is known. */
const NEW_FOR_MS = 30 * DAY;

export interface RecapPart extends Stretch {
  readonly time: number;
  readonly state: 'known' | 'unknown' | 'ahead';
}

interface Gains {
  readonly from: number;
  readonly to: number;
  /** In metres, as the others null where one of the two readings lacks it, or where it became less: no ranking tells a loss. */
  readonly distance: number | null;
  readonly money: number | null;
  /** Chases won in both roles. */
  readonly chases: number | null;
}

export interface RecapFacts {
  readonly span: Stretch;
  /** Time online. */
  readonly time: number;
  /** How much more that is than in the month before; null unless all of both months is known, and the month is over. */
  readonly more: number | null;
  /** The length of the period until now, and how much of that is not known. */
  readonly elapsed: number;
  readonly missing: number;
  /** Too little is known for a picture or a title. */
  readonly isThin: boolean;
  /** Days of a month, else months. */
  readonly parts: readonly RecapPart[];
  /** Days with some time online. */
  readonly days: number;
  /** When a driver was first seen who was new at the end of the period; null for any other. */
  readonly newSince: number | null;
  readonly busiest: { readonly at: number; readonly time: number } | null;
  /** The hour of the day with the most time. */
  readonly hour: number | null;
  readonly server: { readonly server: LiveServer; readonly share: number } | null;
  /** The duty with the most time; null where there was none, or where no file reports it. */
  readonly duty: { readonly role: Role; readonly time: number } | null;
  /** Some sessions lack the duty. */
  readonly isDutyPartial: boolean;
  readonly gains: Gains | null;
  /** Time by hour of the day, and by weekday from Monday. */
  readonly hours: readonly number[];
  readonly weekdays: readonly number[];
  readonly servers: readonly number[];
}

const roles = ['police', 'medic', 'tow'] as const;
type Role = (typeof roles)[number];

interface RecapInput {
  readonly period: Period;
  readonly zone: string;
  readonly span: Stretch;
  readonly sessions: readonly Session[];
  /** The month before, with its sessions; null for another period. */
  readonly before: { readonly span: Stretch; readonly sessions: readonly Session[] } | null;
  /** When the driver was first seen of all. */
  readonly firstSeen: number | null;
  readonly readings: readonly ProfileReading[];
  readonly coverage: Coverage;
  readonly now: number;
}

export async function recapFacts(input: RecapInput): Promise<RecapFacts> {
  const { period, zone, span, sessions, before, firstSeen, readings, coverage, now } = input;
  const elapsed = { from: span.from, to: Math.max(span.from, Math.min(span.to, now)) };
  const { time, days: byDay, hours, weekdays, servers, duties } = await sumSessions(sessions, span, zone);
  const missing = lengthOf(elapsed) - knownWithin(coverage, elapsed);
  const days = [...byDay.values()];
  const parts = dividePeriod(period, zone, span).map((part): RecapPart => {
    const past = { from: part.from, to: Math.min(part.to, now) };
    const isKnown = knownWithin(coverage, past) >= KNOWN_SHARE * lengthOf(past);
    const partTime = sumBy(days, (day) => (day.at >= part.from && day.at < part.to ? day.time : 0));
    const state = past.to <= past.from ? 'ahead' : isKnown || partTime > 0 ? 'known' : 'unknown';
    return { ...part, time: partTime, state };
  });
  const [server] = [...servers].toSorted(([, a], [, b]) => b - a);
  const [duty] = roles.map((role) => ({ role, time: duties[role] })).toSorted((a, b) => b.time - a.time);
  const longestHour = Math.max(...hours);
  const isWhole = (month: Stretch): boolean =>
    lengthOf(month) - knownWithin(coverage, month) < MIN_TOLD_HOLE_MS;
  const isComparable = before !== null && now >= span.to && isWhole(span) && isWhole(before.span);
  return {
    span,
    time,
    more: isComparable ? time - sumBy(before.sessions, (one) => playedWithin(one, before.span)) : null,
    elapsed: lengthOf(elapsed),
    missing,
    isThin: lengthOf(elapsed) - missing <= Math.max(THIN_MS, THIN_SHARE * lengthOf(span)),
    parts,
    days: days.length,
    newSince: firstSeen !== null && isNew(firstSeen, elapsed.to, coverage) ? firstSeen : null,
    busiest: days.toSorted((a, b) => b.time - a.time)[0] ?? null,
    hour: longestHour === 0 ? null : hours.indexOf(longestHour),
    server: server === undefined ? null : { server: server[0], share: server[1] / time },
    duty: duty !== undefined && duty.time > 0 ? duty : null,
    isDutyPartial: sessions.some((one) => one.duty === null && playedWithin(one, span) > 0),
    gains: gainsOf(readings, elapsed),
    hours,
    weekdays,
    servers: [...servers.values()],
  };
}

function isNew(firstSeen: number, now: number, coverage: Coverage): boolean {
  const before = { from: firstSeen - NEW_FOR_MS, to: firstSeen };
  return now - firstSeen < NEW_FOR_MS && knownWithin(coverage, before) >= KNOWN_SHARE * NEW_FOR_MS;
}

/**
 * Sums the sessions by day, hour, weekday, server and duty, each cut where an hour begins by the zone's clocks. In slices: a
 * year of a busy driver has thousands of sessions.
 */
async function sumSessions(sessions: readonly Session[], span: Stretch, zone: string) {
  const wallAt = wallTimes(zone);
  const days = new Map<number, { readonly at: number; time: number }>();
  const servers = new Map<LiveServer, number>();
  const [hours, weekdays] = [Array<number>(24).fill(0), Array<number>(7).fill(0)];
  const duties = { police: 0, medic: 0, tow: 0 };
  let time = 0;
  await forEachInSlices(sessions, (session) => {
    const end = Math.min(session.to, span.to);
    const played = playedWithin(session, span);
    servers.set(session.server, (servers.get(session.server) ?? 0) + played);
    time += played;
    for (const role of roles)
      duties[role] += playedWithin({ ...session, played: session.duty?.[role] ?? 0 }, span);
    for (let from = Math.max(session.from, span.from); from < end; ) {
      const wall = wallAt(from);
      const to = Math.min(end, from + HOUR - (wall % HOUR));
      const ms = playedWithin(session, { from, to });
      const day = days.get(dayOf(wall)) ?? { at: from, time: 0 };
      day.time += ms;
      days.set(dayOf(wall), day);
      hours[hourOf(wall)] = (hours[hourOf(wall)] ?? 0) + ms;
      weekdays[weekdayOf(wall)] = (weekdays[weekdayOf(wall)] ?? 0) + ms;
      from = to;
    }
  });
  return { time, days, hours, weekdays, servers, duties };
}

/** The gains between the readings nearest both ends, each at most {@link MAX_OFF_TURN} off; null: there are no two. */
function gainsOf(readings: readonly ProfileReading[], { from, to }: Stretch): Gains | null {
  const [first, last] = [nearest(readings, from), nearest(readings, to)];
  if (first === null || last === null || first.at >= last.at) return null;
  const gain = (figure: Figure): number | null => {
    const [before, after] = [first.figures[figure], last.figures[figure]];
    return before === undefined || after === undefined || after < before ? null : after - before;
  };
  const [asCop, asRobber] = [gain('chases_won_cop'), gain('chases_won_robber')];
  return {
    from: first.at,
    to: last.at,
    distance: gain('driven_distance'),
    money: gain('money'),
    // In both roles, or not at all: a part of the sum reads like all of it.
    chases: asCop === null || asRobber === null ? null : asCop + asRobber,
  };
}

function nearest(readings: readonly ProfileReading[], at: number): ProfileReading | null {
  const off = (one: ProfileReading): number => Math.abs(one.at - at);
  const [found] = readings.filter((one) => off(one) <= MAX_OFF_TURN).toSorted((a, b) => off(a) - off(b));
  return found ?? null;
}

const lengthOf = ({ from, to }: Stretch): number => to - from;

/** Hours of the day of three titles; the last one is not in it. */
export const titleHours = {
  night: { from: 22, to: 4 },
  morning: { from: 5, to: 10 },
  evening: { from: 18, to: 22 },
} as const;

const DUTY_SHARE = 0.38;
/** Share of the time in one role, on each of three servers, and on one server. */
export const titleShares = {
  police: DUTY_SHARE,
  medic: DUTY_SHARE,
  tow: DUTY_SHARE,
  everywhere: 0.2,
  loyal: 0.9,
} as const;

/** How many times an average day online the busiest one has of a marathon. */
export const MARATHON_TIMES = 3;
/** Days online from which a driver is a regular. */
const REGULAR_DAYS = 10;

const hasRole =
  (role: Role) =>
  ({ duty, time }: RecapFacts): boolean =>
    duty?.role === role && duty.time >= titleShares[role] * time;
const hasHours =
  (title: keyof typeof titleHours) =>
  ({ hours, time }: RecapFacts): boolean =>
    timeWithin(titleHours[title], hours) >= time / 2;

/**
 * Ordered: the first whose rule holds is the title. Habits that are rarer come first, so that among drivers of varied habits none
 * is the title of more than a quarter.
 */
const rules = {
  newcomer: ({ newSince, days }) => newSince !== null && days < REGULAR_DAYS,
  police: hasRole('police'),
  medic: hasRole('medic'),
  tow: hasRole('tow'),
  marathon: ({ busiest, time, days }) =>
    busiest !== null && busiest.time >= 6 * HOUR && busiest.time >= (MARATHON_TIMES * time) / days,
  everywhere: ({ servers, time }) => servers.filter((ms) => ms >= titleShares.everywhere * time).length >= 3,
  weekend: ({ weekdays, time }) => sumBy(weekdays.slice(5), Number) >= (2 * time) / 3,
  morning: hasHours('morning'),
  night: hasHours('night'),
  daily: ({ days, elapsed }) => days >= REGULAR_DAYS && days >= (0.9 * elapsed) / DAY,
  evening: hasHours('evening'),
  loyal: ({ server }) => server !== null && server.share >= titleShares.loyal,
  regular: ({ days }) => days >= REGULAR_DAYS,
} as const satisfies Record<string, (facts: RecapFacts) => boolean>;
export type Title = keyof typeof rules;

/** Time online below which nobody gets a title, in ms. */
const LEAST_TIME_MS = 2 * HOUR;

/** Returns the title of a period; null where too little is known, or where there was too little time. */
export function titleOf(facts: RecapFacts): Title | null {
  if (facts.isThin || facts.time < LEAST_TIME_MS) return null;
  const order = Object.keys(rules) as readonly Title[];
  return order.find((title) => rules[title](facts)) ?? null;
}

function timeWithin(
  { from, to }: { readonly from: number; readonly to: number },
  hours: readonly number[],
): number {
  const isWithin = (hour: number): boolean =>
    from < to ? hour >= from && hour < to : hour >= from || hour < to;
  return sumBy([...hours.entries()], ([hour, ms]) => (isWithin(hour) ? ms : 0));
}
