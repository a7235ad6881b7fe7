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
 * An import of `http` reads each of its names, and one of them loads Node's own undici: an eighth of a start. The REST
 * client imports one for requests of its own, which it never makes: see `createMakeRequest`.
 */
function withoutHttp(file: string): string {
  const text = readFileSync(file, 'utf8');
  const imported = 'import { STATUS_CODES } from "http";';
  if (!text.includes(imported)) throw new Error(`${file} imports http otherwise: say here how`);
  return text.replace(imported, "const { STATUS_CODES } = process.getBuiltinModule('node:http');");
}

/** What is in the bundle instead of entries of packages, by their paths: the rest of them takes a tenth of a start. */
export function bundledPackages(): Readonly<Record<string, string>> {
  const rest = import.meta.resolve('@discordjs/rest');
  const { resolve } = createRequire(rest);
  return {
    [fileURLToPath(rest)]: withoutHttp(fileURLToPath(rest)),
    [resolve('undici')]: UNDICI,
    [resolve('magic-bytes.js')]: MAGIC_BYTES,
  };
}
