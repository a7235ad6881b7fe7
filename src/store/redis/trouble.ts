/** Faults of a Redis, and their remedies. */
import { codeOf, StartError, StoreError } from '../../base/errors.ts';

const RIGHTS = 'give it the rights listed in deploy/README.md';
const CLUSTER = 'this is a Redis Cluster, which Pitwall does not support; name a single Redis or Valkey';

/** Replies that have a cause of their own, by their beginning; a script's end with its hash. */
const REPLIES: readonly (readonly [reply: RegExp, why: string, is: 'lasting' | 'passing' | 'full'])[] = [
  [/^(?:WRONGPASS|NOAUTH|ERR AUTH)/, 'Redis rejects the user name or password; correct them', 'lasting'],
  [
    /^NOPERM .*\bkeys?\b|^ERR The user .*\bkeys\b/,
    `its user may not use the keys of Pitwall; ${RIGHTS}`,
    'lasting',
  ],
  [/^NOPERM|^ERR The user executing/, `its user may not run a command of Pitwall; ${RIGHTS}`, 'lasting'],
  [/^(?:CROSSSLOT|CLUSTERDOWN|MOVED|ASK)\b|^ERR .*cluster mode/, CLUSTER, 'lasting'],
  [/^ERR (?:invalid DB|DB index)/i, 'Redis has no database with this number; name another one', 'lasting'],
  [/^OOM/, 'Redis has no memory left; raise its maxmemory', 'full'],
  [/^MISCONF/, 'Redis cannot save to its disk; free space there', 'full'],
  [/^READONLY/, 'this Redis is a replica, which takes no writes; name the primary', 'passing'],
  [/^MASTERDOWN/, 'this Redis is a replica that has lost its primary; name the primary', 'passing'],
  [
    /^NOREPLICAS/,
    'Redis takes no writes without its replicas; start them, or lower min-replicas-to-write',
    'passing',
  ],
  [/^LOADING/, 'Redis is still loading its data; wait for it', 'passing'],
  [/^BUSY/, 'Redis is busy with a script; wait for it, or end it with SCRIPT KILL', 'passing'],
];

const TLS_ADVICE =
  'correct redis/rediss, the host or the port; a certificate of your own authority needs NODE_EXTRA_CA_CERTS=FILE';

/** Why Redis does not do what it is asked to, by the client's error; null where that says nothing in particular. */
export function troubleOf(error: unknown): {
  /** Fault; remedy. In our own words: a library's message may contain the address and the password. */
  readonly why: string;
  /** Another attempt is pointless until something has been corrected. */
  readonly lasts: boolean;
  /** Out of space. */
  readonly isFull: boolean;
} | null {
  const text = error instanceof Error ? error.message : '';
  const match = REPLIES.find(([reply]) => reply.test(text));
  if (match !== undefined) {
    const [, why, is] = match;
    const [, command] = /the '([a-z|]+)' command/.exec(text) ?? [];
    const reason = command === undefined ? why : why.replace('a command of Pitwall', command.toUpperCase());
    return { why: reason, lasts: is === 'lasting', isFull: is === 'full' };
  }
  const code = codeOf(error);
  // OpenSSL's names for a server that speaks no TLS, and for certificates that cannot be verified.
  if (/^(?:ERR_SSL|ERR_TLS|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)_/.test(code))
    return { why: `no TLS connection to Redis (${code}); ${TLS_ADVICE}`, lasts: true, isFull: false };
  return null;
}

/** Why the bot cannot start with it. `error`: of the client, or of a command. */
export function toStartError(error: unknown): StartError {
  const cause = error instanceof StoreError ? error.cause : error;
  const trouble = troubleOf(cause);
  if (trouble !== null) return new StartError(`STORE_URL: ${trouble.why}`, { mayPass: !trouble.lasts });
  const code = codeOf(cause);
  return new StartError(
    `STORE_URL: Redis cannot be reached${code === '' ? '' : ` (${code})`}; start it, or correct the host, the port or redis/rediss`,
    { mayPass: true },
  );
}
