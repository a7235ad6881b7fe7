import type { Body } from './response-body.ts';

interface Version {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** There are four live files. A small limit, in case someone renames them, keeps memory bounded. */
const MOST = 16;

/**
 * The last content of keyless files by path, so that a server that versions them (`ETag`, `Last-Modified`) sends a
 * file only when it has changed.
 */
export interface Revalidation {
  /** Headers that request only a newer version; empty where no version is known. */
  headers(path: string): Readonly<Record<string, string>>;
  /** The last content, for a 304 response. */
  lastBody(path: string): Body | null;
  keep(
    path: string,
    version: { readonly etag: string | null; readonly modified: string | null },
    body: Body,
  ): void;
}

export function createRevalidation(): Revalidation {
  const files = new Map<string, Version>();
  return {
    headers: (path) => files.get(path)?.headers ?? {},
    lastBody: (path) => files.get(path)?.body ?? null,
    keep(path, { etag, modified }, body) {
      files.delete(path);
      // A broken file is requested in full next time.
      if (body.kind !== 'json' || (etag === null && modified === null)) return;
      const headers = {
        ...(etag === null ? {} : { 'if-none-match': etag }),
        ...(modified === null ? {} : { 'if-modified-since': modified }),
      };
      files.set(path, { headers, body });
      const [oldest] = files.keys();
      if (files.size > MOST && oldest !== undefined) files.delete(oldest);
    },
  };
}
