import { createBoundedMap } from '../../base/bounded.ts';
import type { Body } from './response-body.ts';

interface KeptFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  failures: number;
}

/** Only what may stand in a request's header: another letter in it would make every later request fail unsent. */
const sendable = /^[\x20-\x7e]{1,512}$/;
/** After so many failures in a row a file is requested in full, in case the version itself is the reason. */
const MAX_FAILURES = 2;

/** There are four live files. A small limit, in case someone renames them, keeps memory bounded. */
const MAX_FILES = 16;

/**
 * The last content of keyless files by path, so that a server that versions them (`ETag`, `Last-Modified`) sends a
 * file only when it has changed.
 */
export function createRevalidation() {
  const files = createBoundedMap<string, KeptFile>(MAX_FILES);
  return {
    /** Headers that request only a newer version; empty where no version is known. */
    headers: (path: string): KeptFile['headers'] => files.get(path)?.headers ?? {},
    /** The last content, for a 304 response. */
    lastBody(path: string): Body | null {
      const version = files.get(path);
      if (version === undefined) return null;
      version.failures = 0;
      return version.body;
    },
    /** A request for the file failed. */
    failed(path: string): void {
      const version = files.get(path);
      if (version === undefined) return;
      version.failures += 1;
      if (version.failures >= MAX_FAILURES) files.delete(path);
    },
    /** Requests it in full next time. */
    forget: files.delete,
    /** `etag`, `modified`: its version, as the server names it; `usedBody`: the part of the content in use. */
    keep(
      path: string,
      { etag, modified }: { readonly etag: string | null; readonly modified: string | null },
      usedBody: unknown,
    ): void {
      const headers = {
        ...(etag !== null && sendable.test(etag) ? { 'if-none-match': etag } : {}),
        ...(modified !== null && sendable.test(modified) ? { 'if-modified-since': modified } : {}),
      };
      if (Object.keys(headers).length === 0) return;
      files.set(path, { headers, body: { kind: 'json', value: usedBody }, failures: 0 });
    },
  };
}
