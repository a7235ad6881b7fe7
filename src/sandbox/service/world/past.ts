import { createRandom, type Random } from './random.ts';
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

/** What happened before the world began. */
export interface WorldPast {
  /** In order of beginning. */
  readonly stays: readonly PastStay[];
  /** When nobody watched: nothing is known of these times. */
  readonly outages: readonly { readonly from: number; readonly to: number }[];
}

const servers = ['one', 'one', 'one', 'two', 'two', 'three', 'three', 'four'] as const;
const roles = ['civil', 'civil', 'civil', 'civil', 'civil', 'cop', 'cop', 'tow', 'med'] as const;
const OUTAGES = 9;

/**
 * Everybody comes on some evenings, more often at the weekend, and stays for an hour or two; keen drivers come often.
 * Some have joined during that time, and the community grows a little.
 */
export function createPast(
  seed: number,
  drivers: readonly string[],
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

function staysOf(driver: string, random: Random, since: number, until: number): readonly PastStay[] {
  const keenness = random.between(0.15, 0.8);
  const favourite = random.pick(servers);
  const role = random.pick(roles);
  const joined = random.chance(0.3) ? random.between(since, until - 20 * DAY) : since;
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
      if (isFree && from >= joined && to < until)
        stays.push({ driver, server, from, to, role: random.chance(0.7) ? role : 'civil' });
    }
  }
  return stays;
}
