import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { codeOf } from '../../base/errors.ts';
import { headerOf } from './response-headers.ts';

/** A response body as decoded. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'page' | 'empty' }
  /** Unreadable before JSON parsing; `detail` says how, in our words. */
  | { readonly kind: 'garbled'; readonly detail: string };

const KIB = 1024;
/**
 * Largest body in bytes, on the wire and unpacked: a file that is read every second, and an answer to a request with the key. A
 * full server's live file has 15 KiB; a profile with hundreds of cars has 200. A body is searched for the key, parsed and read
 * as a whole, and nobody is answered meanwhile: at 512 KiB that takes about 15 ms, at 2 MiB 60.
 */
export const MAX_BYTES = { file: 512 * KIB, answer: 1024 * KIB } as const;
/**
 * Maximum nesting of lists and objects. A record needs six; thousands would overflow the stack of anything that
 * walks through it.
 */
const MAX_DEPTH = 64;

function tooLarge(maxBytes: number): Body {
  return { kind: 'garbled', detail: `a body of more than ${maxBytes / KIB} KiB` };
}

const inflaters = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer | Body> {
  if (encoding === '' || encoding === 'identity' || packed.length === 0) return packed;
  const inflater = inflaters.get(encoding);
  if (inflater === undefined) return { kind: 'garbled', detail: 'an encoding that was not asked for' };
  try {
    return await inflater(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(maxBytes)
      : { kind: 'garbled', detail: 'a body that cannot be unpacked' };
  }
}

/** By their codes: a string for each character of a live file would take longer than to parse it. */
const SIGNS = { quote: 34, bracket: 91, backslash: 92, bracketEnd: 93, brace: 123, braceEnd: 125 };

/** Counts brackets outside strings. The result means nothing for text that is not JSON. */
function isNestedDeeply(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    if (unit === SIGNS.backslash) at += 1;
    else if (unit === SIGNS.quote) inString = !inString;
    else if (inString) continue;
    else if (unit === SIGNS.brace || unit === SIGNS.bracket) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (unit === SIGNS.braceEnd || unit === SIGNS.bracketEnd) depth -= 1;
  }
  return false;
}

function parse(text: string): Body {
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty' };
  if (trimmed.startsWith('<')) return { kind: 'page' };
  if (isNestedDeeply(trimmed)) return { kind: 'garbled', detail: 'a body that is nested too deeply' };
  try {
    const value: unknown = JSON.parse(trimmed);
    return { kind: 'json', value };
  } catch {
    // A sentence and a broken or truncated record differ in how they begin and how long they are.
    const sentence = trimmed.length <= 500 && !/^[[{"]/.test(trimmed);
    return sentence
      ? { kind: 'text', text: trimmed }
      : { kind: 'garbled', detail: 'a body that is not JSON' };
  }
}

/**
 * Reads, unpacks and classifies a body; `clean` gets its text before anything is parsed. Rejects where the
 * connection fails.
 */
export async function readBody(
  { body, headers }: Dispatcher.ResponseData,
  clean: (text: string) => string,
  maxBytes: number,
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const arriving: AsyncIterable<Uint8Array> = body;
  for await (const chunk of arriving) {
    size += chunk.length;
    // Leaving the loop destroys the body and its connection.
    if (size > maxBytes) return tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const encoding = (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase();
  const unpacked = await unpack(Buffer.concat(chunks), encoding, maxBytes);
  return Buffer.isBuffer(unpacked) ? parse(clean(decode(unpacked, headers))) : unpacked;
}

/**
 * JSON is UTF-8, whatever a web server says of every file by default; only what cannot be is what it says. The decoder
 * drops a byte order mark, common in files written by PHP.
 */
function decode(bytes: Buffer, headers: Dispatcher.ResponseData['headers']): string {
  const [, statedCharset = 'utf-8'] =
    /charset\s*=\s*"?([\w:.-]+)/i.exec(headerOf(headers, 'content-type') ?? '') ?? [];
  for (const charset of ['utf-8', statedCharset]) {
    try {
      return new TextDecoder(charset, { fatal: true }).decode(bytes);
    } catch {
      // Not in this one, or there is none of that name.
    }
  }
  return new TextDecoder().decode(bytes);
}
