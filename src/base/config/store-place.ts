import { z } from 'zod';
import { isNearby } from './address.ts';

/** Place of all persistent data. */
export type StorePlace =
  /** Path of the database file, relative to the working directory or absolute. */
  | { readonly kind: 'sqlite'; readonly file: string }
  /** `password`: as written in the URL, and decoded if that differs. */
  | { readonly kind: 'redis'; readonly url: string; readonly password: readonly string[] };

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
  if (!/^rediss?:\/\//i.test(text))
    return refuse('is neither a sqlite:// URL with a path nor a redis:// URL');
  const url = URL.parse(text);
  if (text.includes('@') && (url === null || isSplit(url) || isMalformed(url)))
    return refuse(
      'holds special characters in its password; write them percent-encoded: %2F for /, %23 for #, %3F for ?, %25 for %',
    );
  const password = url === null ? null : decodePercent(url.password);
  if (url === null || url.hostname === '' || password === null)
    return refuse('is not a redis:// URL with a host');
  if (/[?#]/.test(text)) return refuse('holds a query or fragment');
  if (!/^(?:\/\d{0,4})?$/.test(url.pathname)) return refuse('names a database that is not a number');
  // The password and people's links would be readable in transit.
  if (url.protocol === 'redis:' && !isNearby(url))
    return refuse('is plain redis:// to another network; use rediss://');
  const forms = [url.password, password].filter((form) => form !== '');
  return { kind: 'redis', url: url.href, password: [...new Set(forms)] };
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
