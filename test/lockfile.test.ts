/** What npm installs is what was locked: every package has its checksum, and none runs a script of its own. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

describe.each(['package-lock.json', 'test/mutate/package-lock.json'])('%s', (file) => {
  const { packages } = Lockfile.parse(
    JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')),
  );
  const installed = Object.entries(packages).filter(([path]) => path !== '');

  test('every package in the lockfile has a checksum', () => {
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  });

  test('no package runs a script when it is installed', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(scripted.map(([path]) => path)).toEqual([]);
  });

  test('has every optional package that another names, since npm ci refuses otherwise', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages))
        .map((name) => `${path} → ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
