/** Drivers who are in no list, no suggestion and no history, and drivers who are proved. */
import type { Clock } from '../../base/clock.ts';
import type { Config } from '../../base/config.ts';
import { DAY, MINUTE, SECOND } from '../../base/duration.ts';
import { createJob, startJobs } from '../../base/job.ts';
import { createListeners } from '../../base/listeners.ts';
import type { Runtime } from '../../base/runtime.ts';
import { foldName, sameSpelling } from '../../service/models/identifiers.ts';
import { retryWhileUnavailable } from '../../store/retry-while-unavailable.ts';
import type { Link, Links } from './links.ts';
import type { PrivacySettings } from './people.ts';

export type HiddenDrivers = ReturnType<typeof createHiddenDrivers>;

/**
 * A driver is hidden under every spelling that people would take for that name, since a live file may spell it otherwise.
 *
 * Anybody can link a free driver. So hiding takes nothing away that cannot come back: what is kept stays, and the
 * operator has the last word, in both directions; and a link that is not proved has to stand for a while first.
 */
export function createHiddenDrivers(
  links: Pick<Links, 'linked' | 'setPrivacy'>,
  operator: { readonly hidden: readonly string[]; readonly shown: readonly string[] },
  clock: Pick<Clock, 'now'>,
) {
  const alwaysHidden = new Set(operator.hidden.map(foldName));
  const neverHidden = new Set(operator.shown.map(foldName));
  const changes = createListeners<[]>();
  let current = knownOf([], clock.now());

  /** Reads the links. Rejects if the store fails; the last state then stays. */
  async function refresh(): Promise<void> {
    const previous = current.byThemselves;
    current = knownOf(await links.linked(), clock.now());
    if (previous.symmetricDifference(current.byThemselves).size > 0) void changes.call();
  }

  /** Returns all hidden drivers after a refresh, in the spelling of `foldName`. Rejects if the store fails. */
  async function all(): Promise<ReadonlySet<string>> {
    await refresh();
    return current.byThemselves.difference(neverHidden).union(alwaysHidden);
  }

  /** From memory; a change made by another process is known within five seconds. */
  function isHidden(username: string): boolean {
    const key = foldName(username);
    return alwaysHidden.has(key) || (current.byThemselves.has(key) && !neverHidden.has(key));
  }

  return {
    isHidden,
    /** An account has proved that this driver is theirs, and does not hide it. */
    isProved: (username: string): boolean =>
      current.proved.has(sameSpelling(username)) && !isHidden(username),
    /** The account that has proved this driver and shows its convoys with it; null: there is none. */
    findPublicAttendee: (username: string): string | null =>
      isHidden(username) ? null : (current.publicAttendees.get(sameSpelling(username)) ?? null),
    countsFrom,
    all,
    /** Drivers on whom no alert may be set, likewise: hidden ones, and those whose person forbids it. */
    unwatched: async (): Promise<ReadonlySet<string>> => (await all()).union(current.unwatched),
    isLinked: (username: string): boolean => current.linked.has(foldName(username)),
    /** Tells whether the operator decides about this driver, so that nobody else can. */
    isFixed: (username: string): boolean =>
      alwaysHidden.has(foldName(username)) || neverHidden.has(foldName(username)),
    /** Sets the privacy settings of the person's own link. False: there is no link. */
    async setPrivacy(personId: string, settings: Partial<PrivacySettings>): Promise<boolean> {
      const hasLink = await links.setPrivacy(personId, settings);
      await refresh();
      return hasLink;
    },
    refresh,
    /** Calls back each time the set of hidden drivers changes. */
    onChange: changes.listen,
  };
}

/**
 * How long a link has to stand, in ms: whoever takes a driver that is not theirs makes it vanish for everybody, which its
 * owner notices within a day, and ends with a proof.
 */
const NOTICE_MS = DAY;

/** Returns the time from which the privacy settings of a link count, in unix milliseconds. */
function countsFrom({ since, proved }: Pick<Link, 'since' | 'proved'>): number {
  return proved ?? since + NOTICE_MS;
}

/** Drivers, by the links. Those in `linked`, `byThemselves` and `unwatched` are as `foldName` spells them. */
function knownOf(all: Awaited<ReturnType<Links['linked']>>, now: number) {
  const counting = all.filter((link) => countsFrom(link) <= now);
  const proved = all.filter((link) => link.proved !== null);
  return {
    linked: foldedNames(all),
    byThemselves: foldedNames(counting.filter(({ hidden }) => hidden)),
    unwatched: foldedNames(counting.filter((link) => link.unwatched)),
    proved: new Set(proved.map(({ username }) => sameSpelling(username))),
    publicAttendees: new Map(
      proved
        .filter(({ convoysShown }) => convoysShown === true)
        .map(({ username, personId }) => [sameSpelling(username), personId]),
    ),
  };
}

function foldedNames(drivers: readonly { readonly username: string }[]): ReadonlySet<string> {
  return new Set(drivers.map(({ username }) => foldName(username)));
}

/** Intervals between refreshes, in ms: a link begins to count by the time, and another process may have hidden a driver. */
const REFRESH_INTERVAL_MS = { alone: MINUTE, withPeers: 5 * SECOND };

/**
 * Resolves once it is known which drivers are hidden; a store may be away for a moment until then. `hasPeers`: other
 * processes change links as well.
 */
export async function openHiddenDrivers(
  drivers: Config['drivers'],
  { links, hasPeers }: { readonly links: Pick<Links, 'linked' | 'setPrivacy'>; readonly hasPeers: boolean },
  { clock, log, resources }: Runtime,
): Promise<HiddenDrivers> {
  const hiddenDrivers = createHiddenDrivers(links, drivers, clock);
  await retryWhileUnavailable(hiddenDrivers.refresh, {
    clock,
    onFirstFailure: (error) =>
      log.warn({ err: error }, 'waiting for the store, which knows the hidden drivers'),
  });
  const everyMs = REFRESH_INTERVAL_MS[hasPeers ? 'withPeers' : 'alone'];
  const failed = (error: unknown): void => log.warn({ err: error }, 'hidden drivers unreadable');
  startJobs(resources, [createJob(clock, everyMs, hiddenDrivers.refresh, failed)], everyMs);
  return hiddenDrivers;
}
