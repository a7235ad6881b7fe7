/** The drivers who were there, by what history recorded. Pure. */
import { MINUTE } from '../base/duration.ts';
import type { Convoy } from '../service/models/convoy.ts';
import type { Counts, Session, Stretch } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';

/** Whoever was on the server for less only looked in, in ms. */
const THERE = 10 * MINUTE;
/** Holes that a result names; more would be a list. */
const HOLES = 20;

export function attendance(
  {
    span,
    names,
    counts,
    usual,
    signedUp,
    sessionsOf,
  }: {
    readonly span: Stretch;
    /** Live files name drivers; null: it is not known. */
    readonly names: boolean | null;
    /** Of the convoy's server. */
    readonly counts: Counts;
    /** Drivers there in such an hour; null: not known. */
    readonly usual: number | null;
    readonly signedUp: readonly {
      readonly person: string;
      readonly username: string;
      readonly isHidden: boolean;
    }[];
    /** The sessions of each driver, by `sameSpelling`. */
    readonly sessionsOf: ReadonlyMap<string, readonly Session[]>;
  },
  server: string,
): NonNullable<Convoy['result']> {
  const points = counts.points.filter(({ at }) => at >= span.from - counts.step && at < span.to);
  const within = ({ from, to }: Stretch): number => Math.min(to, span.to) - Math.max(from, span.from);
  const wasThere = ({ username }: { readonly username: string }): boolean =>
    (sessionsOf.get(sameSpelling(username)) ?? [])
      .filter((one) => one.server === server)
      .reduce((sum, one) => sum + Math.max(0, within(one)), 0) >= THERE;
  const visible = signedUp.filter(({ isHidden }) => !isHidden);
  return {
    there: visible.filter(wasThere).map(({ person, username }) => ({ person, username })),
    hidden: signedUp.length - visible.length,
    peak: points.length === 0 ? null : Math.max(...points.map(({ most }) => most)),
    known: names === true && points.length > 0,
    holes: holesIn(counts, span).slice(0, HOLES),
    usual,
  };
}

/** When nothing was known, the beginning and the end among it. */
function holesIn({ holes, since, until }: Counts, { from, to }: Stretch): { from: number; to: number }[] {
  if (since === null || until === null) return [{ from, to }];
  const all = [{ from, to: since }, ...holes, { from: until, to }];
  return all
    .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }))
    .filter((one) => one.to - one.from >= MINUTE);
}
