/**
 * The one queue of background look-ups: cars and profiles that alerts, roles and rankings want to be kept current, slowly,
 * and only those that nobody has looked up anyway. What they say arrives as an observation, as every record does.
 */
import type { Clock } from '../base/clock.ts';
import { HOUR, MINUTE, SECOND } from '../base/duration.ts';
import { orFault, ServiceError } from '../base/errors.ts';
import type { Listeners } from '../base/listeners.ts';
import { repeatEvery } from '../base/repeat-every.ts';
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
  /** How old its last record may become, in ms. */
  readonly every: number;
  /** The last record has said something new, so that the next one is wanted soon. */
  readonly isUrgent: boolean;
  /** When it was last true what is known of it, in unix milliseconds; null: nothing is known. */
  readonly knownAt: number | null;
}

/** Between two requests, in ms: at most 72 cars and 60 profiles an hour, for all who want some together. */
const SPACING: Readonly<Record<SubjectKind, number>> = { car: 50 * SECOND, profile: 60 * SECOND };
const TURN = 15 * SECOND;
/** How soon a new state is confirmed, in ms. */
const CONFIRM = MINUTE;
/** A name that the service does not know is asked for as rarely as this, in ms. */
const UNKNOWN = 12 * 60 * MINUTE;
/** After any other failure, in ms. */
const FAILED = 5 * MINUTE;
/**
 * How late, in times of its wait, a subject that was never read is from the beginning: sooner than others, but a thousand of
 * them do not hold up for a day what is wanted every five minutes. It grows by one an hour at least, so that each is read:
 * more subjects than an hour has requests are late by more than this for ever.
 */
const NEVER_READ = 10;

/** The one that has waited longest for its turn, compared with how often it is wanted; null: none is due. */
export function nextSubject<
  S extends Pick<Subject, 'every' | 'isUrgent' | 'knownAt'> & {
    /** In unix milliseconds: of two that were never read, the one that has been wanted for longer comes first. */
    readonly since: number;
  },
>(subjects: readonly S[], now: number): S | null {
  const overdue = ({ every, isUrgent, knownAt, since }: S): number =>
    knownAt === null
      ? NEVER_READ + (now - since) / Math.min(every, HOUR)
      : (now - knownAt) / (isUrgent ? CONFIRM : every);
  const due = subjects.filter((subject) => overdue(subject) >= 1);
  return due.reduce<S | null>(
    (most, one) => (most === null || overdue(one) > overdue(most) ? one : most),
    null,
  );
}

/** Key of a subject, equal for every spelling of one name. */
export function keyOf(kind: SubjectKind, name: string): string {
  return `${kind} ${sameSpelling(name)}`;
}

/** Key of the record's subject; null for one that is never looked up. */
export function keyIn({ kind, record }: Observation): string | null {
  return kind === 'live' ? null : keyOf(kind, kind === 'car' ? record.vin : record.username);
}

export interface LookUps {
  /** Asks before each turn what is wanted, until the returned function is called. */
  want(subjects: () => readonly Subject[]): () => void;
}

export function createLookUps({
  service,
  observations,
  clock,
  failed,
}: {
  readonly service: Service;
  readonly observations: Listeners<[observation: Observation, asOf: number]>;
  readonly clock: Clock;
  /** A bug. */
  readonly failed: (error: unknown) => void;
}): LookUps & { readonly stop: () => Promise<void> } {
  const wanted = new Set<() => readonly Subject[]>();
  /** By monotonic time. A start waits as well, so that no restart adds to an hour. */
  const nextAt: Record<SubjectKind, number> = {
    car: clock.monotonic() + SPACING.car,
    profile: clock.monotonic() + SPACING.profile,
  };
  const busy = new Set<SubjectKind>();
  /** Subjects whose look-up failed, until when they are left alone (monotonic). */
  const resting = new Map<string, number>();
  /** Wanted subjects: since when, and when the last record was true, in unix milliseconds; 0: none was read. */
  let heard = new Map<string, { readonly since: number; asOf: number }>();

  function note(key: string | null, asOf: number): void {
    const one = key === null ? undefined : heard.get(key);
    if (one !== undefined) one.asOf = Math.max(one.asOf, asOf);
  }

  async function ask(kind: SubjectKind, name: string, how: Ask): Promise<Answer<Observation>> {
    if (kind === 'car') {
      const answer = await service.get(car, { vin: name }, how);
      return { ...answer, record: { kind, record: answer.record } };
    }
    const answer = await service.get(profile, { username: name }, how);
    return { ...answer, record: { kind, record: answer.record } };
  }

  /** How many requests it may have cost. */
  async function lookUp({ kind, name, every, isUrgent }: Subject): Promise<number> {
    const begun = clock.now();
    const maxAge = isUrgent ? CONFIRM / 2 : every / 2;
    const answer = await orFault(ask(kind, name, { priority: 'background', maxAge }));
    const key = keyOf(kind, name);
    if (answer instanceof ServiceError || answer.stale !== null) {
      const isUnknown = answer instanceof ServiceError && answer.fault === 'not-found';
      resting.set(key, clock.monotonic() + (isUnknown ? UNKNOWN : FAILED));
      // A request that failed in a way that may pass was sent twice; an older record does not tell which way it was.
      const mayPass = answer instanceof ServiceError ? answer.transient : answer.stale === 'unavailable';
      return mayPass ? 2 : 1;
    }
    // A fetched record has been observed already; a record that another process or a person fetched may not have been.
    const isUnheard = answer.asOf > (heard.get(key)?.asOf ?? 0);
    if (isUnheard) observations.call(answer.record, answer.asOf);
    // The record may call itself something else.
    note(key, answer.asOf);
    return isUnheard && answer.asOf < begun ? 0 : 1;
  }

  async function turn(
    kind: SubjectKind,
    subjects: readonly (Subject & { readonly since: number })[],
  ): Promise<void> {
    const begun = clock.monotonic();
    const awake = subjects.filter((one) => one.kind === kind && !resting.has(keyOf(kind, one.name)));
    const subject = nextSubject(awake, clock.now());
    if (subject === null) return;
    busy.add(kind);
    try {
      nextAt[kind] = begun + SPACING[kind] * (await lookUp(subject));
    } catch (error) {
      nextAt[kind] = begun + SPACING[kind];
      failed(error);
    } finally {
      busy.delete(kind);
    }
  }

  async function work(): Promise<void> {
    const begun = clock.monotonic();
    const asked = [...wanted].flatMap((subjects) => subjects());
    const mayBegin = (kind: SubjectKind): boolean => !busy.has(kind) && begun >= nextAt[kind];
    const due = kinds.filter((kind) => mayBegin(kind) && asked.some((one) => one.kind === kind));
    if (due.length === 0) return;
    for (const [key, until] of resting) if (until <= begun) resting.delete(key);
    const before = heard;
    heard = new Map();
    const now = clock.now();
    const subjects = asked.map((one) => {
      const key = keyOf(one.kind, one.name);
      const known = heard.get(key) ?? before.get(key) ?? { since: now, asOf: 0 };
      // A time ahead comes from a clock that has been set back since.
      const since = Math.min(known.since, now);
      const heardAt = Math.min(known.asOf, now);
      heard.set(key, { since, asOf: heardAt });
      const asOf = Math.max(heardAt, one.knownAt !== null && one.knownAt <= now ? one.knownAt : 0);
      return { ...one, since, knownAt: asOf === 0 ? null : asOf };
    });
    // A slow answer of one kind holds up none of the other.
    for (const kind of due) void turn(kind, subjects);
  }

  const silence = observations.listen((observation, asOf) => note(keyIn(observation), asOf));
  const turns = repeatEvery(clock, TURN, work, failed);
  return {
    want(subjects) {
      wanted.add(subjects);
      return () => void wanted.delete(subjects);
    },
    async stop() {
      silence();
      await turns.stop();
    },
  };
}
