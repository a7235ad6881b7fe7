import { createRequire } from 'node:module';

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

/** What is in the bundle instead of entries of packages, by their paths: the rest of them takes a tenth of a start. */
export function bundledPackages(): Readonly<Record<string, string>> {
  const { resolve } = createRequire(import.meta.resolve('@discordjs/rest'));
  return { [resolve('undici')]: UNDICI, [resolve('magic-bytes.js')]: MAGIC_BYTES };
}
