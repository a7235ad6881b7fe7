import type { Clock } from '../../clock.ts';
import { type Fault, type RateReport, type Refusal, ServiceError } from '../../errors.ts';
import type { Call } from '../call.ts';

/** The body of one answer after it was taken off the wire, however it came. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'page' | 'empty' }
  /** Unreadable below the level of JSON; `seen` says in our words how. */
  | { readonly kind: 'garbled'; readonly detail: string };

/** One answer as the transport got it. */
export interface Arrived {
  readonly status: number;
  readonly body: Body;
  readonly rate: RateReport;
  /** Milliseconds for which something on the way has kept it (`Age`). */
  readonly heldFor: number;
}

interface Finding {
  readonly fault: Fault;
  readonly detail: string;
  readonly refusal?: Refusal;
}

/** What an answer says of itself when it is not a record: an error's message, and the status that it names. */
interface Complaint {
  readonly status: number;
  readonly message: string;
}

const complaintFields = new Set([
  'error',
  'errors',
  'errorCode',
  'errorMessage',
  'message',
  'code',
  'status',
  'statusCode',
  'success',
  'ok',
  'detail',
]);
const messageFields = ['errorMessage', 'message', 'error', 'detail', 'errors'];

/** Longer than any honest message; also bounds what the expressions below have to look at. */
const MESSAGE_LENGTH = 500;

const things = '(?:user ?names?|users?|players?|drivers?|profiles?|accounts?|cars?|vehicles?|vins?)';
/** Each leaves over what may be the name that was asked for. "Unkown user" is the service's own spelling (field notes §2). */
const unknownForms = [
  `^\\W*(?:unkn?own|no such|invalid|(?:could|can) ?not find|(?:couldn|can)['’]t find)(?: the| an?| any| such)? ${things}\\b(.*)$`,
  `^\\W*no ${things}\\b(.*?)\\b(?:found|exists?|with|named|called|by)\\b`,
  `^\\W*(?:the |this |that |requested )*${things}\\b(.*?)\\b(?:not found|(?:does not|doesn['’]t|not) exist|unkn?own|not known)\\W*$`,
].map((form) => new RegExp(form, 'is'));
const notAboutNames = /\bkey\b|token|agent/i;
const trouble =
  /data ?base|\bsql|\bquery|column|\btable|server|backend|upstream|connection|time[d ]*.?out|maintenance|unavailable|overload|internal|exception|fatal|service|try again|\bdown\b/i;
const wrongAddress = /page|route|path|url|endpoint|cannot (?:get|find \/)|method|command|file/i;
const limited =
  /rate.?limit|too many requests|requests?.{0,30}(?:limit|quota)|(?:limit|quota).{0,30}requests?|throttl/i;
/** Only of a refusal: a memory limit is exceeded as well, but that is trouble. */
const limitedIfRefused = /(?:limit|quota).{0,20}(?:exceeded|reached)|exceed\w*.{0,40}(?:limit|quota)/i;
const aboutAddress = /\bhosts?\b|\bip\b|address|\borigin\b|\bdomain\b|referr?er/i;
const refused =
  /not.{0,20}(?:authori[sz]ed|allowed|permitted)|unauthori[sz]ed|denied|forbidden|blocked|banned|\b(?:key|token)\b/i;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An error in the service's own form, or in one of the forms that are common elsewhere. */
function complaintIn(body: Body, status: number): Complaint | null {
  if (body.kind === 'text') return { status, message: body.text.slice(0, MESSAGE_LENGTH) };
  if (body.kind !== 'json') return null;
  if (typeof body.value === 'string') return { status, message: body.value.slice(0, MESSAGE_LENGTH) };
  if (!isRecord(body.value)) return null;
  const names = Object.keys(body.value);
  const complains = names.some((name) => messageFields.includes(name) || name === 'errorCode');
  if (!complains || !names.every((name) => complaintFields.has(name))) return null;
  const { errorCode, code } = body.value;
  const own = Number(errorCode ?? code);
  return {
    status: status < 400 && own >= 400 && own < 600 ? own : status,
    message: messageOf(body.value),
  };
}

function messageOf(complaint: Record<string, unknown>): string {
  for (const name of messageFields) {
    const value = complaint[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, MESSAGE_LENGTH);
    if (isRecord(value)) return messageOf(value);
  }
  return '';
}

/**
 * Whether a message says that what was asked for by name is unknown. The name may be echoed in it and may itself
 * read like trouble ("Unknown user database"), so it is taken out before trouble is looked for.
 */
function saysUnknown(message: string, call: Call): boolean {
  const [, rest] = unknownForms.map((form) => form.exec(message)).find((match) => match !== null) ?? [];
  if (rest === undefined) return false;
  const asked = Object.values(call.query).filter((value) => value.length > 1);
  const remainder = asked.reduce((text, name) => text.replaceAll(name, ' '), rest);
  return !notAboutNames.test(remainder) && !trouble.test(remainder);
}

/** For a refusal (401, 403): told apart by its message alone (field notes §2). */
function refusal(message: string, call: Call): Finding {
  if (aboutAddress.test(message) || !call.keyed) {
    return { fault: 'unauthorised', refusal: 'address', detail: 'our address is not allowed' };
  }
  return { fault: 'unauthorised', refusal: 'key', detail: 'the key is not allowed' };
}

function judgeStatus(status: number, body: Body, message: string, call: Call): Finding | null {
  const detail = `status ${status} with ${body.kind === 'garbled' ? body.detail : body.kind}`;
  const refusing = status >= 400 && status < 500;
  if (status === 429 || limited.test(message) || (refusing && limitedIfRefused.test(message))) {
    return { fault: 'over-budget', detail: 'the service says that the limit is reached' };
  }
  // A page comes from something that stands in front of the service, and says nothing of what was asked.
  if (status >= 500 || status === 408 || (refusing && body.kind === 'page'))
    return { fault: 'unavailable', detail };
  if (status === 401 || status === 403) return refusal(message, call);
  if (status === 404) {
    const nobody =
      call.named && body.kind !== 'garbled' && !wrongAddress.test(message) && !trouble.test(message);
    return { fault: nobody ? 'not-found' : 'unavailable', detail };
  }
  if (status >= 300 && (status < 400 || message === '')) return { fault: 'bad-response', detail };
  return null;
}

/** For a complaint whose status says little: 200, or 400. */
function judgeMessage(message: string, call: Call): Finding {
  if (notAboutNames.test(message) && refused.test(message)) return refusal(message, call);
  if (trouble.test(message)) return { fault: 'unavailable', detail: 'a message of trouble' };
  if (refused.test(message)) return refusal(message, call);
  return { fault: 'bad-response', detail: 'a message in place of a record' };
}

/** PHP says "nothing" in all of these ways (field notes §2). */
function isNothing(value: unknown): boolean {
  if (value === false || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A record, with the time at which it was true; or what is wrong. */
function read(call: Call, value: unknown): { readonly asOf: number | null } | Finding {
  try {
    return { asOf: call.trueAt(value) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (call.named && isNothing(value)) return { fault: 'not-found', detail: 'nothing in place of a record' };
    return { fault: 'bad-response', detail: error.detail ?? 'a body that cannot be read' };
  }
}

function judge(
  { status, body }: Arrived,
  call: Call,
): { readonly asOf: number | null; readonly value: unknown } | Finding {
  const complaint = complaintIn(body, status);
  const message = complaint?.message ?? '';
  if (call.named && saysUnknown(message, call))
    return { fault: 'not-found', detail: 'a message that it is unknown' };
  const byStatus = judgeStatus(complaint?.status ?? status, body, message, call);
  if (byStatus !== null) return byStatus;
  if (complaint !== null) return judgeMessage(message, call);
  if (body.kind === 'garbled') return { fault: 'bad-response', detail: body.detail };
  if (body.kind !== 'json') return { fault: 'bad-response', detail: `status ${status} with ${body.kind}` };
  const result = read(call, body.value);
  return 'fault' in result ? result : { asOf: result.asOf, value: body.value };
}

/** Milliseconds to wait where a refusal names no sane time itself. */
const A_MINUTE = 60_000;

/** When the limit may be over: what the refusal says, if that lies within the window; else in a minute. */
function retryAt(rate: RateReport, now: number): number {
  const window = (rate.windowSeconds ?? 3600) * 1000;
  // Reset is taken relative to the response's own clock, which may be hours away from ours.
  const untilReset = rate.reset === null || rate.date === null ? null : rate.reset * 1000 - rate.date;
  const wait = [rate.retryAfter === null ? null : rate.retryAfter * 1000, untilReset].find(
    (ms) => ms !== null && ms >= 1000 && ms <= window,
  );
  return now + (wait ?? A_MINUTE);
}

/**
 * Judges one answer by its status and its body (field notes §2, "Errors"): its JSON and the time at which it was
 * true, or a ServiceError. "Unknown" is said only when the service says it of a name that we asked for; a page,
 * an empty body or a message of trouble never becomes it.
 */
export function verdict(
  arrived: Arrived,
  call: Call,
  clock: Pick<Clock, 'now'>,
): { readonly value: unknown; readonly asOf: number | null } {
  const found = judge(arrived, call);
  if (!('fault' in found)) return found;
  const { status, rate } = arrived;
  throw new ServiceError(found.fault, {
    endpoint: call.endpoint,
    sent: 'yes',
    detail: found.detail,
    rate,
    transient: found.fault === 'unavailable' && status >= 500 && status !== 501,
    ...(found.refusal === undefined ? {} : { refusal: found.refusal }),
    ...(found.fault === 'over-budget' ? { retryAt: retryAt(rate, clock.now()) } : {}),
  });
}
