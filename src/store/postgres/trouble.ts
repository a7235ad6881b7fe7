/** Faults of a PostgreSQL, and their remedies. */
import { codeOf, StartError, StoreError } from '../../base/errors.ts';

export const TOO_OLD = 'STORE_URL: this PostgreSQL is older than 14; update it';
export const POOLER =
  'STORE_URL: a pooler such as pgbouncer answers here, and locks mean nothing behind it; name the PostgreSQL itself';

const TLS_ADVICE =
  'correct sslmode, the host or the port; a certificate of your own authority needs NODE_EXTRA_CA_CERTS=FILE';

/** Errors by their code (https://www.postgresql.org/docs/current/errcodes-appendix.html), or by their text without one. */
const FAULTS: readonly (readonly [fault: RegExp, why: string, is: 'lasting' | 'passing' | 'full'])[] = [
  [/^28|password must be a string/, 'PostgreSQL rejects the user name or password; correct them', 'lasting'],
  [/^3D000/, 'PostgreSQL has no database of this name; create it, or name another one', 'lasting'],
  [
    /^42501/,
    'its user may not make or use the schema pitwall; make that user the owner of the database',
    'lasting',
  ],
  [/^42704/, TOO_OLD, 'lasting'],
  [/^08P01|unsupported startup parameter/, POOLER, 'lasting'],
  [
    /^(?:ERR_SSL|ERR_TLS|CERT|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED)_|not support SSL/,
    `no TLS connection to PostgreSQL; ${TLS_ADVICE}`,
    'lasting',
  ],
  [/^53100/, 'the disk of PostgreSQL is full; free space there', 'full'],
  [/^53/, 'PostgreSQL has no memory or connection left; raise its limits', 'passing'],
  [/^25006/, 'this PostgreSQL takes no writes; name the primary', 'passing'],
  [/^57P0/, 'PostgreSQL stops or starts; wait for it', 'passing'],
  [/^(?:57014|55P03)/, 'PostgreSQL takes longer than three seconds for a statement', 'passing'],
];

function faultOf(error: unknown) {
  const text = codeOf(error) || (error instanceof Error ? error.message : '');
  return FAULTS.find(([fault]) => fault.test(text)) ?? null;
}

/** Error for the caller of a statement, in our own words: the database's may hold the address, or what people stored. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const [, why, is] = faultOf(error) ?? [];
  const code = codeOf(error);
  const reason =
    why?.replace(/^STORE_URL: /, '') ?? `PostgreSQL does not answer${code === '' ? '' : ` (${code})`}`;
  return new StoreError(reason, { cause: error, trouble: is === 'full' ? 'full' : 'away' });
}

/** Why the bot cannot start with it. */
export function toStartError(error: unknown): StartError {
  if (error instanceof StartError) return error;
  const cause = error instanceof StoreError ? (error.cause ?? error) : error;
  const [, why, is] = faultOf(cause) ?? [];
  const remedy = why === undefined && cause !== error ? '; start it, or correct the host or the port' : '';
  return new StartError(`STORE_URL: ${toStoreError(error).message}${remedy}`, { mayPass: is !== 'lasting' });
}
