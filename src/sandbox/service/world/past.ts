import type { Community } from './community.ts';
import { createRandom, type Random } from './random.ts';
import type { Session } from './servers.ts';
import { DAY, HOUR, MINUTE } from './time.ts';

/** One stay of a driver on a server. */
export interface PastStay {
  readonly driver: string;
  readonly server: 'one' | 'two' | 'three' | 'four';
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly role: 'civil' | 'cop' | 'med' | 'tow';
}

/** Who comes; the times in unix milliseconds. */
export interface PastDriver {
  readonly username: string;
  readonly joined: number;
  /** The end of the last stay, where that is before `until`. */
  readonly lastSeen: number;
}

/** What happened before the world began. */
export interface WorldPast {
  /** In order of beginning. */
  readonly stays: readonly PastStay[];
  /** When nobody watched: nothing is known of these times. */
  readonly outages: readonly { readonly from: number; readonly to: number }[];
}

/** A session that is over. */
export interface Left {
  readonly session: Session;
  /** Unix milliseconds. */
  readonly at: number;
}

interface World {
  readonly seed: number;
  readonly since: number;
  /** When its people were settled: from then on they live. */
  readonly settled: number;
  /** The sessions between then and its beginning. */
  readonly lately: readonly Left[];
}

/** The past of a world that has begun. */
export function pastOf({ drivers }: Community, { seed, since, settled, lately }: World): WorldPast {
  const { stays, outages } = createPast(seed, drivers, since, settled);
  const lived = lately.flatMap(({ session, at }): readonly PastStay[] => {
    const { driver, role, joinedAt: from } = session;
    const server = live.find((name) => name === session.server.name);
    // The other servers have no live file in which anybody could have seen them.
    return server === undefined ? [] : [{ driver: driver.username, server, from, to: at, role }];
  });
  return { stays: [...stays, ...lived].toSorted((a, b) => a.from - b.from), outages };
}

const live = ['one', 'two', 'three', 'four'] as const;
const servers = ['one', 'one', 'one', 'two', 'two', 'three', 'three', 'four'] as const;
const roles = ['civil', 'civil', 'civil', 'civil', 'civil', 'cop', 'cop', 'tow', 'med'] as const;
const OUTAGES = 9;

/**
 * Everybody comes on some evenings, more often at the weekend, and stays for an hour or two; keen drivers come often.
 * Some come only for a part of that time, and the community grows a little.
 */
export function createPast(
  seed: number,
  drivers: readonly PastDriver[],
  since: number,
  until: number,
): WorldPast {
  const random = createRandom(seed, 'past');
  const stays = drivers.flatMap((driver) => staysOf(driver, random, since, until));
  const outages = Array.from({ length: OUTAGES }, (_outage, index) => {
    // One of them is recent, so that it can be seen.
    const from = index === 0 ? until - 9 * HOUR : random.between(since, until - DAY);
    return { from, to: from + random.between(0.4, index === 0 ? 1 : 8) * HOUR };
  });
  return {
    stays: stays.toSorted((a, b) => a.from - b.from),
    outages: outages.toSorted((a, b) => a.from - b.from),
  };
}

/** When a stay may begin (hours in UTC), and how much less likely it is than one in the evening. */
const parts = [
  { from: 17, to: 21, share: 1 },
  { from: 11, to: 17, share: 0.45 },
  { from: 21.5, to: 23.5, share: 0.2 },
] as const;

function staysOf(
  { username: driver, ...known }: PastDriver,
  random: Random,
  since: number,
  until: number,
): readonly PastStay[] {
  const keenness = random.between(0.15, 0.8);
  const favourite = random.pick(servers);
  const role = random.pick(roles);
  const began = random.chance(0.3) ? random.between(since, until - 20 * DAY) : since;
  const joined = Math.max(known.joined, began);
  const last = Math.min(known.lastSeen, until);
  const stays: PastStay[] = [];
  for (let day = Math.floor(joined / DAY) * DAY; day < until; day += DAY) {
    const weekday = new Date(day).getUTCDay();
    const mood = weekday === 0 || weekday === 6 ? 1.5 : 0.9;
    for (const part of parts) {
      if (!random.chance(Math.min(0.95, keenness * part.share * mood))) continue;
      const from = day + random.between(part.from, part.to) * HOUR;
      const to = from + random.between(0.3, 1) ** 2 * 3.5 * HOUR + 5 * MINUTE;
      const server = random.chance(0.7) ? favourite : random.pick(servers);
      const isFree = (stays.at(-1)?.to ?? 0) < from;
      if (isFree && from >= joined && to < last)
        stays.push({ driver, server, from, to, role: random.chance(0.7) ? role : 'civil' });
    }
  }
  if (last === until || last < joined) return stays;
  const from = Math.max(stays.at(-1)?.to ?? joined, last - random.between(0.3, 1.5) * HOUR);
  return [...stays, { driver, server: favourite, from, to: last, role: 'civil' }];
}
