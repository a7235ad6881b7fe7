/**
 * Preloaded by every script that runs TypeScript: an older Node ends in errors about extensions and syntax, without a
 * word of what is missing. JavaScript, so that the older one can read it.
 */
const NEEDED = 24;
/** EX_CONFIG of sysexits.h, as for other settings that have to change. */
const BAD_SETTINGS = 78;

const [major] = process.versions.node.split('.');
if (Number(major) < NEEDED) {
  process.stderr.write(
    `Pitwall needs Node ${NEEDED} or newer, and this is ${process.version}. npm ci brings it along on Linux (glibc) and Windows, unless optional packages are left out; elsewhere install it: https://nodejs.org\n`,
  );
  process.exit(BAD_SETTINGS);
}
