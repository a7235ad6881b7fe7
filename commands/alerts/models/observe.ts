/** The state of one watch, and how a new reading changes it. Pure. */
import { z } from 'zod';
import { MINUTE } from '../../../src/base/duration.ts';

/** The facts of one moment, as far as a watch asks. */
export interface ConditionReading {
  /** When it was true by the data's own clock, in unix milliseconds. Data that stands still is no new reading. */
  readonly at: number;
  /** The server that was read, or {@link ANYWHERE}. Where that changes, what was true before says nothing about now. */
  readonly scope: string;
  /** The conditions that are met, each by its own name: a garage has several. */
  readonly met: readonly string[];
}

/** How readings of one kind are judged. */
export interface AlertRule {
  /**
   * The longest time between two readings, in ms. After a longer one nobody knows when something became true, so that
   * it is not said. Infinite for what lasts: a car that was put up for sale yesterday still is for sale.
   */
  readonly gap: number;
  /** How long a condition must not have been met before it counts again, in ms. */
  readonly away: number;
  /** How long an alert may wait to be sent, in ms. What lasts waits as long as it is true. */
  readonly patience: number;
}

const Since = z.object({ name: z.string(), /** Unix milliseconds. */ since: z.number() });
/** `held`: Discord has not taken it yet, and certainly nobody has read it. */
const Pending = Since.extend({ held: z.boolean().optional() });

export const WatchState = z.object({
  /** Time of the last reading, in unix milliseconds; null before the first. */
  at: z.number().nullable(),
  scope: z.string(),
  /** The first of the readings that have followed each other without a gap, in unix milliseconds. */
  begun: z.number(),
  /** Met by the last reading, and by the last two. */
  before: z.array(z.string()),
  twice: z.array(z.string()),
  /** Met by two readings in a row; null until there are two. */
  known: z.array(z.string()).nullable(),
  /** When each condition ceased to be met, for as long as it must not return. */
  ended: z.array(Since),
  /** News to send, and since when. */
  pending: z.array(Pending),
});
export type WatchState = z.output<typeof WatchState>;

export const newWatchState: WatchState = {
  at: null,
  scope: '',
  begun: 0,
  before: [],
  twice: [],
  known: null,
  ended: [],
  pending: [],
};

/** Time within which news that Discord does not take is still news, in ms. What lasts waits as long as it is true. */
const HELD_PATIENCE_MS = 10 * MINUTE;

/** The scope of what is true wherever it is read next. */
export const ANYWHERE = '';
/**
 * Time for which readings from elsewhere do not count, in ms: after a start, files are read one after the other, and one of them
 * may fail first.
 */
const ELSEWHERE_DOUBT_MS = 3 * MINUTE;
/** Conditions of one watch, so that its state has a bound. Nobody repairs more cars at once. */
const MAX_CONDITIONS = 50;

/**
 * The state of a watch whose maker has just been told what is met, at `now` in unix milliseconds: none of it is news,
 * wherever it is read next.
 */
export function initialState({ met }: Pick<ConditionReading, 'met'>, now: number): WatchState {
  const few = met.slice(0, MAX_CONDITIONS);
  return { ...newWatchState, at: now, scope: ANYWHERE, before: few, known: few };
}

/**
 * A condition is met once two readings in a row meet it, and no longer met once two do not. It becomes pending when it
 * is newly met. Nothing becomes pending by the first two readings, nor by the first two after a gap: those only say how
 * things are.
 */
export function observeReading(state: WatchState, reading: ConditionReading, rule: AlertRule): WatchState {
  if (state.at !== null && reading.at <= state.at) return state;
  const { at } = reading;
  const scope = reading.scope === ANYWHERE ? state.scope : reading.scope;
  const met = reading.met.slice(0, MAX_CONDITIONS);
  const isElsewhere = state.scope !== ANYWHERE && scope !== state.scope;
  if (state.at !== null && isElsewhere && at - state.at <= ELSEWHERE_DOUBT_MS) return state;
  if (state.at === null || at - state.at > rule.gap || isElsewhere)
    return {
      ...newWatchState,
      at,
      scope: reading.scope,
      begun: at,
      before: met,
      // A gap leaves open when something became true, and that is known of what Discord has not taken yet.
      pending: state.pending.filter(({ name, held }) => held === true && met.includes(name)),
    };
  const confirmedNames = met.filter((name) => state.before.includes(name));
  if (state.known === null)
    return { ...state, at, scope, before: met, twice: confirmedNames, known: confirmedNames };
  return {
    ...state,
    at,
    scope,
    before: met,
    twice: confirmedNames,
    ...changes(state, state.at, state.known, { at, met, twice: confirmedNames }, rule),
  };
}

/** `last`: when the reading before this one was, with which whatever changes now has begun to change. */
function changes(
  { before, ended, pending, begun }: WatchState,
  last: number,
  known: readonly string[],
  { at, met, twice }: Record<'met' | 'twice', readonly string[]> & { readonly at: number },
  { away }: AlertRule,
): Pick<WatchState, 'known' | 'ended' | 'pending'> {
  const isStill = (name: string): boolean => met.includes(name) || before.includes(name);
  const wasAway = (name: string): boolean =>
    last - (ended.find((one) => one.name === name)?.since ?? begun) >= away;
  const news = twice.filter((name) => !known.includes(name));
  const now = [...known.filter(isStill), ...news].slice(0, MAX_CONDITIONS);
  const endedNames = known.filter((name) => !isStill(name)).map((name) => ({ name, since: last }));
  return {
    known: now,
    ended: [...ended, ...endedNames].filter(({ name, since }) => !now.includes(name) && at - since < away),
    pending: [
      ...pending.filter(({ name }) => now.includes(name)),
      ...news.filter(wasAway).map((name) => ({ name, since: at })),
    ],
  };
}

/**
 * The state by a clock that has been set back since: what was read before counts as read at `now` (unix milliseconds).
 * Otherwise no reading would be a newer one until the clock is where it was.
 */
export function notAhead(state: WatchState, now: number): WatchState {
  if (state.at === null || state.at <= now) return state;
  const aheadMs = state.at - now;
  const earlier = <One extends z.output<typeof Since>>(all: readonly One[]) =>
    all.map((one) => ({ ...one, since: one.since - aheadMs }));
  return {
    ...state,
    at: now,
    begun: state.begun - aheadMs,
    ended: earlier(state.ended),
    pending: earlier(state.pending),
  };
}

/** The news that may be sent now: pending for no longer than it may wait, and true by the last two readings. */
export function findSayable({ pending, twice }: WatchState, now: number, rule: AlertRule): readonly string[] {
  return pending.filter((one) => twice.includes(one.name) && maySay(one, now, rule)).map(({ name }) => name);
}

function maySay(
  { since, held = false }: WatchState['pending'][number],
  now: number,
  { patience }: AlertRule,
): boolean {
  return now - since <= (held ? Math.max(patience, HELD_PATIENCE_MS) : patience);
}

/** The state while these wait for Discord to take them. */
export function withHeld(state: WatchState, names: readonly string[]): WatchState {
  const pending = state.pending.map((one) => (names.includes(one.name) ? { ...one, held: true } : one));
  return { ...state, pending };
}

/** Tells whether some of its news waits for Discord to take it. */
export function isHeld({ pending }: WatchState): boolean {
  return pending.some(({ held }) => held === true);
}

/** The state once these have been said; whatever has waited for too long is dropped as well. */
export function withoutPending(
  state: WatchState,
  said: readonly string[],
  now: number,
  rule: AlertRule,
): WatchState {
  const pending = state.pending.filter((one) => !said.includes(one.name) && maySay(one, now, rule));
  return pending.length === state.pending.length ? state : { ...state, pending };
}
