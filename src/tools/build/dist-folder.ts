/**
 * `dist/`: each build in a folder named for what it was made of, and `main.js`, which runs the current one. A bot that
 * runs goes on loading from the folder that it was started from.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DAY } from '../../base/duration.ts';

/** Replaced builds that stay however old they are: a bot may run for weeks while its checkout is updated. */
const MAX_KEPT_BUILDS = 5;
const SOURCES = ['src/**/*.{ts,json}', 'commands/**/*.{ts,json}', 'package.json', 'package-lock.json'];

/** Hash of the contents, independent of file times. The bundler's options are among the sources. */
export function hashOfSources(root: string): string {
  // Compiled code is kept beside the bundle, and is that of one Node.
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(SOURCES, { cwd: root }).toSorted()) {
    const text = readFileSync(join(root, file));
    hash.update(`\n${file} ${text.length}\n`).update(text);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Runs the build of that name. */
export function entryOf(name: string): string {
  return `await import('./${name}/main.js');\n`;
}

export function isCurrent(dist: string, entry: string): boolean {
  return read(join(dist, 'main.js')) === entry;
}

/**
 * Lets `make` fill a new folder, which gets its name only when it is whole. Of several that make the same one at the same
 * time, the first wins. False: it was there already.
 */
export async function addBuild(
  dist: string,
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<boolean> {
  const to = join(dist, name);
  if (existsSync(to)) return false;
  mkdirSync(dist, { recursive: true });
  const folder = mkdtempSync(`${to}.`);
  try {
    await make(folder);
    // Made for its builder alone; the bot runs as another user.
    chmodSync(folder, 0o755);
    renameSync(folder, to);
    return true;
  } catch (error) {
    if (existsSync(to)) return false;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From now on `main.js` is this text. Builds that it replaces stay for a day at least: bots may still run from them. */
export function publishBuild(dist: string, entry: string, now = Date.now()): void {
  if (isCurrent(dist, entry)) return;
  mkdirSync(dist, { recursive: true });
  const current = join(dist, 'main.js');
  const oldEntry = read(current);
  const otherBuilds = readdirSync(dist).filter((name) => name !== 'main.js' && entryOf(name) !== entry);
  // Their time of change says since when no start takes them. An entry of another form may run any of them.
  const replaced = otherBuilds.filter((name) => entryOf(name) === oldEntry);
  for (const name of replaced.length > 0 ? replaced : otherBuilds) touch(join(dist, name), now);
  // Written beside it, so that no start finds half of it.
  const next = `${current}.${process.pid}`;
  writeFileSync(next, entry);
  renameSync(next, current);
  const old = otherBuilds.map((name) => ({ path: join(dist, name), at: modifiedAt(join(dist, name)) }));
  for (const { path, at } of old.toSorted((a, b) => b.at - a.at).slice(MAX_KEPT_BUILDS))
    if (at < now - DAY) rmSync(path, { recursive: true, force: true });
}

function touch(path: string, now: number): void {
  // Another build may have removed it.
  if (existsSync(path)) utimesSync(path, now / 1000, now / 1000);
}

/** Unix milliseconds. */
function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Null for a missing file. */
function read(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
