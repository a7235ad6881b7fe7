import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { codeOf } from './request-failure.ts';
import { header } from './response-headers.ts';

/** The body of one answer after it was taken off the wire, however it came. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'page' | 'empty' }
  /** Unreadable below the level of JSON; `detail` says in our words how. */
  | { readonly kind: 'garbled'; readonly detail: string };

/** Bytes of a body, on the wire and unpacked. */
const MAX_BYTES = 2 * 1024 * 1024;
/**
 * Lists and objects inside each other. A record needs six; what is nested by the thousand would overflow the stack of
 * whatever walks through it.
 */
const MAX_DEPTH = 64;

const tooLarge: Body = { kind: 'garbled', detail: 'a body of more than 2 MiB' };

const inflaters = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

async function unpack(packed: Buffer, encoding: string): Promise<Buffer | Body> {
  if (encoding === '' || encoding === 'identity' || packed.length === 0) return packed;
  const inflater = inflaters.get(encoding);
  if (inflater === undefined) return { kind: 'garbled', detail: 'an encoding that was not asked for' };
  try {
    return await inflater(packed, { maxOutputLength: MAX_BYTES });
  } catch (error) {
    return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge
      : { kind: 'garbled', detail: 'a body that cannot be unpacked' };
  }
}

/** Counts brackets outside of strings; of what is no JSON it says nothing useful, and need not. */
function isNestedDeeply(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (character === '}' || character === ']') depth -= 1;
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
    // A sentence is told from a record that is cut off or broken by how it begins and how long it is.
    const sentence = trimmed.length <= 500 && !/^[[{"]/.test(trimmed);
    return sentence
      ? { kind: 'text', text: trimmed }
      : { kind: 'garbled', detail: 'a body that is not JSON' };
  }
}

/**
 * Takes a body off the wire, unpacks it and tells what it is; `clean` gets its text before anything is read from it.
 * Rejects where the connection fails.
 */
export async function readBody(
  { body, headers }: Dispatcher.ResponseData,
  clean: (text: string) => string,
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const arriving: AsyncIterable<Uint8Array> = body;
  for await (const chunk of arriving) {
    size += chunk.length;
    // Leaving the loop destroys the body and with it the connection.
    if (size > MAX_BYTES) return tooLarge;
    chunks.push(chunk);
  }
  const encoding = (header(headers, 'content-encoding') ?? '').trim().toLowerCase();
  const unpacked = await unpack(Buffer.concat(chunks), encoding);
  // The decoder drops a byte order mark, which PHP files are prone to.
  return Buffer.isBuffer(unpacked) ? parse(clean(new TextDecoder().decode(unpacked))) : unpacked;
}
