/** Looks up the cars and profiles that are watched, slowly, and only those that nobody has looked up anyway. */
import type { Clock } from '../base/clock.ts';
import { MINUTE, SECOND } from '../base/duration.ts';
import { orFault, ServiceError } from '../base/errors.ts';
import type { Ask, Service } from '../service/client.ts';
import { car, type Observation, profile } from '../service/endpoints.ts';
import type { Answer } from '../service/models/dated.ts';

export type SubjectKind = 'car' | 'profile';

/** What is to be looked up, for all who watch it. */
export interface Subject {
  readonly kind: SubjectKind;
  /** A VIN or a username. */
  readonly name: string;
  /** How old its last record may become, in ms. */
  readonly every: number;
  /** Whether the last record has said something new, so that the next one is wanted soon. */
  readonly isUrgent: boolean;
  /** When it was last true what is known of it, in unix milliseconds; null: nothing is known. */
  readonly knownAt: number | null;
}

/** Between two requests, in ms: at most 72 cars and 60 profiles an hour. */
const SPACING: Readonly<Record<SubjectKind, number>> = { car: 50 * SECOND, profile: 60 * SECOND };
/** How soon a new state is confirmed, in ms. */
const CONFIRM = MINUTE;
/** A name that the service does not know is asked for as rarely as this, in ms. */
const UNKNOWN = 12 * 60 * MINUTE;
/** After any other failure, in ms. */
const FAILED = 5 * MINUTE;

/** The one that has waited longest for its turn, compared with how often it is wanted; null: none is due. */
export function nextSubject<S extends Pick<Subject, 'every' | 'isUrgent' | 'knownAt'>>(
  subjects: readonly S[],
  now: number,
): S | null {
  const overdue = ({ every, isUrgent, knownAt }: S): number =>
    (now - (knownAt ?? 0)) / (isUrgent ? CONFIRM : every);
  const due = subjects.filter((subject) => overdue(subject) >= 1);
  return due.reduce<S | null>(
    (most, one) => (most === null || overdue(one) > overdue(most) ? one : most),
    null,
  );
}

/** Takes a record that was looked up. `asOf`: when it was true, in unix milliseconds. */
type Found = (observation: Observation, asOf: number) => void;

/** Looks up at most one subject of each kind, if it is its turn. Never rejects. */
export type LookUp = (subjects: readonly Subject[], found: Found) => Promise<void>;

export function createLookUps({
  service,
  clock,
  failed,
}: {
  readonly service: Service;
  readonly clock: Clock;
  /** A bug. */
  readonly failed: (error: unknown) => void;
}): LookUp {
  /** By monotonic time. A start waits as well, so that no restart adds to an hour. */
  const nextAt: Record<SubjectKind, number> = {
    car: clock.monotonic() + SPACING.car,
    profile: clock.monotonic() + SPACING.profile,
  };
  const busy = new Set<SubjectKind>();
  /** Those that failed, until when they are left alone (monotonic). */
  const resting = new Map<string, number>();

  async function ask(kind: SubjectKind, name: string, how: Ask): Promise<Answer<Observation>> {
    if (kind === 'car') {
      const answer = await service.get(car, { vin: name }, how);
      return { ...answer, record: { kind, record: answer.record } };
    }
    const answer = await service.get(profile, { username: name }, how);
    return { ...answer, record: { kind, record: answer.record } };
  }

  /** How many requests it may have cost. */
  async function lookUp({ kind, name, every, isUrgent }: Subject, found: Found): Promise<number> {
    const begun = clock.now();
    const maxAge = isUrgent ? CONFIRM / 2 : every / 2;
    const answer = await orFault(ask(kind, name, { priority: 'background', maxAge }));
    if (!(answer instanceof ServiceError)) {
      if (answer.stale === null) found(answer.record, answer.asOf);
      return answer.asOf < begun ? 0 : 1;
    }
    const rest = answer.fault === 'not-found' ? UNKNOWN : FAILED;
    resting.set(`${kind} ${name}`, clock.monotonic() + rest);
    // What fails in a way that may pass is sent twice.
    return answer.transient ? 2 : 1;
  }

  async function turn(kind: SubjectKind, subjects: readonly Subject[], found: Found): Promise<void> {
    const begun = clock.monotonic();
    if (busy.has(kind) || begun < nextAt[kind]) return;
    for (const [key, until] of resting) if (until <= begun) resting.delete(key);
    const awake = subjects.filter((one) => one.kind === kind && !resting.has(`${kind} ${one.name}`));
    const subject = nextSubject(awake, clock.now());
    if (subject === null) return;
    busy.add(kind);
    try {
      nextAt[kind] = begun + SPACING[kind] * (await lookUp(subject, found));
    } catch (error) {
      nextAt[kind] = begun + SPACING[kind];
      failed(error);
    } finally {
      busy.delete(kind);
    }
  }

  return async (subjects, found) => {
    await Promise.all([turn('car', subjects, found), turn('profile', subjects, found)]);
  };
}
