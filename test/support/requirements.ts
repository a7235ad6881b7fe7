import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
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

/** Folder of PostgreSQL's programs; Debian has one for each version, off the PATH. */
export const POSTGRES_PROGRAMS =
  [...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(), ...paths].find((path) =>
    existsSync(join(path, 'initdb')),
  ) ?? '';

export const hasPostgres = POSTGRES_PROGRAMS !== '';
export const hasPgbouncer = [...paths, '/usr/sbin'].some((path) => existsSync(join(path, 'pgbouncer')));
export const hasChromium = existsSync(CHROMIUM);
export const hasScript = existsSync(SCRIPT);
export const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

export const requirements: readonly Requirement[] = [
  {
    program: 'postgres',
    isThere: hasPostgres,
    debianPackage: 'postgresql',
    tests: 'several processes with one store',
  },
  {
    program: 'pgbouncer',
    isThere: hasPgbouncer,
    debianPackage: 'pgbouncer',
    tests: 'a pooler before the store',
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
