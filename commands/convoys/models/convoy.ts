/** A convoy: a drive that people plan together. Times are unix milliseconds. */
import { z } from 'zod';
import { MINUTE } from '../../../src/base/duration.ts';
import { TimeZone } from '../../../src/base/zone.ts';

/** Maximum length of the texts that people type about a convoy, in UTF-16 units. */
export const MAX_LENGTHS = { title: 80, when: 60, description: 300 } as const;
/** Maximum number of lines of a description. */
export const MAX_DESCRIPTION_LINES = 6;
export const MAX_PLACES = 200;
/** Length of a convoy in hours: at most, and if its maker names none. */
export const MAX_HOURS = 3;
export const DEFAULT_HOURS = 2;
/** Time from the reminder to the start, in ms. */
export const REMIND_BEFORE = 30 * MINUTE;

const Id = z.string().regex(/^\d{16}$/);

/** Everything that people decide about a convoy. */
const plan = {
  title: z.string().min(1).max(MAX_LENGTHS.title),
  /** Several lines, cleaned of controls; not escaped. Absent: none. */
  description: z.string().max(MAX_LENGTHS.description).optional(),
  /** As the service names it. */
  server: z.string().min(1).max(32),
  /** Time zone in which a weekly convoy keeps its time by the clock. */
  zone: TimeZone,
  hours: z.int().min(1).max(MAX_HOURS),
  /** Null: unlimited. */
  places: z.int().min(1).max(MAX_PLACES).nullable(),
  weekly: z.boolean(),
  /** Pinged once, when it is announced. */
  role: z.string().nullable(),
  /** Discord's event, which the whole server sees, although not everyone may view the channel. Absent: no. */
  eventForAll: z.boolean().optional(),
};

/** Not announced yet, or changes that are not in force. Each person has one at most. */
export const Draft = z.object({
  ...plan,
  /** Empty until one is typed and chosen: such a draft is not announced. */
  title: z.string().max(MAX_LENGTHS.title),
  server: z.string().max(32),
  /** If a convoy has this id, the draft changes that convoy. */
  id: Id,
  guild: z.string(),
  channel: z.string(),
  /** The moment that relative times count from. */
  madeAt: z.number(),
  /** The time as it was typed. */
  when: z.string().max(MAX_LENGTHS.when),
  /** Null: no time at which a convoy can begin. */
  at: z.number().nullable(),
  /** Another time zone would make `at` another moment; false for "in 2 h". Absent: true. */
  isZoned: z.boolean().optional(),
});
export type Draft = z.output<typeof Draft>;

/** Attendance by the recorded live files. */
const Result = z.object({
  /** Drivers who signed up and were there for ten minutes or longer. */
  there: z.array(z.object({ person: z.string() })).max(200),
  /** Hidden drivers who signed up: nothing is recorded of them. */
  hidden: z.int(),
  /** The most drivers at once on its server; null where that is not known. */
  peak: z.int().nullable(),
  /** Live files named the drivers. */
  known: z.boolean(),
  holes: z.array(z.object({ from: z.number(), to: z.number() })).max(20),
  /** Drivers on that server in that hour of a week; null where that is not known. */
  usual: z.number().nullable(),
});

export const Convoy = z.object({
  ...plan,
  id: Id,
  channel: z.string(),
  /** Empty for people who have had their data deleted. */
  madeBy: z.string(),
  madeAt: z.number(),
  /** Language of its card (BCP 47), and whether names have their colours. */
  locale: z.string().max(35),
  colours: z.boolean(),
  at: z.number(),
  /** The wall time there, of a later week; it is `at` but where summer time leaves it out. */
  wall: z.number().optional(),
  /** `over`: with its result; nothing about it changes any more. */
  stage: z.enum(['open', 'cancelled', 'over']),
  /** When that began. */
  since: z.number(),
  result: Result.nullable(),
  /** Discord's own event of it and what that says; null: none yet. Its id is null where it was deleted by hand. */
  event: z.object({ id: z.string().nullable(), about: z.string() }).nullable().default(null),
});
export type Convoy = z.output<typeof Convoy>;

export const SignUp = z.object({
  person: z.string(),
  /** Null for somebody who only wants to be reminded. */
  answer: z.enum(['in', 'maybe']).nullable(),
  remind: z.boolean(),
});
export type SignUp = z.output<typeof SignUp>;

/** A past convoy as it is kept. */
export const PastConvoy = Convoy.pick({ id: true, title: true, server: true, at: true, result: true }).extend(
  {
    /** Absent in results that an earlier version stored. */
    channel: z.string().optional(),
  },
);
export type PastConvoy = z.output<typeof PastConvoy>;
