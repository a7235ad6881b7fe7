/** What the files for machines name exists: settings, scripts, paths. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { HELP } from '../src/base/config.ts';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Set where a file for machines sets an environment variable, by the form of that file. */
const forms: Readonly<Record<string, RegExp>> = {
  'deploy/Dockerfile': /(?<=^ENV .*?)\b([A-Z][A-Z_]+)(?==)/gm,
  'deploy/compose.yaml': /^ {6}([A-Z][A-Z_]+):/gm,
  'deploy/pitwall.service': /^Environment=([A-Z][A-Z_]+)=/gm,
  'deploy/kubernetes.yaml': /- name: ([A-Z][A-Z_]+)$/gm,
};

describe('the files for machines', () => {
  test.for(Object.entries(forms))('%s sets what the bot reads', ([file, form]) => {
    const names = [...read(file).matchAll(form)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    // Of the database, which is a container of its own.
    const itsOwn = ['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB'];
    const known = [...Object.keys(HELP), 'NODE_ENV', 'MALLOC_TRIM_THRESHOLD_', ...itsOwn];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('every setting that they speak of exists', () => {
    const spoken = globSync('deploy/*', { cwd: root }).flatMap((file) => [
      ...read(file).matchAll(/\b((?:DISCORD|SERVICE|STORE|LOG|HTTP|README)_[A-Z_]+|SHARDS)\b/g),
    ]);
    const names = new Set(spoken.map(([, name = '']) => name));
    expect(names.size).toBeGreaterThan(4);
    expect([...names].filter((name) => !Object.hasOwn(HELP, name))).toEqual([]);
  });

  test('the image starts what npm start starts, and holds the sources of every tool', () => {
    const dockerfile = read('deploy/Dockerfile');
    const command = /^CMD \[(.*)\]$/m.exec(dockerfile)?.[1]?.replaceAll(/[",]/g, '');
    const variable = /^ENV (MALLOC_\S+)$/m.exec(dockerfile)?.[1];
    expect(manifest.scripts.start).toBe(
      `node --import=./src/tools/needs-node.mjs src/tools/build.ts && ${variable} exec ${command}`,
    );
    expect(read('deploy/pitwall.service')).toContain(`Environment=${variable}\n`);
    const tools = [...read('deploy/README.md').matchAll(/node (src\/tools\/\w+\.ts)/g)].map(
      ([, path = '']) => path,
    );
    expect(new Set(tools)).toEqual(
      new Set(['src/tools/doctor.ts', 'src/tools/backup.ts', 'src/tools/restore.ts']),
    );
    for (const path of tools) expect(existsSync(new URL(path, root)), path).toBe(true);
    expect(dockerfile).toContain('COPY src src');
    // Nothing else may reach the image: above all no .env.
    const kept = read('deploy/Dockerfile.dockerignore').match(/^[^#\n].*$/gm);
    expect(kept).toEqual(['*', '!package.json', '!package-lock.json', '!tsconfig.json', '!src', '!commands']);
  });

  test('a tool run by hand opens the folder as the service does; each day has its copy', () => {
    const readme = read('deploy/README.md');
    const ofFolder = read('deploy/pitwall.service').match(/^(?:DynamicUser|StateDirectory).*$/gm) ?? [];
    expect(ofFolder).toHaveLength(3);
    for (const property of ofFolder) expect(readme).toContain(`-p ${property} `);
    const copies = readme.match(/backup(?:\.ts| --) \/\S+/g) ?? [];
    expect(copies).toHaveLength(2);
    for (const copy of copies) expect(copy).toContain('$(date');
  });

  test('whoever stops a process gives it the time that it may take', () => {
    expect(read('deploy/compose.yaml')).toMatch(/bot:[\s\S]*stop_grace_period: 30s[\s\S]*postgres:/);
    expect(read('deploy/kubernetes.yaml')).toContain('terminationGracePeriodSeconds: 30');
    expect(read('deploy/pitwall.service')).toContain('TimeoutStopSec=30');
  });
});
