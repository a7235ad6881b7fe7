import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** All of undici that the bot and the REST client use. Its index also loads `fetch`, WebSocket, cookies, caches and mocks. */
const UNDICI = `
Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));
exports.Agent = require('./lib/dispatcher/agent');
exports.Pool = require('./lib/dispatcher/pool');
exports.errors = require('./lib/core/errors');
exports.Headers = require('./lib/web/fetch/headers').Headers;
exports.FormData = require('./lib/web/fetch/formdata').FormData;
`;

/** The REST client guesses with it what a file is; ours say so. */
const MAGIC_BYTES = 'export const filetypeinfo = () => [];';

/**
 * An import of `http` reads each of its names, and one of them loads Node's own undici. The REST client imports one for
 * requests of its own, which it never makes: see `createMakeRequest`.
 */
const HTTP = [
  'import { STATUS_CODES } from "http";',
  "const { STATUS_CODES } = process.getBuiltinModule('node:http');",
] as const;

/** The emitter has a copy of Node's `inspect` for browsers. */
const INSPECT = [
  /^var require_inspect = [\s\S]*?^var import_inspect = .*$/m,
  "var import_inspect = { default: process.getBuiltinModule('node:util') };",
] as const;

/** What is in the bundle instead of entries of packages, by their paths: the rest of them takes a quarter of a start. */
export function bundledPackages(): Readonly<Record<string, string>> {
  const rest = import.meta.resolve('@discordjs/rest');
  const { resolve } = createRequire(rest);
  const emitter = fileURLToPath(import.meta.resolve('@vladfrangu/async_event_emitter'));
  return {
    [fileURLToPath(rest)]: changed(fileURLToPath(rest), ...HTTP),
    [emitter]: changed(emitter, ...INSPECT),
    [resolve('undici')]: UNDICI,
    [resolve('magic-bytes.js')]: MAGIC_BYTES,
  };
}

/** Throws where an update of the package has changed it first. */
function changed(file: string, from: string | RegExp, to: string): string {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(from, () => to);
  if (after === before) throw new Error(`${file} is another one by now: see what of it the bundle needs`);
  return after;
}
