/** What the files for machines name exists: settings, scripts, paths. */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { HELP } from '../src/base/config.ts';
import { currentBuild } from './support/bundle.ts';

const root = new URL('..', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Set where a file for machines sets an environment variable, by the form of that file. */
const forms: Readonly<Record<string, RegExp>> = {
  'deploy/Dockerfile': /(?<=^ENV .*?)\b([A-Z][A-Z_]+)(?==)/gm,
  // Settings of PostgreSQL are its image's.
  'deploy/compose.yaml': /^ {6}((?!POSTGRES_)[A-Z][A-Z_]+):/gm,
  'deploy/pitwall.service': /^Environment=([A-Z][A-Z_]+)=/gm,
  'deploy/kubernetes.yaml': /- name: ([A-Z][A-Z_]+)$/gm,
};

describe('the files for machines', () => {
  test.for(Object.entries(forms))('%s sets what the bot reads', ([file, form]) => {
    const names = [...read(file).matchAll(form)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(0);
    const known = [...Object.keys(HELP), 'NODE_ENV', 'MALLOC_TRIM_THRESHOLD_'];
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

  test('the image starts what npm start starts, and has every tool as a bundle', () => {
    const dockerfile = read('deploy/Dockerfile');
    const command = /^CMD \[(.*)\]$/m.exec(dockerfile)?.[1]?.replaceAll(/[",]/g, '');
    const variable = /^ENV (MALLOC_\S+)$/m.exec(dockerfile)?.[1];
    expect(manifest.scripts.start).toBe(
      `node --import=./src/tools/needs-node.mjs src/tools/build.ts && ${variable} exec ${command}`,
    );
    expect(read('deploy/pitwall.service')).toContain(`Environment=${variable}\n`);
    const tools = new Set(read('deploy/README.md').match(/(?<=node dist\/main\.js )\w+/g));
    expect(tools).toEqual(new Set(['doctor', 'backup', 'restore']));
    for (const tool of tools) expect(existsSync(new URL(`${tool}.js`, currentBuild())), tool).toBe(true);
    // Nothing else may reach the image: above all no .env.
    const kept = read('deploy/Dockerfile.dockerignore').match(/^[^#\n].*$/gm);
    expect(kept).toEqual(['*', '!package.json', '!package-lock.json', '!tsconfig.json', '!src', '!commands']);
  });

  test('a tool run by hand opens the folder as the service does; each day has its copy', () => {
    const readme = read('deploy/README.md');
    const ofFolder = read('deploy/pitwall.service').match(/^(?:DynamicUser|StateDirectory).*$/gm) ?? [];
    expect(ofFolder).toHaveLength(3);
    for (const property of ofFolder) expect(readme).toContain(`-p ${property} `);
    const copies = readme.match(/(?:main\.js backup|backup --) \/\S+/g) ?? [];
    expect(copies).toHaveLength(2);
    for (const copy of copies) expect(copy).toContain('$(date');
  });

  test('whoever stops a process gives it the time that it may take', () => {
    expect(read('deploy/compose.yaml')).toMatch(/bot:[\s\S]*stop_grace_period: 30s[\s\S]*postgres:/);
    expect(read('deploy/kubernetes.yaml')).toContain('terminationGracePeriodSeconds: 30');
    expect(read('deploy/pitwall.service')).toContain('TimeoutStopSec=30');
  });
});

describe('a version', () => {
  const changelog = read('.github/CHANGELOG.md');

  test('has a section of the changelog that says what changes for operators', () => {
    const sections = changelog.split(/^## /m).slice(1);
    expect(sections.length).toBeGreaterThan(2);
    for (const section of sections) expect(section, section.slice(0, 20)).toContain('\n### For operators\n');
  });

  test('is named by every document that installs one', () => {
    for (const file of ['README.md', 'Dockerfile', 'compose.yaml', 'kubernetes.yaml']) {
      const named = read(`deploy/${file}`).match(/(?<=pitwall:|\/pitwall-|--branch v)\d[\d.]*\d/g) ?? [];
      expect(named, file).toContain(manifest.version);
    }
  });
});

const Workflow = z.object({
  jobs: z.object({
    release: z.object({
      steps: z.array(
        z.object({ name: z.string().optional(), run: z.string().optional(), uses: z.string().optional() }),
      ),
    }),
  }),
});
const { steps } = Workflow.parse(parse(read('.github/workflows/release.yml'))).jobs.release;

describe('the release', () => {
  /** A folder of the version 3.1.0, with programs that write down how they are called. */
  function checkout(changelog: string) {
    const folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-release-'));
    const at = (file: string): string => join(folder.path, file);
    for (const part of ['.github', 'bin']) mkdirSync(at(part));
    writeFileSync(
      at('package.json'),
      '{\n  "name": "pitwall",\n  "version": "3.1.0",\n  "private": true\n}\n',
    );
    writeFileSync(at('.github/CHANGELOG.md'), changelog);
    const program = (name: string, code: number): void =>
      writeFileSync(at(`bin/${name}`), `#!/bin/sh\necho "${name} $*" >>calls\nexit ${code}\n`, {
        mode: 0o755,
      });
    for (const [name, code] of [
      ['git', 2],
      ['gh', 0],
      ['npm', 0],
    ] as const)
      program(name, code);
    return {
      program,
      read: (file: string): string => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : ''),
      /** Runs each step until one fails; the name of that one, or null. */
      release: (): string | null => {
        const failed = steps.find(({ run }) => {
          if (run === undefined) return false;
          const [, version = ''] =
            /version=(.*)/.exec(existsSync(at('output')) ? readFileSync(at('output'), 'utf8') : '') ?? [];
          const env = {
            PATH: `${at('bin')}:${process.env['PATH']}`,
            GITHUB_OUTPUT: at('output'),
            ...{
              GITHUB_SERVER_URL: 'https://code.example',
              GITHUB_REPOSITORY: 'them/pitwall',
              GITHUB_SHA: 'abc',
            },
            ...{ VERSION: version, DIGEST: 'sha256:1', IMAGE: 'images.example/pitwall' },
          };
          return spawnSync('bash', ['-e', '-c', run], { cwd: folder.path, env }).status !== 0;
        });
        return failed === undefined ? null : (failed.name ?? 'unnamed');
      },
      [Symbol.dispose]: () => folder.remove(),
    };
  }
  const section = (version: string, what: string) => `## [${version}]\n\n### For operators\n\n- ${what}\n\n`;

  test('tags the version of package.json, with its section of the changelog', () => {
    using folder = checkout(`# Changelog\n\n${section('3.1.0', 'ours')}${section('3.0.0', 'older')}`);
    expect(folder.release()).toBeNull();
    expect(folder.read('calls').trimEnd().split('\n')).toEqual([
      'git ls-remote --exit-code --tags https://code.example/them/pitwall refs/tags/v3.1.0',
      'npm sbom --sbom-format=cyclonedx --package-lock-only',
      'gh release create v3.1.0 --target abc --title 3.1.0 --notes-file notes.md sbom.cdx.json',
    ]);
    expect(folder.read('notes.md')).toContain('- ours');
    expect(folder.read('notes.md')).toContain('images.example/pitwall:3.1.0@sha256:1');
    expect(folder.read('notes.md')).not.toContain('older');
  });

  test('stops for a version without its section, before anything is published', () => {
    using folder = checkout(section('Unreleased', 'new'));
    expect(folder.release()).toBe('Read the version and its section of the changelog');
    expect(folder.read('calls')).toBe('');
  });

  test('stops for a version that has its tag', () => {
    using folder = checkout(section('3.1.0', 'ours'));
    folder.program('git', 0);
    expect(folder.release()).toBe('Refuse a version that has its tag');
    expect(folder.read('calls')).not.toContain('gh');
  });

  test('publishes the image with its parts and its origin, by actions that cannot change', () => {
    const text = read('.github/workflows/release.yml');
    for (const line of ['sbom: true', 'provenance: mode=max', 'uses: ./.github/workflows/ci.yml'])
      expect(text).toContain(line);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    // Everything is checked and built before the tag.
    expect(steps.at(-1)?.run).toContain('gh release create');
  });
});
