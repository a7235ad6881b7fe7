import { awayLength, eventsAreOpen, stayLength } from './habits.ts';
import { createRandom, type Random } from './random.ts';
import { byAppeal, openServers, type Role, type Server } from './servers.ts';
import { DAY, HOUR, MINUTE, wholeSeconds } from './time.ts';

/** How far back the community's visits are known, in ms; earlier years are only sums. */
export const YEAR = 365 * DAY;
/** For so long the community has been as large as now; before, it grew. */
const GROWN = 45 * DAY;
const OUTAGES = 9;

interface PastDriver {
  /** Unix milliseconds. */
  readonly joined: number;
  /** How often the driver comes; 1 is the average. */
  readonly keenness: number;
  /** Roles that the driver may have at that time. */
  rolesAt(at: number): readonly [Role, ...Role[]];
}

/** One stay of a driver, by their place in the list, on a server. Unix milliseconds. */
export interface Visit {
  readonly driver: number;
  readonly server: Server['name'];
  readonly role: Role;
  readonly from: number;
  readonly to: number;
}

export interface Past {
  /** In order of beginning; those that end after `until` are under way. */
  readonly visits: readonly Visit[];
  /** When each driver who is away comes back. */
  readonly next: readonly number[];
}

/** One stay of a driver where everybody could see it. */
export interface PastStay {
  readonly driver: string;
  readonly server: 'one' | 'two' | 'three' | 'four';
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly role: Role;
}

/** The time before the world was first looked at. */
export interface WorldPast {
  /** Stays that are over, in order of beginning. */
  readonly stays: readonly PastStay[];
  /** Stays that go on, each up to the end of this past. */
  readonly underWay: readonly PastStay[];
  /** Periods in which nobody watched, so that nothing is known of them. */
  readonly outages: readonly { readonly from: number; readonly to: number }[];
}

/** The other servers have no live file in which anybody could have seen their drivers. */
const watched = ['one', 'two', 'three', 'four'] as const;

/** The visits that could be seen, between two times; `usernames` in the order of the drivers. */
export function seenPast(
  visits: readonly Visit[],
  usernames: readonly string[],
  { seed, since, until }: { readonly seed: number; readonly since: number; readonly until: number },
): WorldPast {
  const stays = visits.flatMap(({ driver, server: name, role, from, to }): readonly PastStay[] => {
    const server = watched.find((one) => one === name);
    const username = usernames[driver];
    if (server === undefined || username === undefined || from < since || from >= until) return [];
    return [{ driver: username, server, from, to, role }];
  });
  return {
    stays: stays.filter(({ to }) => to <= until),
    underWay: stays.filter(({ to }) => to > until).map((stay) => ({ ...stay, to: until })),
    outages: createOutages(seed, since, until),
  };
}

/** Everybody comes and goes by their habits, and finds a free slot or leaves again. */
export function createPast(seed: number, drivers: readonly PastDriver[], since: number, until: number): Past {
  const random = createRandom(seed, 'past');
  const comings = drivers.map((driver, index) => comingsOf(driver, index, random, since, until));
  const visits = seated(
    comings.flatMap(({ times }) => times).toSorted((a, b) => a.from - b.from),
    drivers,
    random,
  );
  return { visits: Object.freeze(visits), next: Object.freeze(comings.map(({ next }) => next)) };
}

/** When nobody watched: nothing is known of these times. */
function createOutages(
  seed: number,
  since: number,
  until: number,
): readonly { readonly from: number; readonly to: number }[] {
  const random = createRandom(seed, 'outages');
  // Two of them are recent, so that they can be seen in a day and in a week.
  const recent = [
    { from: until - 9 * HOUR, hours: 1 },
    { from: until - 4 * DAY, hours: 5 },
  ];
  const outages = Array.from({ length: OUTAGES }, (_outage, index) => {
    const { from, hours } = recent[index] ?? { from: random.between(since, until - 5 * DAY), hours: 8 };
    return { from, to: from + random.between(0.4, hours) * HOUR };
  });
  return outages.toSorted((a, b) => a.from - b.from);
}

type Coming = Pick<Visit, 'driver' | 'from' | 'to'>;

function comingsOf(
  { joined, keenness }: PastDriver,
  driver: number,
  random: Random,
  since: number,
  until: number,
): { readonly times: readonly Coming[]; readonly next: number } {
  /** A year ago a tenth of the visits. */
  const growth = (at: number): number =>
    Math.min(1, 0.1 + (0.9 * (at - since)) / Math.max(DAY, until - GROWN - since));
  const away = (at: number): number => awayLength(random, at, keenness * growth(at));
  const times: Coming[] = [];
  // A driver who joins drives at once.
  let from = joined >= since ? joined + MINUTE : since + wholeSeconds(away(since) * random.next());
  while (from < until) {
    const to = from + stayLength(random);
    times.push({ driver, from, to });
    from = to + away(to);
  }
  return { times, next: from };
}

/** Each on a server that has room then, by its appeal; who finds none leaves again. */
function seated(comings: readonly Coming[], drivers: readonly PastDriver[], random: Random): Visit[] {
  const places = openServers().map((server): Place => ({ ...server, ends: [] }));
  const visits: Visit[] = [];
  for (const { driver, from, to } of comings) {
    const place = byAppeal(
      random,
      places.filter((one) => isOpen(one, from)),
    );
    if (place === null) continue;
    place.ends.push(to);
    const roles = drivers[driver]?.rolesAt(from) ?? ['civil'];
    visits.push({ driver, from, to, server: place.name, role: random.pick(roles) });
  }
  return visits;
}

interface Place extends Pick<Server, 'name' | 'maxGuests' | 'appeal'> {
  /** When its guests leave; some may have left already. */
  ends: number[];
}

/** With a free slot. */
function isOpen(place: Place, at: number): boolean {
  const { name, maxGuests } = place;
  if (name === 'events' && !eventsAreOpen(at)) return false;
  if (place.ends.length >= maxGuests) place.ends = place.ends.filter((end) => end > at);
  return place.ends.length < maxGuests;
}
