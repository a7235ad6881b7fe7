/** How history is cut into chunks, and how long each kind is kept. All in milliseconds. */
import { DAY, HOUR, MINUTE } from '../base/duration.ts';

interface Kind {
  /** Span of one chunk in ms; an addition writes the whole chunk again. */
  readonly block: number;
  readonly keep: number;
}

/** 400 days are a year and the month to compare it with. */
const YEAR_MS = 400 * DAY;
/** Age up to which a count says something about tonight. */
export const USUAL_SPAN_MS = 56 * DAY;

export const kinds = {
  minute: { block: 2 * HOUR, keep: 2 * DAY },
  /** Ten minutes each, so that zones that are half an hour off get whole hours. */
  ten: { block: DAY, keep: USUAL_SPAN_MS + DAY },
  hour: { block: 10 * DAY, keep: YEAR_MS },
  sessions: { block: 30 * DAY, keep: YEAR_MS },
  /** Playing time of all drivers, by hour and day for the last month, and in longer blocks for all that is kept. */
  'played-hour': { block: HOUR, keep: 31 * DAY },
  'played-day': { block: DAY, keep: 31 * DAY },
  'played-block': { block: 30 * DAY, keep: YEAR_MS },
  /** Figures of profiles, of all drivers by the hour; and by driver, of those who are linked and of all others. */
  figures: { block: HOUR, keep: 31 * DAY },
  'readings-linked': { block: 30 * DAY, keep: YEAR_MS },
  'readings-other': { block: 10 * DAY, keep: 30 * DAY },
  /** Each driver's first and last figures. */
  'reading-ends': { block: 30 * DAY, keep: YEAR_MS },
  /** Prices of cars for sale, by model. */
  offers: { block: 30 * DAY, keep: 60 * DAY },
  /** When servers, and the data service, were up or down. */
  uptime: { block: 30 * DAY, keep: YEAR_MS },
  /** The recorder's own state. */
  recorder: { block: DAY, keep: YEAR_MS },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof kinds;

export const playedKinds = ['played-hour', 'played-day', 'played-block'] as const;

/** The start of the chunk that covers a moment. */
export function blockStart(kind: KindName, at: number): number {
  return Math.floor(at / kinds[kind].block) * kinds[kind].block;
}

/** The steps in which counts are kept, finest first. */
export const steps = [
  { kind: 'minute', step: MINUTE },
  { kind: 'ten', step: 10 * MINUTE },
  { kind: 'hour', step: HOUR },
] as const;
export type Step = (typeof steps)[number];
