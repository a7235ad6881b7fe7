import type { Body } from './response-body.ts';

/** The error message of a response that is not a record, and the status it gives. */
interface ErrorBody {
  readonly status: number;
  readonly message: string;
}

const fieldNames = new Set([
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

/** Longer than any real message; also limits the input of the expressions that judge it. */
const MESSAGE_LENGTH = 500;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * An error in the service's own form (`errorCode` and `errorMessage`, plain text) or another common form; null for
 * what may be a record.
 */
export function errorBody(body: Body, status: number): ErrorBody | null {
  if (body.kind === 'text') return { status, message: body.text.slice(0, MESSAGE_LENGTH) };
  if (body.kind !== 'json') return null;
  if (typeof body.value === 'string') return { status, message: body.value.slice(0, MESSAGE_LENGTH) };
  if (!isObject(body.value)) return null;
  const names = Object.keys(body.value);
  const complains = names.some((name) => messageFields.includes(name) || name === 'errorCode');
  if (!complains || !names.every((name) => fieldNames.has(name))) return null;
  const { errorCode, code } = body.value;
  const own = Number(errorCode ?? code);
  return { status: status < 400 && own >= 400 && own < 600 ? own : status, message: messageOf(body.value) };
}

/** Recurses as deep as the body, which the transport limits. */
function messageOf(error: Record<string, unknown>): string {
  for (const name of messageFields) {
    const value = error[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, MESSAGE_LENGTH);
    if (isObject(value)) return messageOf(value);
  }
  return '';
}
