import type { Clock } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { type Fault, type RateReport, type Refusal, ServiceError } from '../../base/errors.ts';
import { CLIENT_KEY } from '../budget/estimate.ts';
import { refusalPause, statedLimit } from '../budget/headers.ts';
import type { Call } from '../call.ts';
import { isWidgetOff } from '../models/chat-status.ts';
import { messageSubject, withoutNames } from './error-message.ts';
import type { Body } from './response-body.ts';

/** A response with its status, body and headers in use. */
export interface ReceivedResponse {
  readonly status: number;
  readonly body: Body;
  readonly rate: RateReport;
  /** How long an intermediary cached it (`Age`), in ms. */
  readonly heldFor: number;
}

interface Finding {
  readonly fault: Fault;
  readonly detail: string;
  readonly refusal?: Refusal;
}

interface Accepted {
  readonly value: unknown;
  /** Unix milliseconds by the service's clock; null where the record does not say. */
  readonly asOf: number | null;
}

/**
 * For a 401 or 403, or a message that says the same: whether it is about our address, the command or the key. Null for none
 * of them: something in front of the service refuses requests too, and says nothing of the key.
 */
function refusal(status: number, message: string, call: Call): Finding | null {
  const address = {
    fault: 'unauthorised',
    refusal: 'address',
    detail: 'our address is not allowed',
  } as const;
  if (messageSubject.aBug(message)) return null;
  if (messageSubject.ourAddress(message)) return address;
  const isOurs = messageSubject.ourKey(message);
  if (messageSubject.aCommand(message) && !isOurs)
    return call.keyed
      ? { fault: 'unauthorised', refusal: 'command', detail: 'this command is not allowed' }
      : address;
  // HTTP defines 401 as a refusal of credentials.
  if (!isOurs && status !== 401) return null;
  return call.keyed ? { fault: 'unauthorised', refusal: 'key', detail: 'the key is not allowed' } : address;
}

/** The service works but rejects the request: 400, 501 and the like. */
function rejection(status: number, message: string): Finding {
  const detail = `the request is rejected with status ${status}`;
  const isMissing = status === 501 || messageSubject.notImplemented(message);
  return { fault: 'rejected', refusal: isMissing ? 'not-implemented' : 'request', detail };
}

/** A status of 429 says so, or the message alone: headers beside it that deny it only shorten the pause. */
function saysLimit(status: number, message: string): boolean {
  return status === 429 || (message !== '' && messageSubject.aLimit(message, status >= 400 && status < 500));
}

function judgeStatus(
  status: number,
  { body }: ReceivedResponse,
  message: string,
  call: Call,
): Finding | null {
  const detail = `status ${status} with ${body.kind === 'garbled' ? body.detail : body.kind}`;
  if (saysLimit(status, message))
    return { fault: 'over-budget', refusal: 'limit', detail: 'the service says that the limit is reached' };
  if (messageSubject.aPublishedSentence(message)) return null;
  // An HTML page comes from something in front of the service and says nothing about the request.
  if (status >= 400 && body.kind === 'page') return { fault: 'unavailable', detail };
  if (status === 501) return rejection(status, message);
  if (status >= 500 || status === 408) return { fault: 'unavailable', detail };
  if (status === 401 || status === 403)
    return refusal(status, message, call) ?? { fault: 'unavailable', detail };
  if (status === 404) {
    const nobody =
      call.asksByName &&
      body.kind !== 'garbled' &&
      !messageSubject.wrongAddress(message) &&
      !messageSubject.trouble(message);
    return { fault: nobody ? 'not-found' : 'unavailable', detail };
  }
  if (status >= 300 && status < 400) return { fault: 'bad-response', detail };
  if (status >= 400 && message === '') return rejection(status, message);
  return null;
}

/** For an error whose status says little: 200 or 400. */
function judgeMessage(status: number, message: string, call: Call): Finding {
  const inTrouble: Finding = { fault: 'unavailable', detail: 'a message of trouble' };
  if (messageSubject.aBug(message)) return inTrouble;
  if (messageSubject.ourKey(message)) return refusal(status, message, call) ?? inTrouble;
  if (messageSubject.trouble(message)) return inTrouble;
  if (messageSubject.aRefusal(message)) return refusal(status, message, call) ?? inTrouble;
  if (status >= 400 || messageSubject.notImplemented(message)) return rejection(status, message);
  return { fault: 'bad-response', detail: 'a message in place of a record' };
}

/** All the ways in which PHP says "nothing". */
function isNothing(value: unknown): boolean {
  if (value === false || value === null) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The record and when it was true, or what is wrong with it. */
function readRecord(call: Call, value: unknown): Accepted | Finding {
  try {
    const usedBody = call.pickUsedPart(value);
    return { asOf: call.trueAt(usedBody), value: usedBody };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (call.asksByName && isNothing(value))
      return { fault: 'not-found', detail: 'nothing in place of a record' };
    return { fault: 'bad-response', detail: error.detail ?? 'a body that cannot be read' };
  }
}

function judge(arrived: ReceivedResponse, call: Call): Accepted | Finding {
  const { status, body } = arrived;
  const error = errorBody(body, status);
  // A refusal that lasts is the answer, and no outage.
  if (body.kind === 'json' && !call.asksByName && isWidgetOff(body.value))
    return readRecord(call, body.value);
  if (call.asksByName && error !== null && messageSubject.anUnknownName(error.message, call))
    return { fault: 'not-found', detail: 'a message that the name is unknown' };
  // A name that the message repeats decides nothing below.
  const message = error === null ? '' : withoutNames(error.message, call);
  const stated = error?.status ?? status;
  const byStatus = judgeStatus(stated, arrived, message, call);
  if (byStatus !== null) return byStatus;
  if (error !== null) return judgeMessage(stated, message, call);
  if (body.kind === 'garbled') return { fault: 'bad-response', detail: body.detail };
  if (body.kind !== 'json') return { fault: 'bad-response', detail: `status ${status} with ${body.kind}` };
  return readRecord(call, body.value);
}

/**
 * Judges one response by its status and body: its JSON and when it was true, or a ServiceError. "Unknown" needs the
 * service to say so about the name we asked for; an HTML page, an empty body or a message of trouble never counts
 * as that.
 */
export function classifyResponse(arrived: ReceivedResponse, call: Call, clock: Pick<Clock, 'now'>): Accepted {
  const finding = judge(arrived, call);
  if (!('fault' in finding)) return finding;
  const { status, rate } = arrived;
  throw new ServiceError(finding.fault, {
    endpoint: call.endpoint,
    sent: 'yes',
    detail: finding.detail,
    rate,
    transient: finding.fault === 'unavailable' && status >= 500,
    isMissing: finding.fault === 'unavailable' && status === 404 && !call.keyed,
    ...(finding.refusal === undefined ? {} : { refusal: finding.refusal }),
    ...retryAfter(finding.fault, rate, call, clock.now()),
  });
}

/** The longest time for which a file waits, whatever the answer says, in ms: there is no ledger to correct it. */
const MAX_FILE_PAUSE_MS = 10 * MINUTE;

/** When the same request is worth sending again, if the answer says so, or that a limit is reached. */
function retryAfter(fault: Fault, rate: RateReport, { keyed }: Call, now: number) {
  const isLimit = fault === 'over-budget';
  if (keyed) return isLimit ? { retryAt: now + refusalPause(rate, statedLimit(rate) ?? CLIENT_KEY) } : {};
  const stated = rate.retryAfter !== null && rate.retryAfter > 0 ? rate.retryAfter * SECOND : null;
  if (stated === null && !isLimit) return {};
  return { retryAt: now + Math.min(stated ?? MINUTE, MAX_FILE_PAUSE_MS) };
}

const messageFields = ['errorMessage', 'message', 'error', 'detail', 'errors'];
const fieldNames = new Set([...messageFields, 'errorCode', 'code', 'status', 'statusCode', 'success', 'ok']);

/** Longer than any real message; also limits the input of the expressions that judge it. */
const MAX_MESSAGE_LENGTH = 500;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The message of an error in the service's own form (`errorCode` and `errorMessage`, plain text) or another common form, and
 * the status it gives; null for what may be a record.
 */
function errorBody(body: Body, status: number) {
  if (body.kind === 'text') return { status, message: body.text.slice(0, MAX_MESSAGE_LENGTH) };
  if (body.kind !== 'json') return null;
  if (typeof body.value === 'string') return { status, message: body.value.slice(0, MAX_MESSAGE_LENGTH) };
  if (!isObject(body.value)) return null;
  const names = Object.keys(body.value);
  const complains = names.some((name) => messageFields.includes(name) || name === 'errorCode');
  if (!complains || !names.every((name) => fieldNames.has(name))) return null;
  const { errorCode, code } = body.value;
  const statedStatus = Number(errorCode ?? code);
  return {
    status: status < 400 && statedStatus >= 400 && statedStatus < 600 ? statedStatus : status,
    message: messageOf(body.value),
  };
}

/** Recurses as deep as the body, which the transport limits. */
function messageOf(error: Record<string, unknown>): string {
  for (const name of messageFields) {
    const value = error[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, MAX_MESSAGE_LENGTH);
    if (isObject(value)) return messageOf(value);
  }
  return '';
}
