/** Cars and profiles that the watches need. Pure. */
import { MINUTE } from '../../../src/base/duration.ts';
import { keyOf, type Subject, type SubjectKind } from '../../../src/service/look-ups.ts';
import type { Watch } from './watch.ts';
import type { WatchRecord } from './watches.ts';

/** How old a record may become before it is looked up again, in ms: of a car, of one's own, of who may be online. */
const LOOK_UP_INTERVALS_MS = { car: 10 * MINUTE, mine: 180 * MINUTE, driver: 5 * MINUTE };

/** True for a watch whose facts last, so that its state outlives a restart. */
export function isKept(watch: Watch): boolean {
  return isLookedUp(watch) || watch.condition.kind === 'outage';
}

/** Only a look-up can tell; the others are read from the polled facts. */
export function isLookedUp({ condition: { kind } }: Watch): boolean {
  return kind === 'car' || kind === 'mine';
}

/** Returns a key that all watches of one car or driver share; empty for a watch that needs neither. */
export function subjectKey(watch: Watch): string {
  const subject = subjectIn(watch);
  return subject === null ? '' : keyOf(subject.kind, subject.name);
}

/** The look-up for the watches of one key; null where none is due. */
export function findDueLookUp(watching: readonly WatchRecord[], knownAt: number | null): Subject | null {
  const [first] = watching;
  const subject = first === undefined ? null : subjectIn(first.watch);
  if (subject === null) return null;
  return {
    ...subject,
    every: Math.min(...watching.map(({ watch }) => everyOf(watch))),
    isUrgent: watching.some(isUnsettled),
    knownAt,
  };
}

/** The usual time between two look-ups of one profile of all these subjects, in ms: they take turns. */
export function turnOfProfiles(keys: readonly string[]): number {
  const profiles = keys.filter((key) => key.startsWith(keyOf('profile', '')));
  return Math.max(LOOK_UP_INTERVALS_MS.driver, profiles.length * MINUTE);
}

function subjectIn({ condition }: Watch): { readonly kind: SubjectKind; readonly name: string } | null {
  switch (condition.kind) {
    case 'car':
      return { kind: 'car', name: condition.vin };
    case 'mine':
    case 'driver':
      return { kind: 'profile', name: condition.player };
    case 'server':
    case 'duty':
    case 'outage':
      return null;
  }
}

function everyOf({ condition: { kind } }: Watch): number {
  return kind === 'car' || kind === 'mine' ? LOOK_UP_INTERVALS_MS[kind] : LOOK_UP_INTERVALS_MS.driver;
}

/** The last reading differs from what two in a row have met. */
export function isUnsettled({ state: { known, before } }: Pick<WatchRecord, 'state'>): boolean {
  return known === null || known.length !== before.length || known.some((name) => !before.includes(name));
}
