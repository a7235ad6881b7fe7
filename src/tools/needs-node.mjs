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
  process.stderr.write(
    `Pitwall needs Node ${NODE} or newer, with SQLite ${SQLITE} or newer, and this is ${process.version} with SQLite ${sqlite}. npm ci brings a good one along on Linux (glibc) and Windows, unless optional packages are left out; elsewhere install it: https://nodejs.org\n`,
  );
  process.exit(BAD_SETTINGS);
}

/** Compares versions number by number. */
function isOlder(version, needed) {
  const numbers = version.split('.').map(Number);
  for (const [place, least] of needed.split('.').map(Number).entries())
    if (numbers[place] !== least) return !(numbers[place] > least);
  return false;
}
