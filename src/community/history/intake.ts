/** Sum of the readings between two writes. */
import type { Clock } from '../../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../../base/duration.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { Dated } from '../../service/models/dated.ts';
import type { Facts } from '../../service/models/facts.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { LiveServer, type LiveStatus } from '../../service/models/live-status.ts';
import { type Batch, emptyBatch, joinedBatch } from './batch.ts';
import { createMinuteCounter, type MinuteCount } from './counts.ts';
import type { CountedPlace } from './history.ts';
import { liveReading } from './live-reading.ts';
import type { RecorderState } from './recorder-state.ts';
import { createRunLog } from './run-log.ts';
import { foldReading, type SeenDriver, type ServerStays } from './stays.ts';

/** How often one server is read, in ms. */
export const READ_INTERVAL_MS = 10 * SECOND;
/** A little less, since an answer may come a little early. */
const MIN_READ_INTERVAL_MS = READ_INTERVAL_MS - SECOND;
/** Readings of different servers that are no further apart belong to one moment: to one cycle. */
const SAME_MOMENT_MS = READ_INTERVAL_MS / 2;
/** The members are asked for every one to five minutes. */
const MEMBERS_VALID_MS = 6 * MINUTE;
/**
 * Drivers whose sessions begin on one server, at once and within an hour: several times what the largest community has.
 * A file with ever new names must not fill history with visitors of ten seconds; beyond this they are counted, not named.
 */
const ARRIVAL_LIMITS = { atOnce: 1000, anHour: 3000 };
/** More rows than this are not sent, so as many may stand for more. */
const MAX_ROWS = 100;

/** `state`: null where nothing is known of what went before. */
export function createIntake(
  state: RecorderState | null,
  { clock, isHidden }: { readonly clock: Clock; readonly isHidden: (username: string) => boolean },
) {
  const servers = new Map<LiveServer, ServerStays>(state?.servers);
  const minutes = createMinutes();
  const moment = createMoment(clock);
  const isNew = createNovelty(clock);
  const arrivals = createArrivals(clock);
  const onlineTime = createOnlineTime();
  let names = state?.names ?? null;
  let lastId = state?.written ?? 0;
  let pending: Batch = emptyBatch;
  const members = createMemberCount(clock);
  const runs = createRunLog(state?.open ?? new Map(), clock);
  let hasRead = false;

  function readServer(server: LiveServer, record: LiveStatus): void {
    const at = clock.now();
    const reading = liveReading(record, isHidden);
    names = reading.names ?? names;
    minutes.add(server, at, reading.drivers, reading.police);
    minutes.add('all', at, moment.sum(server, reading.drivers), null);
    const previousStays = servers.get(server) ?? null;
    const admitted = arrivals.admit(server, reading.namedDrivers, previousStays);
    const { after, ended, played } = foldReading(previousStays, at, admitted);
    servers.set(server, after);
    hasRead = true;
    pending = joinedBatch(pending, {
      ...emptyBatch,
      sessions: ended.map(({ driver, session }) => ({ driver, session: { ...session, server } })),
      played: onlineTime.of(played, at),
    });
  }

  return {
    /** Something went down or came back that has not been given out. */
    hasTurned: runs.hasTurned,
    /** Takes what is new in the facts. */
    read(facts: Facts): void {
      const { live, chat } = facts;
      runs.read(facts);
      for (const server of LiveServer.options) {
        const fact = live[server];
        if (fact !== null && isNew(server, fact.asOf)) readServer(server, fact.record);
      }
      if (chat !== null) members.read(chat);
    },
    /** Counts the members as they were last known. To be called a few times a minute. */
    keepMembers(): void {
      const count = members.count();
      if (count !== null) minutes.add('members', clock.now(), count, null);
    },
    /** Forgets the sessions under way of these drivers (names without their case), and what is not given out yet. */
    drop(drivers: ReadonlySet<string>): void {
      if (drivers.size === 0) return;
      const stays = ([name]: [string, unknown]): boolean => !drivers.has(name);
      for (const [server, serverStays] of servers)
        servers.set(server, { ...serverStays, stays: new Map([...serverStays.stays].filter(stays)) });
      pending = withoutDrivers(pending, drivers);
    },
    /**
     * Gives out what has come together, and the state after it; null if there is nothing new. `isLast`: with the minute
     * under way.
     */
    take(isLast: boolean): { readonly state: RecorderState; readonly batch: Batch } | null {
      const endedMinutes = minutes.take(clock.now(), isLast);
      // While nothing can be read, the outage under way goes on.
      if (!hasRead && endedMinutes.length === 0 && !runs.hasTurned() && runs.open().size === 0) return null;
      lastId = Math.max(lastId + 1, clock.now());
      const result = {
        state: { written: lastId, names, servers: new Map(servers), open: runs.open() },
        batch: { ...pending, minutes: endedMinutes, runs: runs.take() },
      };
      pending = emptyBatch;
      hasRead = false;
      return result;
    },
  };
}

/**
 * A file is to be read: its own time has moved, and the last reading is long enough ago. A file that is seen
 * for the first time may have stood still for long.
 */
function createNovelty(clock: Clock): (server: LiveServer, asOf: number) => boolean {
  const last = new Map<LiveServer, { readonly asOf: number; readonly read: number }>();
  return (server, asOf) => {
    const lastReading = last.get(server);
    const now = clock.monotonic();
    if (lastReading === undefined) last.set(server, { asOf, read: Number.NEGATIVE_INFINITY });
    if (
      lastReading === undefined ||
      asOf === lastReading.asOf ||
      now - lastReading.read < MIN_READ_INTERVAL_MS
    )
      return false;
    last.set(server, { asOf, read: now });
    return true;
  };
}

/** Counts a driver who is on several servers at once only once. */
function createOnlineTime() {
  const countedUntil = new Map<string, number>();
  return {
    /** Returns the time that a server's reading adds. */
    of(played: readonly { readonly driver: string; readonly ms: number }[], at: number): Batch['played'] {
      for (const [key, countedTime] of countedUntil) if (countedTime < at - MINUTE) countedUntil.delete(key);
      return played.flatMap(({ driver, ms }) => {
        const key = sameSpelling(driver);
        const added = at - Math.max(at - ms, countedUntil.get(key) ?? 0);
        if (added <= 0) return [];
        countedUntil.set(key, at);
        return [{ driver, ms: added, at }];
      });
    },
  };
}

/** An allowance a server that refills over the hour; those who are there already pass. */
function createArrivals(clock: Clock) {
  const allowances = new Map<LiveServer, { remaining: number; at: number }>();
  return {
    admit(
      server: LiveServer,
      drivers: readonly SeenDriver[],
      previousStays: ServerStays | null,
    ): readonly SeenDriver[] {
      const now = clock.monotonic();
      const allowance = allowances.get(server) ?? { remaining: ARRIVAL_LIMITS.atOnce, at: now };
      allowances.set(server, allowance);
      const refilled = allowance.remaining + ((now - allowance.at) / HOUR) * ARRIVAL_LIMITS.anHour;
      allowance.remaining = Math.min(ARRIVAL_LIMITS.atOnce, refilled);
      allowance.at = now;
      return drivers.filter(({ driver }) => {
        if (previousStays?.stays.has(sameSpelling(driver)) === true) return true;
        if (allowance.remaining < 1) return false;
        allowance.remaining -= 1;
        return true;
      });
    },
  };
}

function withoutDrivers(batch: Batch, drivers: ReadonlySet<string>): Batch {
  const isOther = ({ driver }: { readonly driver: string }): boolean => !drivers.has(sameSpelling(driver));
  return { ...batch, sessions: batch.sessions.filter(isOther), played: batch.played.filter(isOther) };
}

/** Holds the last number of members while it may stand for the present. */
function createMemberCount(clock: Clock) {
  let lastCount: { readonly asOf: number; readonly since: number; readonly count: number } | null = null;
  return {
    read({ record: { presenceCount, members: rows }, asOf }: Dated<ChatStatus>): void {
      if (asOf === lastCount?.asOf) return;
      const count = presenceCount ?? (rows.length < MAX_ROWS ? rows.length : null);
      lastCount = count === null ? null : { asOf, since: clock.monotonic(), count };
    },
    count: (): number | null =>
      lastCount === null || clock.monotonic() - lastCount.since > MEMBERS_VALID_MS ? null : lastCount.count,
  };
}

/** How many drive on all servers that were read just now: a peak of all is of one moment. */
function createMoment(clock: Clock) {
  const read = new Map<LiveServer, { readonly at: number; readonly drivers: number }>();
  return {
    /** Returns the sum over all servers after this newest reading of a server. */
    sum(server: LiveServer, drivers: number): number {
      const now = clock.monotonic();
      read.set(server, { at: now, drivers });
      return [...read.values()].reduce(
        (sum, each) => sum + (now - each.at < SAME_MOMENT_MS ? each.drivers : 0),
        0,
      );
    },
  };
}

/** The minutes of all places. */
function createMinutes() {
  const counters = new Map<CountedPlace, ReturnType<typeof createMinuteCounter>>();
  const endedMinutes: Batch['minutes'][number][] = [];

  function collect(now: number, isLast: boolean): void {
    for (const [place, counter] of counters)
      for (const minute of isLast ? counter.finished() : counter.endedBy(now))
        endedMinutes.push({ place, minute });
  }

  return {
    add(place: CountedPlace, now: number, drivers: number, police: MinuteCount['police']): void {
      collect(now, false);
      const counter = counters.get(place) ?? createMinuteCounter();
      counters.set(place, counter);
      counter.add(now, drivers, police);
    },
    take(now: number, isLast: boolean): Batch['minutes'] {
      collect(now, isLast);
      return endedMinutes.splice(0);
    },
  };
}
