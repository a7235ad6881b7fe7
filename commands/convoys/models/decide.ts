/** The sign-ups of a convoy, and the next thing due. Pure: no clock, no store. */
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { momentOf, wallTime } from '../../../src/base/zone.ts';
import type { ConvoyView } from '../cards/convoy-card.ts';
import { type Convoy, type Draft, type PastConvoy, REMIND_BEFORE, type SignUp } from './convoy.ts';

/** Maximum sign-ups of one convoy. */
export const MAX_SIGN_UPS = 200;
/**
 * Convoys of a person, and of a Discord server: open ones, and with those that ended or were cancelled within {@link KEPT_MS}, of
 * which those without a maker count for nobody: see {@link makeRoom}.
 */
const MAX_CONVOYS = { person: 5, guild: 50, personKept: 10, guildKept: 100 } as const;
/** How long results are kept, in ms, and how many a Discord server has at most. */
const RESULT_LIMITS = { age: 400 * DAY, most: 400 };
/** How long the card of one that is over or cancelled is kept as it is, and how long a draft waits. In ms. */
const KEPT_MS = DAY;
/** Time within which the ping of a new convoy still matters, in ms. The ledger of messages remembers for longer. */
const PING_TIMEOUT_MS = DAY;
/** Records of the last minutes are stored a little later, in ms. */
const RESULT_DELAY_MS = 5 * MINUTE;

export type Press = 'in' | 'maybe' | 'out' | 'remind';

/** The sign-ups after a press; the same where it changes nothing, null where there is no room for another person. */
export function afterPress(all: readonly SignUp[], person: string, press: Press): readonly SignUp[] | null {
  const previousSignUp = all.find((one) => one.person === person);
  const otherSignUps = all.filter((one) => one !== previousSignUp);
  const { answer = null, remind = false } = previousSignUp ?? {};
  if (press === 'remind') {
    const after = { person, answer, remind: !remind };
    if (previousSignUp !== undefined)
      return answer === null && remind
        ? otherSignUps
        : all.map((one) => (one === previousSignUp ? after : one));
    return all.length >= MAX_SIGN_UPS ? null : [...all, after];
  }
  if (press === 'out') return previousSignUp === undefined ? all : otherSignUps;
  if (answer === press) return all;
  if (previousSignUp === undefined && all.length >= MAX_SIGN_UPS) return null;
  // A person who changes their answer goes to the end of the list.
  return [...otherSignUps, { person, answer: press, remind }];
}

/** People with a place, people who wait for one, in their order, and people who may come. */
export function assignPlaces({ places }: Pick<Convoy, 'places'>, all: readonly SignUp[]) {
  const wanting = all.filter(({ answer }) => answer === 'in').map(({ person }) => person);
  const most = places ?? MAX_SIGN_UPS;
  return {
    inside: wanting.slice(0, most),
    waiting: wanting.slice(most),
    maybe: all.filter(({ answer }) => answer === 'maybe').map(({ person }) => person),
  };
}

/** The state of a convoy at that moment. */
export function phaseOf({ stage, at, hours }: Convoy, now: number): ConvoyView['phase'] {
  if (stage !== 'open') return stage;
  return now < at ? 'coming' : now < at + hours * HOUR ? 'running' : 'ended';
}

/** {@link REMIND_BEFORE} it begins, or later; once it has begun nobody is reminded. */
export function isReminderDue({ stage, at }: Convoy, now: number): boolean {
  return stage === 'open' && now >= at - REMIND_BEFORE && now < at;
}

/** The role of a new convoy can be pinged: for a day, before it begins. */
export function isPingDue({ stage, role, madeAt, at }: Convoy, now: number): boolean {
  return stage === 'open' && role !== null && now < at && Math.abs(now - madeAt) < PING_TIMEOUT_MS;
}

/** True once the result of a convoy can be posted. */
export function isResultDue({ stage, at, hours }: Convoy, now: number): boolean {
  return stage === 'open' && now >= at + hours * HOUR + RESULT_DELAY_MS;
}

/**
 * Returns the time of the same convoy a week later. After a pause of the bot, the weeks that are over are left out. Where summer
 * time leaves the hour out, it is later by that.
 */
export function weekAfter(
  { zone, at, wall }: Convoy,
  now: number,
): { readonly at: number; readonly wall: number } {
  let next = wall ?? wallTime(zone, at);
  do next += 7 * DAY;
  while (momentOf(zone, next) <= now);
  return { at: momentOf(zone, next), wall: next };
}

/** Nothing of it is kept any longer but its result. */
export function isForgotten({ stage, since }: Convoy, now: number): boolean {
  return stage !== 'open' && now >= since + KEPT_MS;
}

export function isDraftOver({ madeAt }: Draft, now: number): boolean {
  return Math.abs(now - madeAt) >= KEPT_MS;
}

/** Results that are not too old; the same list where all are kept, null where none is. */
export function keptResults<All extends readonly Pick<PastConvoy, 'at'>[]>(
  all: All,
  now: number,
): All | All[number][] | null {
  const keptResultsByAge = all.filter(({ at }) => at > now - RESULT_LIMITS.age);
  return keptResultsByAge.length === all.length
    ? all
    : keptResultsByAge.length === 0
      ? null
      : keptResultsByAge;
}

/** Results with one more, newest first. */
export function withResult(all: readonly PastConvoy[], one: PastConvoy, now: number): readonly PastConvoy[] {
  const otherResults = (keptResults(all, now) ?? []).filter(({ id }) => id !== one.id);
  return [one, ...otherResults].toSorted((a, b) => b.at - a.at).slice(0, RESULT_LIMITS.most);
}

/** The reason why a draft cannot become one of these convoys. Null: it can. */
export function findRefusal(
  { id, at }: Pick<Draft, 'id' | 'at'>,
  person: string,
  all: readonly Convoy[],
  now: number,
): 'time' | 'past' | 'person-full' | 'guild-full' | 'closed' | null {
  if (at === null) return 'time';
  if (at <= now) return 'past';
  const existing = all.find((one) => one.id === id);
  if (existing !== undefined) return phaseOf(existing, now) === 'coming' ? null : 'closed';
  return quotaRefusal(person, all);
}

/** The reason why the person cannot make one more of these convoys. Null: they can. */
export function quotaRefusal(person: string, all: readonly Convoy[]): 'person-full' | 'guild-full' | null {
  const isFull = (kept: readonly Convoy[], mostOpen: number, mostKept: number): boolean =>
    kept.length >= mostKept || kept.filter(({ stage }) => stage === 'open').length >= mostOpen;
  const lasting = all.filter(({ madeBy, stage }) => madeBy !== '' || stage === 'open');
  if (isFull(lasting, MAX_CONVOYS.guild, MAX_CONVOYS.guildKept)) return 'guild-full';
  const ownConvoys = all.filter(({ madeBy }) => madeBy === person);
  return isFull(ownConvoys, MAX_CONVOYS.person, MAX_CONVOYS.personKept) ? 'person-full' : null;
}

/**
 * Convoys without a maker, whose data was deleted, give way to a new one in a full server: of the open ones the one that begins
 * last is cancelled, of those that are over or cancelled the oldest is dropped. Otherwise deleting one's data would give the
 * quota back, and one person could fill the server with convoys that nobody can cancel, or with cancelled ones for a day.
 */
export function makeRoom(
  all: readonly Convoy[],
  now: number,
): { readonly kept: readonly Convoy[]; readonly dropped: Convoy | null } {
  const unowned = all.filter(({ madeBy }) => madeBy === '');
  const isFull = all.filter(({ stage }) => stage === 'open').length >= MAX_CONVOYS.guild;
  const [last] = unowned
    .filter(({ stage, at }) => isFull && stage === 'open' && at > now)
    .toSorted((a, b) => b.at - a.at);
  const [oldest = null] = unowned
    .filter(({ stage }) => all.length >= MAX_CONVOYS.guildKept && stage !== 'open')
    .toSorted((a, b) => a.since - b.since);
  const keptConvoys = all
    .filter((one) => one !== oldest)
    .map((one): Convoy => (one === last ? { ...one, stage: 'cancelled', since: now } : one));
  return { kept: keptConvoys, dropped: oldest };
}

/** Another id for each convoy: 16 digits, of which the first are the time. The one that follows a weekly convoy is told by it. */
export function newConvoyId(now: number, chance: number): string {
  return String(Math.floor(now) * 1000 + Math.floor(chance * 1000))
    .padStart(16, '0')
    .slice(0, 16);
}
