/**
 * What can be wrong with an answer of the data service. The set is closed: causes are mapped to it in
 * `service/transport/`, words for it stand in the catalogue, and nowhere else is a fault told apart.
 *
 * - `not-found`: the service answered, and knows no such player or car.
 * - `unauthorised`: the service answered, and refuses us (see {@link Refusal}).
 * - `over-budget`: no request may be sent now, by our own count or by the service's.
 * - `no-turn`: there is budget, but requests that the service does not answer hold every connection.
 * - `store-away`: what we spend cannot be written down, so nothing is sent.
 * - `unavailable`: no answer, or one that says the service itself is in trouble.
 * - `rejected`: the service answered, and does not take the request itself (see {@link Refusal}).
 * - `bad-response`: an answer that cannot be read as what was asked for.
 */
export type Fault =
  | 'not-found'
  | 'unauthorised'
  | 'over-budget'
  | 'no-turn'
  | 'store-away'
  | 'unavailable'
  | 'rejected'
  | 'bad-response';

/**
 * Why the service refuses us: it does not accept the key, or not the address that the key is used from, or does not
 * allow this command. Why it rejects a request: as invalid (400), or because it has no such command (501).
 */
export type Refusal = 'key' | 'address' | 'command' | 'request' | 'not-implemented';

/**
 * Whose part of the budget is used up, where it is not the whole: a person's for the moment (`burst`) or for the
 * window (`person`), or that of all who ask from one guild (`guild`).
 */
export type Share = 'burst' | 'person' | 'guild';

/** Whether the service may have counted a request: it never left, nobody knows, or it was answered. */
export type Sent = 'no' | 'maybe' | 'yes';

/** The rate-limit headers of one response as numbers, unjudged: a published Reset lies three hours in the past. */
export interface RateReport {
  /** Requests and seconds of `X-RateLimit-Limit: 720/3600`. */
  readonly limit: number | null;
  readonly windowSeconds: number | null;
  readonly remaining: number | null;
  /** Unix seconds. */
  readonly reset: number | null;
  /** Unix milliseconds: the response's own `Date`. */
  readonly date: number | null;
  /** Seconds. */
  readonly retryAfter: number | null;
}

interface ServiceErrorDetail {
  /** Name of the endpoint row that was asked. */
  readonly endpoint: string;
  readonly sent: Sent;
  readonly refusal?: Refusal;
  readonly share?: Share;
  /** Unix milliseconds before which asking again is pointless. */
  readonly retryAt?: number;
  /** Asking once more at once may help: a dropped connection or a 5xx. */
  readonly transient?: boolean;
  /** What the refusal said of the key's budget. */
  readonly rate?: RateReport;
  /** For the log: what was seen, in our own words. Never a URL, a header or a body. */
  readonly detail?: string;
  readonly about?: string;
}

/** A question to the data service that has no answer. Carries no cause: a cause could carry the key. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly fault: Fault;
  readonly endpoint: string;
  readonly sent: Sent;
  readonly refusal: Refusal | null;
  /** Of an `over-budget`: whose share it is about; null where it is the whole budget. */
  readonly share: Share | null;
  readonly retryAt: number | null;
  readonly transient: boolean;
  readonly rate: RateReport | null;
  readonly detail: string | null;
  /** Of a `not-found`: the name that nobody has, as people may read it; null where it is not known. */
  readonly about: string | null;

  constructor(fault: Fault, given: ServiceErrorDetail) {
    super(`${given.endpoint}: ${fault}${given.detail === undefined ? '' : ` (${given.detail})`}`);
    this.fault = fault;
    this.endpoint = given.endpoint;
    this.sent = given.sent;
    this.refusal = given.refusal ?? null;
    this.share = given.share ?? null;
    this.retryAt = given.retryAt ?? null;
    this.transient = given.transient ?? false;
    this.rate = given.rate ?? null;
    this.detail = given.detail ?? null;
    this.about = given.about ?? null;
  }
}

/** The answer, or its fault as a value: for whoever has something to show without it. A bug is thrown all the same. */
export async function orFault<T>(answer: Promise<T>): Promise<T | ServiceError> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** Something the person can mend. The message is in their language, is shown as it stands and is not logged. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/**
 * The store is out of reach or does not do what it is asked (`away`), or has no room left (`full`). Whether the last
 * thing was done is not known; it is worth trying again.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly trouble: 'away' | 'full';

  constructor(
    message: string,
    { trouble = 'away', cause }: { readonly trouble?: 'away' | 'full'; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.trouble = trouble;
  }
}

/**
 * What keeps the bot from running, and whoever runs it can mend: a setting, a file, a right. The message says
 * what is wrong and what to do, in one line and without any secret; the process ends with it.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
}
