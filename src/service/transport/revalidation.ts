import type { Body } from './response-body.ts';

interface Kept {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** There are four live files; a few more keep whoever renames them from filling the memory. */
const MOST = 16;

/**
 * What keyless files held last, by their paths, so that a server which names its versions (`ETag`, `Last-Modified`)
 * sends a file only when it has changed.
 */
export interface Revalidation {
  /** Headers that ask for a newer version only; none where no version is known. */
  headers(path: string): Readonly<Record<string, string>>;
  /** What the file held, for an answer that says it still does. */
  kept(path: string): Body | null;
  keep(
    path: string,
    version: { readonly etag: string | null; readonly modified: string | null },
    body: Body,
  ): void;
}

export function createRevalidation(): Revalidation {
  const files = new Map<string, Kept>();
  return {
    headers: (path) => files.get(path)?.headers ?? {},
    kept: (path) => files.get(path)?.body ?? null,
    keep(path, { etag, modified }, body) {
      files.delete(path);
      // A broken file is asked for anew.
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
