/** Questions about the past of live files and profiles, and their answers. Times are unix milliseconds. */
import { sumBy } from '../../base/sum-by.ts';
import type { LiveServer } from '../../service/models/live-status.ts';

/** `all`: the drivers of every live server together. `members`: the members on Discord who are not offline. */
export type CountedPlace = LiveServer | 'all' | 'members';

/** `from` belongs to it, `to` does not. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Returns the part (ms) of a session's time that was played within the span: the time counts evenly over the session. */
export function playedWithin(session: Stretch & Pick<Session, 'played'>, span: Stretch): number {
  const overlap = overlapOf(session, span);
  return overlap === 0 ? 0 : (session.played * overlap) / (session.to - session.from);
}

/** Returns for how long both last at once, in ms. */
export function overlapOf(first: Stretch, second: Stretch): number {
  return Math.max(0, Math.min(first.to, second.to) - Math.max(first.from, second.from));
}

/** Returns how much of the span is known, in ms. */
export function knownWithin({ since, until, holes }: Coverage, span: Stretch): number {
  if (since === null || until === null) return 0;
  const knownSpan = { from: Math.max(span.from, since), to: Math.min(span.to, until) };
  return Math.max(0, knownSpan.to - knownSpan.from) - sumBy(holes, (hole) => overlapOf(hole, knownSpan));
}

/** Coverage of an answer, so that nobody takes a missing reading for an empty server. */
export interface Coverage {
  /** Since when the span is covered: its beginning, or the first reading ever; null: there is none in the span. */
  readonly since: number | null;
  /** The newest reading that counts; null: there is none. */
  readonly until: number | null;
  /**
   * Between the two, when something was not known: the bot or the service was down, or a file stood still; of drivers'
   * time, that of any server. In order of time, each at least a minute long. Those within a step of an hour or of ten
   * minutes are as long as they were, but may stand elsewhere in it.
   */
  readonly holes: readonly Stretch[];
}

/** The state of one step of time, averaged over its readings. */
export interface CountPoint {
  /** When the step begins. */
  readonly at: number;
  /** Known part of the step, in ms, over which the averages are taken. */
  readonly known: number;
  /** Drivers, or members. */
  readonly drivers: number;
  /** The most at one time. */
  readonly most: number;
  /** Null where the live file does not say who is police, and for members. */
  readonly police: number | null;
  /** True if some of several servers do not report their police, so that there may be more. */
  readonly isPolicePartly?: boolean;
}

export interface Counts extends Coverage {
  /** Milliseconds of a step: one minute within the last 2 days, ten within eight weeks, beyond that an hour. */
  readonly step: number;
  /**
   * In order of time, one for each step with a reading; there is none in a hole. For `all`, a step counts where every
   * server has a reading that has any on that UTC day: a server that is missing for minutes would look like leaving
   * drivers.
   */
  readonly points: readonly CountPoint[];
  /** The newest minute; null where it is no longer known by the minute. */
  readonly latest: CountPoint | null;
}

/** One hour of the week. */
export interface HourOfWeek {
  /** The average number of drivers. */
  readonly drivers: number;
  /** How many weeks it is an average of. */
  readonly weeks: number;
}

export interface WeekAverages extends Coverage {
  /** Seven days from Monday, each with 24 hours, in the zone asked for; null where less than half an hour is known. */
  readonly days: readonly (readonly (HourOfWeek | null)[])[];
}

/** A driver's stay on one server. An absence of up to 3 minutes does not end it. */
export interface Session extends Stretch {
  readonly server: LiveServer;
  /** Milliseconds for which the driver was seen; holes are left out. */
  readonly played: number;
  /** Milliseconds in each role, where the live file names drivers and roles. */
  readonly duty: Readonly<Record<'police' | 'medic' | 'tow', number>> | null;
  /** False where it began in a hole: `from` is when the driver was first seen. */
  readonly startKnown: boolean;
  /** False where it ended in a hole: `to` is when the driver was last seen. */
  readonly endKnown: boolean;
}

export interface DriverHistory extends Coverage {
  /** The name as the service last spelled it. */
  readonly driver: string;
  /** The session under way, up to the newest reading. */
  readonly current: Session | null;
  /** Ended sessions, newest first, as many as asked for. */
  readonly sessions: readonly Session[];
}

export interface UsualHours {
  /** For each hour of the day in the zone asked for, on how many of `days` the driver was online in it. */
  readonly hours: readonly number[];
  /** Days of which something is known, up to the last 56. */
  readonly days: number;
}

/**
 * `playtime` comes from the live files; the others from profiles: the difference between the readings in the span.
 * `chases` counts those won, as police or as suspect.
 */
export const topSubjects = ['playtime', 'distance', 'chases', 'money', 'police'] as const;
export type TopSubject = (typeof topSubjects)[number];

/** The last 7 or 30 times 24 hours, or everything that is kept. */
export const topSpans = ['week', 'month', 'all'] as const;
export type TopSpan = (typeof topSpans)[number];

export interface TopRow {
  /** From 1; equal values share one, and the next is as much higher. */
  readonly rank: number;
  readonly driver: string;
  /** Above zero. Milliseconds (`playtime`, `police`), metres, chases or money. */
  readonly value: number;
  /** When the driver's profile was last read within the span, which the value ends with; null: it ends with the span. */
  readonly read: number | null;
}

export interface TopList extends Coverage {
  /** When the span begins. */
  readonly from: number;
  /** All drivers with a value, highest first; within a rank, by name. */
  readonly rows: readonly TopRow[];
}

/**
 * The best of a driver's ranks in the upper halves of the lists of the last seven days: of equal ones that among the most
 * drivers.
 */
export interface BestRank extends Pick<TopRow, 'rank'> {
  readonly subject: TopSubject;
  /** Drivers in that list. */
  readonly count: number;
}

/** A figure of the profile, by the service's name; money is beside them. */
export type Figure =
  | 'money'
  | 'driven_distance'
  | 'chases_won_cop'
  | 'chases_won_robber'
  | 'gaming_time_total'
  | 'gaming_time_cop';

export type Figures = Readonly<Partial<Record<Figure, number>>>;

/** Figures of a profile as they were, in the service's units. */
export interface ProfileReading {
  readonly at: number;
  /** Without those that the profile lacked. */
  readonly figures: Figures;
}

/** A car as it was last seen for sale. */
export interface Offer {
  readonly vin: string;
  /** The service's code, in upper case, at most 32 characters. */
  readonly model: string;
  /** When it was seen. */
  readonly at: number;
  /** When it was first seen not to be for sale any more; null: it has not been. */
  readonly gone: number | null;
  /** Null where the service sent none. */
  readonly price: number | null;
}

/** A time throughout which a server was up, or was down. What lies between two of them is not known. */
export interface Run extends Stretch {
  readonly isUp: boolean;
}

export interface Outage {
  readonly from: number;
  /** When it was last known to be down. */
  readonly until: number;
  /** When it was up again; later than `until` where nothing was known in between. Null: it has not been seen up since. */
  readonly to: number | null;
}

export interface Uptime {
  /** In order of time. */
  readonly runs: readonly Run[];
  /** Oldest first. */
  readonly outages: readonly Outage[];
}

/**
 * Drivers are asked for by username, in any case. A hidden driver is one of whom nothing is known. Every question
 * rejects with a `StoreError` where the store fails.
 */
export interface History {
  /** Everything about one place within the span, in the finest step that reaches back to its beginning. */
  counts(place: CountedPlace, span: Stretch): Promise<Counts>;
  /** Averages over the last 56 days. `zone`: an IANA time zone such as `Europe/Berlin`. */
  week(place: CountedPlace, zone: string): Promise<WeekAverages>;
  /** Null where the live files have never named this driver. */
  driver(username: string, sessions: number): Promise<DriverHistory | null>;
  /** Sessions that overlap the span, in no order. */
  sessions(username: string, span: Stretch): Promise<readonly Session[]>;
  usualHours(username: string, zone: string): Promise<UsualHours>;
  top(subject: TopSubject, span: TopSpan): Promise<TopList>;
  /** Ranks drivers by their time online within any span, from their sessions. */
  playtime(span: Stretch): Promise<readonly TopRow[]>;
  /** Best ranks by the driver's name in lower case, without drivers in the lower half of each list. */
  bestRanks(): Promise<ReadonlyMap<string, BestRank>>;
  /** The sessions that are not known to be over: the one on a server, and those left in the last minutes. */
  openSessions(username: string): Promise<readonly Session[]>;
  /**
   * Reading to compare today's profile with: the first of the last 7 days, or the last one before them. Null
   * where there is none from before today.
   */
  earlierReading(username: string): Promise<ProfileReading | null>;
  /**
   * The figures of a driver's profile that were read within the span and are still kept, oldest first: at most one
   * reading a UTC day.
   */
  readings(username: string, span: Stretch): Promise<readonly ProfileReading[]>;
  /**
   * Cars of these models (the service's codes, in any case) that somebody looked up while they were for sale, within
   * the last 60 days: each car once, the last seen first; of the first 60 models. There may be others that nobody looked up.
   */
  offers(models: readonly string[]): Promise<readonly Offer[]>;
  /** When a server was up within the span, by its name in lower case; null: the data service. */
  uptime(server: string | null, span: Stretch): Promise<Uptime>;
  /** Since when servers are down that are down, as far as that is known; by name. */
  offlineSince(): Promise<ReadonlyMap<string, number>>;
  /** The live files name their drivers; null: not known yet. Where they do not, there are counts alone. */
  namesDrivers(): Promise<boolean | null>;
}

/** A driver's current server or the time of the last sighting (unix milliseconds), from sources newer than the record. */
export type Presence =
  | { readonly server: LiveServer; readonly since: Pick<Session, 'from' | 'startKnown'> | null }
  | { readonly server: null; readonly lastSeen: number | null };
