import { errors } from 'undici';
import { codeOf, type RateReport, ServiceError } from '../../base/errors.ts';

/** The reason for our own abort: the time limit. */
export const expired = Symbol('expired');

/** A failed connection means that no byte was sent. */
function failedToConnect(error: unknown): string | null {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its name was not found';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'no connection in time';
  if (/^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|ERR_TLS_CERT_)/.test(code)) {
    return 'its certificate is not valid';
  }
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'it does not speak TLS';
  if (code === 'UND_ERR_CLOSED' || code === 'UND_ERR_DESTROYED') return 'the bot is stopping';
  const connecting = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return connecting ? 'no connection' : null;
}

const dropped = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/**
 * Turns a thrown value into a ServiceError without any of its details: messages, properties and causes of many
 * undici errors contain the URL, and so the key. `answered`: the headers, if they had arrived.
 */
export function requestFailure(error: unknown, endpoint: string, answered: RateReport | null): ServiceError {
  const unconnected = answered === null ? failedToConnect(error) : null;
  if (unconnected !== null) {
    return new ServiceError('unavailable', { endpoint, sent: 'no', detail: unconnected });
  }
  const details =
    answered === null ? ({ sent: 'maybe' } as const) : ({ sent: 'yes', rate: answered } as const);
  if (error === expired)
    return new ServiceError('unavailable', { endpoint, ...details, detail: 'no answer in time' });
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new ServiceError('bad-response', { endpoint, ...details, detail: 'an answer that is not HTTP' });
  }
  const transient = dropped.has(code);
  const detail = transient ? 'the connection was dropped' : 'the connection failed';
  return new ServiceError('unavailable', { endpoint, ...details, transient, detail });
}
