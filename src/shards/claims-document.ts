/**
 * The claims of a bot's processes: one small document, which a process changes by compare-and-set, and the rules for
 * each change. Pure. All times are the store's clock in unix milliseconds.
 */
import { z } from 'zod';
import { doublePause, MINUTE, SECOND } from '../base/duration.ts';
import { declareCollection } from '../store/collection.ts';

/** The shards of a claim: all of them, or a fixed range of a number. */
const ShardRange = z.union([
  z.literal('auto'),
  z.object({ first: z.int(), last: z.int(), total: z.int() }).readonly(),
]);
export type ShardRange = z.output<typeof ShardRange>;

/** From 2⁵³ on, a number and the next one are the same. */
const ClaimNumber = z.int().max(Number.MAX_SAFE_INTEGER - 1);

const Claim = z.object({
  range: ShardRange,
  /** The id of the process. */
  holder: z.string(),
  /** The name of the holder's machine. */
  host: z.string(),
  /** The fencing token: larger than that of every earlier claim, also after the store has lost its data. */
  number: ClaimNumber,
  until: z.number(),
});
export type Claim = z.output<typeof Claim>;

const ClaimsDocument = z.object({
  /** The number of the newest claim; 0 before the first one. */
  number: ClaimNumber,
  claims: z.array(Claim).readonly(),
  /** The processes that wait for a range. */
  standbys: z.array(z.object({ range: ShardRange, holder: z.string(), until: z.number() })).readonly(),
  /** The crashes in a row, and the time of the last one. */
  crashes: z.object({ count: z.int(), at: z.number() }),
});
export type ClaimsDocument = z.output<typeof ClaimsDocument>;

export const noClaims: ClaimsDocument = { number: 0, claims: [], standbys: [], crashes: { count: 0, at: 0 } };

/** An unreadable document counts as lost: the processes claim again. */
export const claimsDocuments = declareCollection({
  name: 'shard-claims',
  schema: ClaimsDocument,
  unreadable: 'none',
  person: 'nobody',
});
export const CLAIMS_KEY = 'claims';

/** How long a claim lasts after its renewal. */
export const CLAIM_MS = 15 * SECOND;
export const RENEW_MS = CLAIM_MS / 3;

/** Wait after the second crash in a row; it doubles with each further crash. */
const CRASH_WAIT_MS = { first: 10 * SECOND, longest: 15 * MINUTE };
/** Time without a crash after which the next crash counts as the first. */
const CRASH_MEMORY_MS = 30 * MINUTE;

/** The process that changes the document, and the time. */
interface ProcessView {
  readonly me: string;
  readonly host: string;
  readonly range: ShardRange;
  readonly now: number;
}

/** The document after a change, and what the change came to. */
export interface Change<Outcome> {
  readonly state: ClaimsDocument;
  readonly outcome: Outcome;
}

/** A process has the claim, or does not have it yet. */
type TakeOutcome =
  | { readonly kind: 'claimed'; readonly number: number }
  /** Another process holds the same range. */
  | { readonly kind: 'held'; readonly by: Claim }
  /** Another process holds a part of the range. */
  | { readonly kind: 'conflict'; readonly by: Claim }
  /** The next login waits because of the crashes before. */
  | { readonly kind: 'resting'; readonly ms: number; readonly crashes: number };

/**
 * Takes the range, or waits for it as a standby. `isAlone`: no other process can use the store, so that every claim in it
 * is that of a dead one. `mayReplace`: claims that are over count as those of dead processes; otherwise their holders
 * could not renew them, because the store was away.
 */
export function takeRange(
  document: ClaimsDocument,
  view: ProcessView & { readonly isAlone: boolean; readonly mayReplace: boolean },
): Change<TakeOutcome> {
  const { me, range, now, isAlone, mayReplace } = view;
  const corrected = withPossibleEnds(document, now);
  const otherClaims = corrected.claims.filter((claim) => claim.holder !== me && overlaps(claim.range, range));
  const heldClaim = otherClaims.find(({ until }) => !mayReplace || (until > now && !isAlone));
  if (heldClaim !== undefined) {
    const kind = isSameRange(heldClaim.range, range) ? 'held' : 'conflict';
    return {
      state: kind === 'held' ? withStandby(corrected, view) : corrected,
      outcome: { kind, by: heldClaim },
    };
  }
  const claims = corrected.claims.filter((claim) => !otherClaims.includes(claim));
  const state = otherClaims.reduce<ClaimsDocument>((result) => withCrash(result, now), {
    ...corrected,
    claims,
  });
  const ms = crashWait(state, now);
  if (ms > 0)
    return {
      state: withStandby(state, view),
      outcome: { kind: 'resting', ms, crashes: state.crashes.count },
    };
  return newClaim(state, view);
}

/** Keeps the claim for another while. A claim that the store has lost is taken again, unless another process has the range. */
export function renewClaim(
  document: ClaimsDocument,
  view: ProcessView,
): Change<
  { readonly kind: 'claimed'; readonly number: number } | { readonly kind: 'lost'; readonly to: Claim }
> {
  const { me, range, now } = view;
  const ownClaim = document.claims.find(({ holder }) => holder === me);
  if (ownClaim !== undefined) {
    const claims = document.claims.map((claim) =>
      claim === ownClaim ? { ...ownClaim, until: now + CLAIM_MS } : claim,
    );
    return { state: { ...document, claims }, outcome: { kind: 'claimed', number: ownClaim.number } };
  }
  const to = document.claims.find((claim) => overlaps(claim.range, range) && claim.until > now);
  return to === undefined ? newClaim(document, view) : { state: document, outcome: { kind: 'lost', to } };
}

/** Gives the claim back, or stops to wait for one. `crashed`: the process logged in and did not end in order. */
export function withoutProcess(
  document: ClaimsDocument,
  { me, now, crashed }: { readonly me: string; readonly now: number; readonly crashed: boolean },
): ClaimsDocument {
  const claims = document.claims.filter(({ holder }) => holder !== me);
  const standbys = document.standbys.filter(({ holder }) => holder !== me);
  const remaining = { ...document, claims, standbys };
  return crashed && claims.length < document.claims.length ? withCrash(remaining, now) : remaining;
}

/** A process waits for the range, as far as is known. */
export function hasStandby({ standbys }: ClaimsDocument, range: ShardRange, now: number): boolean {
  return standbys.some((standby) => isSameRange(standby.range, range) && standby.until > now);
}

/** Formats a range as in the setting SHARDS. */
export function rangeName(range: ShardRange): string {
  return range === 'auto' ? range : `${range.first}-${range.last}/${range.total}`;
}

/** How many processes share the bot's limits. */
export function countProcesses({ claims }: ClaimsDocument, now: number): number {
  return claims.filter(({ until }) => until > now).length;
}

function isSameRange(a: ShardRange, b: ShardRange): boolean {
  return rangeName(a) === rangeName(b);
}

/** Ranges of different totals share guilds. */
function overlaps(a: ShardRange, b: ShardRange): boolean {
  if (a === 'auto' || b === 'auto' || a.total !== b.total) return true;
  return a.first <= b.last && b.first <= a.last;
}

/** Shortens claims that were written before the clock was set back: none lasts longer than from now on. */
function withPossibleEnds(document: ClaimsDocument, now: number): ClaimsDocument {
  const latest = now + CLAIM_MS;
  if (document.claims.every(({ until }) => until <= latest)) return document;
  return {
    ...document,
    claims: document.claims.map((claim) => ({ ...claim, until: Math.min(claim.until, latest) })),
  };
}

function newClaim(
  document: ClaimsDocument,
  { me, host, range, now }: ProcessView,
): Change<{ readonly kind: 'claimed'; readonly number: number }> {
  // The clock as a lower bound: no number is used again after the store has lost its data.
  const number = Math.max(document.number + 1, now);
  const claim = { range, holder: me, host, number, until: now + CLAIM_MS };
  const claims = [...document.claims.filter(({ holder }) => holder !== me), claim];
  const standbys = document.standbys.filter(({ holder, until }) => holder !== me && until > now);
  return { state: { ...document, number, claims, standbys }, outcome: { kind: 'claimed', number } };
}

/** Written when a third of its time is over, so that a look at the document writes nothing else. */
function withStandby(document: ClaimsDocument, { me, range, now }: ProcessView): ClaimsDocument {
  const ownStandby = document.standbys.find(({ holder }) => holder === me);
  const remainingMs = (ownStandby?.until ?? now) - now;
  if (remainingMs > CLAIM_MS - RENEW_MS && remainingMs <= CLAIM_MS) return document;
  const otherStandbys = document.standbys.filter(({ holder, until }) => holder !== me && until > now);
  return { ...document, standbys: [...otherStandbys, { range, holder: me, until: now + CLAIM_MS }] };
}

function withCrash(document: ClaimsDocument, now: number): ClaimsDocument {
  const { count, at } = document.crashes;
  return { ...document, crashes: { count: now - at > CRASH_MEMORY_MS ? 1 : count + 1, at: now } };
}

/** How long the next login waits, in ms. */
function crashWait({ crashes: { count, at } }: ClaimsDocument, now: number): number {
  if (count < 2 || now - at > CRASH_MEMORY_MS) return 0;
  const wait = doublePause(CRASH_WAIT_MS, count - 2);
  return Math.min(wait, Math.max(0, at + wait - now));
}
