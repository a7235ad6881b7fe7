import { z } from 'zod';
import { isNearby } from './address.ts';

/** Where a PostgreSQL is, and as whom to use it. */
export interface PostgresAddress {
  /** Name, address, or folder of its socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Null: the server asks for none. */
  readonly password: string | null;
  readonly database: string;
  /** Encrypted, with a certificate that can be verified. */
  readonly isEncrypted: boolean;
}

/** Place of all persistent data. */
export type StorePlace =
  /** Path of the database file, relative to the working directory or absolute. */
  | { readonly kind: 'sqlite'; readonly file: string }
  /** `secrets`: the password, as written in the URL, and decoded if that differs. */
  | { readonly kind: 'postgres'; readonly address: PostgresAddress; readonly secrets: readonly string[] };

const MOVE =
  'names Redis, which this version does not speak; with version 2.0.0, stop the bots, run npm run move -- FILE, and set STORE_URL=sqlite://FILE';

export const StorePlace = z.string().transform((text, context): StorePlace => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const file = /^sqlite:\/\/(?<path>.+)$/.exec(text)?.groups?.['path'];
  if (file?.startsWith(':memory:') === true) return refuse('names no file, so that all would be lost');
  if (file?.startsWith('~') === true)
    return refuse('begins with ~, which only a shell reads; write the whole path');
  if (file !== undefined) return { kind: 'sqlite', file };
  if (/^rediss?:\/\//i.test(text)) return refuse(MOVE);
  if (!/^postgres(?:ql)?:\/\//i.test(text))
    return refuse('is neither a sqlite:// URL with a path nor a postgres:// URL');
  const url = URL.parse(text);
  if (text.includes('@') && (url === null || isSplit(url) || isMalformed(url)))
    return refuse(
      'holds special characters in its password; write them percent-encoded: %2F for /, %23 for #, %3F for ?, %25 for %',
    );
  const database = url === null ? null : decodePercent(url.pathname.slice(1));
  const user = url === null ? null : decodePercent(url.username);
  const password = url === null ? null : decodePercent(url.password);
  if (url === null || !url.hostname || !database || !user || password === null)
    return refuse('is not a postgres:// URL with a user, a host and a database');
  const { sslmode = null, host = url.hostname, ...others } = Object.fromEntries(url.searchParams);
  if (url.hash !== '' || Object.keys(others).length > 0)
    return refuse('holds a fragment, or a parameter other than sslmode and host');
  if (!/^(?:disable|require|verify-ca|verify-full)$/.test(sslmode ?? 'disable'))
    return refuse('holds an sslmode other than disable and verify-full');
  const isEncrypted = sslmode !== null && sslmode !== 'disable';
  // The password and people's links would be readable in transit.
  if (!isEncrypted && !isNearby(url) && !host.startsWith('/'))
    return refuse('is plain postgres:// to another network; add ?sslmode=verify-full');
  const forms = [url.password, password].filter((form) => form !== '');
  const address = {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 5432),
    user,
    database,
    isEncrypted,
  };
  return {
    kind: 'postgres',
    address: { ...address, password: password || null },
    secrets: [...new Set(forms)],
  };
});

/** Tells whether a raw character ended the password, so that the rest was read as a path. */
function isSplit({ hostname, pathname, search, hash }: URL): boolean {
  return hostname === '' || (pathname + search + hash).includes('@');
}

function isMalformed({ username, password }: URL): boolean {
  return decodePercent(username) === null || decodePercent(password) === null;
}

/** The percent-decoded text; null where it is malformed. */
function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
