/**
 * The one queue of background look-ups: cars and profiles that alerts, roles and rankings want to be kept current, slowly,
 * and only those that nobody has looked up anyway. What they say arrives as an observation, as every record does.
 */
import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import { ServiceError, toFault } from '../base/errors.ts';
import { forEachInSlices } from '../base/for-each-yielding.ts';
import { createJob } from '../base/job.ts';
import type { Listeners } from '../base/listeners.ts';
import { contain } from '../base/outage.ts';
import type { Ask, Service } from './client.ts';
import { car, type Observation, profile } from './endpoints.ts';
import type { Answer } from './models/dated.ts';
import { sameSpelling } from './models/identifiers.ts';

const kinds = ['car', 'profile'] as const;
export type SubjectKind = (typeof kinds)[number];

export interface Subject {
  readonly kind: SubjectKind;
  /** A VIN or a username. */
  readonly name: string;
  /** Oldest age that its last record may reach, in ms. */
  readonly every: number;
  /** The last record brought news, so that the next one is wanted soon. */
  readonly isUrgent: boolean;
  /** Time at which the last record was true, in unix milliseconds; null: there is no record. */
  readonly knownAt: number | null;
}

interface WantedSubject extends Subject {
  readonly key: string;
  /** Since when it is wanted, in unix milliseconds. */
  readonly since: number;
}

/** Pause between two requests: at most 72 cars and 60 profiles an hour, for all features together. */
const SPACING_MS: Readonly<Record<SubjectKind, number>> = { car: 50 * SECOND, profile: 60 * SECOND };
const TURN_INTERVAL_MS = 15 * SECOND;
/** Age at which a new state is confirmed. */
const CONFIRM_MS = MINUTE;
/** Pause before a name that the service does not know is tried again. */
const UNKNOWN_RETRY_MS = 12 * 60 * MINUTE;
/** Pause after any other failure. */
const FAILURE_RETRY_MS = 5 * MINUTE;
/**
 * How late, in times of its wait, a subject that was never read is from the beginning: sooner than others, but a thousand of
 * them do not hold up for a day what is wanted every five minutes. It grows by one an hour at least, so that each is read:
 * more subjects than an hour has requests are late by more than this for ever.
 */
const NEVER_READ_URGENCY = 10;

/** Returns the subject that is most overdue, in proportion to its interval; null: none is due. */
export function nextSubject<
  S extends Pick<Subject, 'every' | 'isUrgent' | 'knownAt'> & {
    /** In unix milliseconds: of two that were never read, the one that has been wanted for longer comes first. */
    readonly since: number;
  },
>(subjects: readonly S[], now: number): S | null {
  const urgencyOf = ({ every, isUrgent, knownAt, since }: S): number =>
    knownAt === null
      ? NEVER_READ_URGENCY + (now - since) / Math.min(every, HOUR)
      : (now - knownAt) / (isUrgent ? CONFIRM_MS : every);
  const dueSubjects = subjects.filter((subject) => urgencyOf(subject) >= 1);
  return dueSubjects.reduce<S | null>(
    (latest, subject) => (latest === null || urgencyOf(subject) > urgencyOf(latest) ? subject : latest),
    null,
  );
}

/** Key of a subject, equal for every spelling of one name. */
export function keyOf(kind: SubjectKind, name: string): string {
  return `${kind} ${sameSpelling(name)}`;
}

/** Key of the record's subject; null for one that is never looked up. */
export function subjectKeyOf({ kind, record }: Observation): string | null {
  return kind === 'live' ? null : keyOf(kind, kind === 'car' ? record.vin : record.username);
}

export interface LookUps {
  /**
   * Asks before each turn what is wanted, until the returned function is called. `onFailure` is called once for several
   * failures in a row.
   */
  want(subjects: () => readonly Subject[], onFailure?: (error: unknown) => void): () => void;
}

export function createLookUps({
  service,
  observations,
  clock,
  onFailure: failed,
}: {
  readonly service: Service;
  readonly observations: Listeners<[observation: Observation, asOf: number]>;
  readonly clock: Clock;
  /** A bug. */
  readonly onFailure: (error: unknown) => void;
}): LookUps & { readonly stop: () => Promise<void> } {
  const wantedSubjects = new Set<() => Promise<readonly Subject[]>>();
  /** Monotonic time of the next request. A start waits as well, so that no restart adds to an hour. */
  const nextAt: Record<SubjectKind, number> = {
    car: clock.monotonic() + SPACING_MS.car,
    profile: clock.monotonic() + SPACING_MS.profile,
  };
  const busy = new Set<SubjectKind>();
  /** Monotonic time until which each subject whose look-up failed is left alone. */
  const resting = new Map<string, number>();
  /** Wanted subjects: since when, and the time at which the last record was true (unix milliseconds; 0: no record). */
  const observedTimes = new Map<string, { readonly since: number; asOf: number }>();

  function note(key: string | null, asOf: number): void {
    const observed = key === null ? undefined : observedTimes.get(key);
    if (observed !== undefined) observed.asOf = Math.max(observed.asOf, asOf);
  }

  async function ask(kind: SubjectKind, name: string, options: Ask): Promise<Answer<Observation>> {
    if (kind === 'car') {
      const answer = await service.get(car, { vin: name }, options);
      return { ...answer, record: { kind, record: answer.record } };
    }
    const answer = await service.get(profile, { username: name }, options);
    return { ...answer, record: { kind, record: answer.record } };
  }

  /** Reads a subject; returns the number of requests that this may have cost. */
  async function lookUp({ kind, name, key, every, isUrgent }: WantedSubject): Promise<number> {
    const startedAt = clock.now();
    const maxAge = isUrgent ? CONFIRM_MS / 2 : every / 2;
    const answer = await toFault(ask(kind, name, { priority: 'background', maxAge }));
    if (answer instanceof ServiceError || answer.stale !== null) {
      const isUnknown = answer instanceof ServiceError && answer.fault === 'not-found';
      resting.set(key, clock.monotonic() + (isUnknown ? UNKNOWN_RETRY_MS : FAILURE_RETRY_MS));
      // A request that failed in a way that may pass was sent twice; an older record does not tell which way it was.
      const mayPass = answer instanceof ServiceError ? answer.transient : answer.stale === 'unavailable';
      return mayPass ? 2 : 1;
    }
    // A fetched record has been observed already; a record that another process or a person fetched may not have been.
    const isUnheard = answer.asOf > (observedTimes.get(key)?.asOf ?? 0);
    if (isUnheard) void observations.call(answer.record, answer.asOf);
    // The record may call itself something else.
    note(key, answer.asOf);
    return isUnheard && answer.asOf < startedAt ? 0 : 1;
  }

  async function turn(kind: SubjectKind, subjects: readonly WantedSubject[]): Promise<void> {
    const startedAt = clock.monotonic();
    const awake = subjects.filter(({ kind: wanted, key }) => wanted === kind && !resting.has(key));
    const subject = nextSubject(awake, clock.now());
    if (subject === null) return;
    busy.add(kind);
    try {
      nextAt[kind] = startedAt + SPACING_MS[kind] * (await lookUp(subject));
    } catch (error) {
      nextAt[kind] = startedAt + SPACING_MS[kind];
      failed(error);
    } finally {
      busy.delete(kind);
    }
  }

  async function work(): Promise<void> {
    const startedAt = clock.monotonic();
    const currentSubjects = (await Promise.all([...wantedSubjects].map((subjects) => subjects()))).flat();
    const mayBegin = (kind: SubjectKind): boolean => !busy.has(kind) && startedAt >= nextAt[kind];
    const dueKinds = kinds.filter(
      (kind) => mayBegin(kind) && currentSubjects.some((subject) => subject.kind === kind),
    );
    if (dueKinds.length === 0) return;
    for (const [key, restingUntil] of resting) if (restingUntil <= startedAt) resting.delete(key);
    const now = clock.now();
    const subjects: WantedSubject[] = [];
    await forEachInSlices(currentSubjects, (subject) => {
      const key = keyOf(subject.kind, subject.name);
      const lastObserved = observedTimes.get(key) ?? { since: now, asOf: 0 };
      // A time ahead comes from a clock that has been set back since.
      const since = Math.min(lastObserved.since, now);
      const heardAt = Math.min(lastObserved.asOf, now);
      observedTimes.set(key, { since, asOf: heardAt });
      const knownAt = subject.knownAt !== null && subject.knownAt <= now ? subject.knownAt : 0;
      const asOf = Math.max(heardAt, knownAt);
      subjects.push({ ...subject, key, since, knownAt: asOf === 0 ? null : asOf });
    });
    const wantedKeys = new Set(subjects.map(({ key }) => key));
    for (const key of observedTimes.keys()) if (!wantedKeys.has(key)) observedTimes.delete(key);
    // A slow answer of one kind holds up none of the other.
    for (const kind of dueKinds) void turn(kind, subjects);
  }

  const silence = observations.listen((observation, asOf) => note(subjectKeyOf(observation), asOf), failed);
  const turns = createJob(clock, TURN_INTERVAL_MS, work, failed);
  void turns.start(TURN_INTERVAL_MS);
  return {
    want(subjects, onFailure = failed) {
      const contained = contain(subjects, onFailure, () => []);
      wantedSubjects.add(contained);
      return () => void wantedSubjects.delete(contained);
    },
    async stop() {
      silence();
      await turns.stop();
    },
  };
}
