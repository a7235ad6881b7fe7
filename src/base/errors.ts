/**
 * Faults of a call to the data service. The set is closed: causes are mapped to it in
 * `service/transport/`, the catalogue has its texts, and nothing else distinguishes faults.
 *
 * - `not-found`: the service answered that there is no such player or car.
 * - `unauthorised`: the service answered and refuses us (see {@link Refusal}).
 * - `over-budget`: no request may be sent now, by our own count or the service's.
 * - `no-turn`: there is budget, but slow requests hold every connection.
 * - `store-away`: our spending cannot be recorded, so nothing is sent.
 * - `unavailable`: no answer, or one that says the service itself is in trouble.
 * - `rejected`: the service answered and does not accept the request itself (see {@link Refusal}).
 * - `bad-response`: an answer that cannot be read as what was asked for.
 */
export const faults = [
  'not-found',
  'unauthorised',
  'over-budget',
  'no-turn',
  'store-away',
  'unavailable',
  'rejected',
  'bad-response',
] as const;
export type Fault = (typeof faults)[number];

/**
 * Why the service refuses us: it rejects the key, the address that the key is used from, or this command, or grants no more
 * requests although our own count would. Why it rejects a request: as invalid (400), or because it has no such command (501).
 */
export type Refusal = 'key' | 'address' | 'command' | 'limit' | 'request' | 'not-implemented';

/**
 * Owner of the used-up part of the budget, if not all is used up: a person for the moment (`burst`) or for the window
 * (`person`), or a guild's (`guild`).
 */
export type Share = 'burst' | 'person' | 'guild';

/** A request as the service can have counted it: it never left, nobody knows, or it was answered. */
type Sent = 'no' | 'maybe' | 'yes';

/**
 * The rate-limit headers of one response as numbers, not validated: one published Reset lies three hours in the
 * past.
 */
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
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly sent: Sent;
  readonly refusal?: Refusal | null;
  readonly share?: Share | null;
  /** Unix milliseconds before which a retry is pointless. */
  readonly retryAt?: number | null;
  /** An immediate retry may help: a dropped connection or a 5xx. */
  readonly transient?: boolean;
  /** The refusal's rate-limit headers. */
  readonly rate?: RateReport | null;
  /** For the log: what happened, in our own words. Never a URL, a header or a body. */
  readonly detail?: string | null;
  readonly isMissing?: boolean;
  readonly unknownName?: string | null;
  readonly subject?: string | null;
  /** For `store-away`: it can be reached and has no room left. */
  readonly isStoreFull?: boolean;
}

/** A failed call to the data service. Carries no cause: a cause could contain the key. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly fault: Fault;
  readonly endpoint: string;
  readonly sent: Sent;
  readonly refusal: Refusal | null;
  /** For `over-budget`: whose share; null for the whole budget. */
  readonly share: Share | null;
  readonly retryAt: number | null;
  readonly transient: boolean;
  readonly rate: RateReport | null;
  readonly detail: string | null;
  /** For a keyless file: the service works, and has none of that name. */
  readonly isMissing: boolean;
  /** For `not-found`: the unknown name, as asked for and ready to show; null where it is not known. */
  readonly unknownName: string | null;
  readonly subject: string | null;
  readonly isStoreFull: boolean;

  constructor(fault: Fault, options: ServiceErrorDetail) {
    super(`${options.endpoint}: ${fault}${options.detail == null ? '' : ` (${options.detail})`}`);
    this.fault = fault;
    this.endpoint = options.endpoint;
    this.sent = options.sent;
    this.refusal = options.refusal ?? null;
    this.share = options.share ?? null;
    this.retryAt = options.retryAt ?? null;
    this.transient = options.transient ?? false;
    this.rate = options.rate ?? null;
    this.detail = options.detail ?? null;
    this.isMissing = options.isMissing ?? false;
    this.unknownName = options.unknownName ?? null;
    this.subject = options.subject ?? null;
    this.isStoreFull = options.isStoreFull ?? false;
  }
}

/** The answer, or its error as a value, for a caller that can go on without it. Bugs are still thrown. */
export async function toFault<T>(answer: Promise<T>): Promise<T | ServiceError> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** A button below a refusal that leads on: what its id says, and its label. */
interface NextStep {
  readonly command: string;
  readonly action: string;
  readonly subject: string;
  readonly label: string;
}

/** A mistake the person can correct. The message is in their language, is shown as it is and is not logged. */
export class UserError extends Error {
  override readonly name = 'UserError';
  /** Nothing is known by this name: similar ones are worth offering. Null: that is not the mistake. */
  readonly unknownName: string | null;
  readonly nextStep: NextStep | null;

  constructor(
    message: string,
    { unknownName, nextStep }: { readonly unknownName?: string; readonly nextStep?: NextStep } = {},
  ) {
    super(message);
    this.unknownName = unknownName ?? null;
    this.nextStep = nextStep ?? null;
  }
}

/**
 * The store is unreachable or refuses an operation (`away`), or is out of space (`full`). The last operation may or
 * may not have happened; a retry makes sense.
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
 * Why the bot cannot run, where its operator can fix it: a setting, a file, a right. The message says what is wrong
 * and what to do, in one line without secrets; the process ends with it.
 */
export class StartError extends Error {
  override readonly name = 'StartError';
  /**
   * How the process ends, by sysexits.h: with EX_CONFIG another start is pointless until something has been corrected,
   * with EX_TEMPFAIL it may succeed.
   */
  readonly exitCode: 78 | 75;

  constructor(message: string, { mayPass = false }: { readonly mayPass?: boolean } = {}) {
    super(message);
    this.exitCode = mayPass ? 75 : 78;
  }
}

/** The error code that Node or a library sets; empty where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** SQLite's primary result codes for a file that another program has locked, and for a full disk. */
export const SQLITE_BUSY = 5;
export const SQLITE_FULL = 13;

/** SQLite's primary result code (https://sqlite.org/rescode.html); null if the error is not SQLite's. */
export function resultCode(error: unknown): number | null {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'errcode') : undefined;
  return typeof code === 'number' ? code & 0xff : null;
}
