/** The faults of REST: what goes wrong before a request is handled, instead of it, and after. */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, refusal } from '../api-error.ts';
import type { Faults } from '../state/faults.ts';
import { tooMany } from './rate-limits.ts';

const SLOW = 2000;
const DAY = 24 * 60 * 60_000;

/** As far as faults look at it. */
interface Looked {
  readonly method: string;
  /** Below the version. */
  readonly path: string;
  readonly files: readonly unknown[];
}

/** `lost`: the connection is closed without an answer. Each may also throw, or never end while the server runs. */
type Struck = Promise<'lost' | null>;

interface RestFaults {
  before(): Struck;
  /** Once it is authorised and counted. */
  within(request: Looked): Promise<void>;
  /** Once it has had its effect; `isOpen`: it was authorised by an interaction's token. */
  after(request: Looked, isOpen: boolean): Struck;
}

/** `closed`: the server is. */
export function createRestFaults(faults: Faults, closed: AbortSignal): RestFaults {
  return {
    async before() {
      if (faults.isOn('rest-slow')) await wait(SLOW, undefined, { signal: closed });
      if (faults.strikes('rest-lost')) return 'lost';
      if (faults.strikes('rest-500')) throw internal();
      if (faults.strikes('rate-limited')) throw tooMany(1000);
      return null;
    },
    async within({ method, path, files }) {
      if (isAboutMessages(path) && method === 'GET') {
        if (faults.strikes('read-500')) throw internal();
        if (faults.strikes('read-unanswered')) await never(closed);
      }
      if (method === 'PUT' && /\/commands$/.test(path)) {
        if (faults.strikes('publish-429')) throw tooMany(DAY);
        if (faults.strikes('publish-500')) throw internal();
      }
      if (files.length > 0 && faults.strikes('upload-refused')) throw refusal('too-large');
    },
    async after({ method, path }, isOpen) {
      if (isOpen && method !== 'GET') {
        if (faults.strikes('answer-lost')) return 'lost';
        if (faults.strikes('answer-500')) throw internal();
      }
      if (method !== 'POST' || !(isAboutMessages(path) || isFollowUp(path) || isAboutEvents(path)))
        return null;
      if (faults.strikes('post-500-after-create')) throw internal();
      if (faults.strikes('post-502-after-create')) throw new ApiError(502, 0, '502: Bad Gateway');
      if (faults.strikes('post-lost')) return 'lost';
      if (faults.strikes('post-unanswered')) await never(closed);
      return null;
    },
  };
}

function isAboutMessages(path: string): boolean {
  return /^\/channels\/\d+\/messages/.test(path);
}

function isAboutEvents(path: string): boolean {
  return /^\/guilds\/\d+\/scheduled-events/.test(path);
}

/** A message over an interaction's token, after the first response. */
function isFollowUp(path: string): boolean {
  return /^\/webhooks\/\d+\/[^/]+$/.test(path);
}

function internal(): ApiError {
  return new ApiError(500, 0, '500: Internal Server Error');
}

/** Never answers while the server runs. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the chat server was closed')), { once: true });
  });
}
