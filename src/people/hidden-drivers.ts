/** Drivers who are in no list, no suggestion and no history. */
import { foldName } from '../text/fold-name.ts';
import type { Links } from './links.ts';

export interface HiddenDrivers {
  /** From memory; a change made by another process is known within a minute. */
  isHidden(username: string): boolean;
  isLinked(username: string): boolean;
  /** All of them as they are now, in the spelling of `foldName`. Rejects where the store fails. */
  all(): Promise<ReadonlySet<string>>;
  /** Whether the operator decides about this driver, so that nobody else can. */
  isFixed(username: string): boolean;
  /** Hides the driver of the person's own link, or shows it again. False: there is no link. */
  hide(personId: string, hidden: boolean): Promise<boolean>;
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
  links: Pick<Links, 'linked' | 'hide'>,
  operator: { readonly hidden: readonly string[]; readonly shown: readonly string[] },
): HiddenDrivers {
  const always = new Set(operator.hidden.map(foldName));
  const never = new Set(operator.shown.map(foldName));
  const listeners = new Set<() => void>();
  let linked: ReadonlySet<string> = new Set();
  let byThemselves: ReadonlySet<string> = new Set();

  async function refresh(): Promise<void> {
    const all = await links.linked();
    const before = byThemselves;
    linked = new Set(all.map(({ username }) => foldName(username)));
    byThemselves = new Set(all.filter(({ hidden }) => hidden).map(({ username }) => foldName(username)));
    if (before.symmetricDifference(byThemselves).size > 0) for (const changed of listeners) changed();
  }

  return {
    isHidden(username) {
      const key = foldName(username);
      return always.has(key) || (byThemselves.has(key) && !never.has(key));
    },
    async all() {
      await refresh();
      return byThemselves.difference(never).union(always);
    },
    isLinked: (username) => linked.has(foldName(username)),
    isFixed: (username) => always.has(foldName(username)) || never.has(foldName(username)),
    async hide(personId, hidden) {
      const done = await links.hide(personId, hidden);
      await refresh();
      return done;
    },
    refresh,
    onChange: (changed) => void listeners.add(changed),
  };
}
