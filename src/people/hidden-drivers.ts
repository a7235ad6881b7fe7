/** Drivers who are in no list, no suggestion and no history. */
import { foldName } from '../text/fold-name.ts';
import type { Links } from './links.ts';
import type { Wishes } from './people.ts';

export interface HiddenDrivers {
  /** From memory; a change made by another process is known within a minute. */
  isHidden(username: string): boolean;
  isLinked(username: string): boolean;
  /** All of them as they are now, in the spelling of `foldName`. Rejects where the store fails. */
  all(): Promise<ReadonlySet<string>>;
  /** Those on whom no alert may be set, likewise: hidden ones, and those whose person forbids it. */
  unwatched(): Promise<ReadonlySet<string>>;
  /** Whether the operator decides about this driver, so that nobody else can. */
  isFixed(username: string): boolean;
  /** What the person wants for the driver of their own link. False: there is no link. */
  wish(personId: string, wishes: Partial<Wishes>): Promise<boolean>;
  /** Reads the links. Rejects where the store fails; what was known then stays. */
  refresh(): Promise<void>;
  /** `changed` is called each time that others are hidden than before. */
  onChange(changed: () => void): void;
}

/**
 * A driver is hidden under every spelling that people would take for that name, since a live file may spell it otherwise.
 *
 * People declare their own link, and nobody checks it. So hiding takes nothing away that cannot come back: what is
 * kept stays, and the operator has the last word, in both directions.
 */
export function createHiddenDrivers(
  links: Pick<Links, 'linked' | 'wish'>,
  operator: { readonly hidden: readonly string[]; readonly shown: readonly string[] },
): HiddenDrivers {
  const always = new Set(operator.hidden.map(foldName));
  const never = new Set(operator.shown.map(foldName));
  const listeners = new Set<() => void>();
  let linked: ReadonlySet<string> = new Set();
  let byThemselves: ReadonlySet<string> = new Set();
  let unwatched: ReadonlySet<string> = new Set();

  async function refresh(): Promise<void> {
    const all = await links.linked();
    const before = byThemselves;
    linked = foldedNames(all);
    byThemselves = foldedNames(all.filter(({ hidden }) => hidden));
    unwatched = foldedNames(all.filter((link) => link.unwatched));
    if (before.symmetricDifference(byThemselves).size > 0) for (const changed of listeners) changed();
  }

  async function all(): Promise<ReadonlySet<string>> {
    await refresh();
    return byThemselves.difference(never).union(always);
  }

  return {
    isHidden(username) {
      const key = foldName(username);
      return always.has(key) || (byThemselves.has(key) && !never.has(key));
    },
    all,
    unwatched: async () => (await all()).union(unwatched),
    isLinked: (username) => linked.has(foldName(username)),
    isFixed: (username) => always.has(foldName(username)) || never.has(foldName(username)),
    async wish(personId, wishes) {
      const done = await links.wish(personId, wishes);
      await refresh();
      return done;
    },
    refresh,
    onChange: (changed) => void listeners.add(changed),
  };
}

function foldedNames(drivers: readonly { readonly username: string }[]): ReadonlySet<string> {
  return new Set(drivers.map(({ username }) => foldName(username)));
}
