import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A program that some tests need and npm does not install. */
interface Requirement {
  readonly program: string;
  readonly isThere: boolean;
  readonly debianPackage: string;
  readonly tests: string;
}

/** Playwright gets this path, since it only looks for browsers that it installed itself. */
export const CHROMIUM = '/usr/bin/chromium';

/** Gives a program a terminal of its own. */
export const SCRIPT = '/usr/bin/script';

const paths = process.env['PATH']?.split(delimiter) ?? [];

export const hasRedis = paths.some((path) => existsSync(join(path, 'redis-server')));
export const hasChromium = existsSync(CHROMIUM);
export const hasScript = existsSync(SCRIPT);
export const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

export const requirements: readonly Requirement[] = [
  {
    program: 'redis-server',
    isThere: hasRedis,
    debianPackage: 'redis-server',
    tests: 'several processes with one store',
  },
  { program: CHROMIUM, isThere: hasChromium, debianPackage: 'chromium', tests: "the demo's page" },
  { program: SCRIPT, isThere: hasScript, debianPackage: 'bsdutils', tests: 'a terminal that closes' },
  {
    program: 'the right to mount',
    isThere: mayMount,
    debianPackage: 'mount, as root',
    tests: 'a full disk, files of another user',
  },
];
