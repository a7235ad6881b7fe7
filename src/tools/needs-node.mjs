/**
 * Ends the process where Node is too old: `main.ts` imports it first, for an image or a unit that brings its own Node, and
 * every script that runs TypeScript preloads it. JavaScript, so that an older Node can read it: that one would end in errors
 * about extensions and syntax, without a word of what is missing.
 */

/** From 24.16 on, `node:sqlite` reads a text beyond a U+0000 in it. */
const NODE = '24.16';
/** From 3.51.3 on, SQLite loses no page where two connections write and play the log into the file at once. */
const SQLITE = '3.51.3';
/** EX_CONFIG of sysexits.h, as for other settings that have to change. */
const BAD_SETTINGS = 78;

const { node, sqlite = '0' } = process.versions;
if (isOlder(node, NODE) || isOlder(sqlite, SQLITE)) {
  const msg = `Pitwall needs Node ${NODE} or newer, with SQLite ${SQLITE} or newer, and this is ${process.version} with SQLite ${sqlite}. npm ci brings a good one along on Linux (glibc) and Windows, unless optional packages are left out; elsewhere install it: https://nodejs.org`;
  const line = { level: 'fatal', time: new Date().toISOString(), msg, exit: BAD_SETTINGS };
  if (process.stderr.isTTY) process.stderr.write(`${msg}\n`);
  // As the log writes it.
  else process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exit(BAD_SETTINGS);
}

function isOlder(version, needed) {
  return version.localeCompare(needed, 'en', { numeric: true }) < 0;
}
