import type { Convoy, Draft, SignUp } from './convoy.ts';
import type { Rule } from './rule.ts';
import type { PauseReason, Watch } from './watch.ts';

/**
 * Everything stored under a person's account. `/privacy` and `/forget-me` name each of these kinds in words, which a test
 * checks. Times in unix milliseconds.
 */
export interface StoredData {
  readonly link: {
    readonly username: string;
    readonly since: number;
    readonly by: 'self' | 'administrator';
    /** Null: never. */
    readonly proved: number | null;
    readonly hidden: boolean;
    /** No alerts about this driver. */
    readonly unwatched: boolean;
    readonly convoysShown?: boolean | undefined;
  } | null;
  /** Attempts within a day to prove a link, and the latest one without the fields that let its card be edited. */
  readonly proof: {
    readonly begun: readonly number[];
    readonly latest: { readonly username: string; readonly code: string; readonly until: number } | null;
  } | null;
  /** Corrections by administrators, one per guild; `username` null: not linked there. */
  readonly corrections: readonly {
    readonly guild: string;
    readonly username: string | null;
    readonly since: number;
  }[];
  /** With what the rule of each alert remembers; null: nothing yet. */
  readonly watches: readonly (Watch & { readonly state: object | null })[];
  /** Direct messages of alerts and reminders, and notices that Discord has not taken yet, with their content. */
  readonly sent: readonly { readonly at: number; readonly settled: boolean; readonly content?: string }[];
  /** Why an alert was paused, if the person is still to be told. */
  readonly pauseNotice: PauseReason | null;
  readonly timeZone: string | null;
  /** Whether `/profile` answers the person with a picture; null: with text. */
  readonly profileAsPicture: true | null;
  /** Rules that know the person as a member of their guild, and those that the person has made. */
  readonly roles: {
    readonly known: readonly {
      readonly guild: string;
      readonly role: string;
      readonly state: string;
      readonly joined: string;
    }[];
    readonly made: readonly (Omit<Rule, 'madeBy'> & { readonly guild: string })[];
  } | null;
  /** Figures of the person's driver that rules for roles are judged by. */
  readonly figures: { readonly driver: string; readonly asOf: number } | null;
  readonly convoys: {
    readonly made: readonly (Omit<Convoy, 'madeBy' | 'result'> & { readonly guild: string })[];
    readonly draft: Draft | null;
    readonly signedUp: readonly (ConvoyIdentity & Omit<SignUp, 'person'>)[];
    readonly there: readonly ConvoyIdentity[];
  } | null;
  /** The person's live boards. */
  readonly boards: readonly { readonly guild: string; readonly channel: string; readonly since: number }[];
}

/** A convoy as its guests know it; null for what is no longer stored of it. */
interface ConvoyIdentity {
  readonly guild: string;
  readonly id: string;
  readonly title: string | null;
  readonly server: string | null;
  readonly at: number | null;
  readonly channel?: string;
}

/** What history recorded about the driver whom a person has linked. */
export interface OwnHistory {
  readonly username: string;
  /**
   * Why it outlasts the account's data: the link is young, until then (unix milliseconds), or the operator has decided that
   * nobody can hide or delete this driver. Null: it can be deleted.
   */
  readonly kept: { readonly why: 'young'; readonly until: number } | { readonly why: 'operator' } | null;
}

/** The result of a deletion. */
export interface Forgotten {
  /** The files that could not be changed. */
  readonly left: readonly string[];
  /** The driver whose history is still there; null: there is none. */
  readonly kept: { readonly username: string; readonly isFixed: boolean } | null;
}
