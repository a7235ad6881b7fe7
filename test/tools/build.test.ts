import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../src/base/duration.ts';
import {
  addBuild,
  entryOf,
  hashOfSources,
  isCurrent,
  publishBuild,
} from '../../src/tools/build/dist-folder.ts';
import { fromSources } from '../support/from-sources.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The project with all its packages, except for those of that name. */
function checkout(without = /^$/) {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-install-'));
  for (const part of ['src', 'commands', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(folder.path, part), { recursive: true });
  mkdirSync(join(folder.path, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!without.test(name))
      symlinkSync(join(root, 'node_modules', name), join(folder.path, 'node_modules', name));
  const inDist = (file: string): string => join(folder.path, 'dist', file);
  return {
    ...folder,
    [Symbol.dispose]: () => folder.remove(),
    inDist,
    entry: () => readFileSync(inDist('main.js'), 'utf8'),
    run: (file: string) =>
      spawnSync(process.execPath, [file], { cwd: folder.path, env: fromSources, encoding: 'utf8' }),
    /** By a builder whose own files are for nobody else. */
    building: () =>
      spawn('sh', ['-c', 'umask 077; exec "$0" src/tools/build.ts', process.execPath], {
        cwd: folder.path,
        env: fromSources,
        stdio: 'inherit',
      }),
  };
}

test('an install without the bundler has an entry that runs the sources', () => {
  // As `npm ci --omit=dev` leaves it.
  using install = checkout(/rolldown$/);
  expect(install.run('src/tools/build.ts')).toMatchObject({ status: 0, stderr: '' });
  expect(install.entry()).toMatch(/^\/\/ Not bundled\./);
  // It has started, and has no settings.
  const started = install.run('dist/main.js');
  expect(started.stdout).toContain('DISCORD_TOKEN');
  expect(started.status).toBe(78);
});

test('a start that may not write the build ends with 78 and one line', () => {
  using project = checkout();
  writeFileSync(project.inDist('.'), '');
  expect(project.run('src/tools/build.ts')).toMatchObject({
    status: 78,
    stderr: `Nothing was built: ${project.inDist('.')} cannot be written (EEXIST); run npm run build as a user who may write there\n`,
  });
});

// Three builds and two starts: 25 s on two quiet cores.
test('several starts at once all succeed; a killed one leaves a build all can read', {
  timeout: 240_000,
}, async () => {
  using project = checkout();
  const codes = await Promise.all(
    [project.building(), project.building()].map(async (each) => (await once(each, 'exit'))[0]),
  );
  expect(codes).toEqual([0, 0]);
  const first = project.entry();
  expect(first).toBe(entryOf(hashOfSources(project.path)));
  expect(readdirSync(project.inDist('')).length).toBe(2);

  // However careful the builder: every user may read it.
  const made = ['.', ...readdirSync(project.inDist('.'), { recursive: true, encoding: 'utf8' })];
  const needed = (path: string) => (statSync(path).isDirectory() ? 0o555 : 0o444);
  const closed = made.filter((path) => {
    const at = project.inDist(path);
    return (statSync(at).mode & needed(at)) !== needed(at);
  });
  for (const part of ['main.js', 'parts', 'locales', 'compiled'])
    expect(made.join('\n')).toContain(`/${part}`);
  expect(closed).toEqual([]);

  writeFileSync(
    join(project.path, 'commands/drivers/seen.ts'),
    `${readFileSync(join(root, 'commands/drivers/seen.ts'))}\n`,
  );
  const killed = project.building();
  await expect.poll(() => readdirSync(project.inDist('')).length, { interval: 2 }).toBeGreaterThan(2);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(project.entry()).toBe(first);
  expect(project.run('dist/main.js').status).toBe(78);
});

describe('what a build is made of', () => {
  const sources = () => {
    const folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-sources-'));
    for (const part of ['src/base', 'commands/drivers', 'commands/cars'])
      mkdirSync(join(folder.path, part), { recursive: true });
    const at = (file: string): string => join(folder.path, file);
    for (const file of [
      'src/base/log.ts',
      'commands/drivers/seen.ts',
      'commands/cars/car.ts',
      'package-lock.json',
    ])
      writeFileSync(at(file), file);
    return { at, path: folder.path, [Symbol.dispose]: () => folder.remove() };
  };

  test('changes with contents, missing files and packages, and not with times', () => {
    using made = sources();
    const hash = () => hashOfSources(made.path);
    const hashes = [hash()];
    utimesSync(made.at('src/base/log.ts'), 2e9, 2e9);
    expect(hash()).toBe(hashes[0]);
    writeFileSync(made.at('src/base/log.ts'), 'other');
    utimesSync(made.at('src/base/log.ts'), 1, 1);
    hashes.push(hash());
    rmSync(made.at('commands/cars/car.ts'));
    hashes.push(hash());
    writeFileSync(made.at('package-lock.json'), '{}');
    hashes.push(hash());
    expect(new Set(hashes).size).toBe(4);
  });
});

describe('a folder of builds', () => {
  const folder = () => {
    const { path, remove } = mkdtempDisposableSync(join(tmpdir(), 'pitwall-dist-'));
    const add = (name: string) =>
      addBuild(path, name, async (to) => writeFileSync(join(to, 'main.js'), name));
    return { path, add, has: (name: string) => existsSync(join(path, name)), [Symbol.dispose]: remove };
  };

  test('one that fails leaves nothing behind', async () => {
    using dist = folder();
    await expect(addBuild(dist.path, 'a', () => Promise.reject(new Error('killed')))).rejects.toThrow(
      'killed',
    );
    expect(readdirSync(dist.path)).toEqual([]);
  });

  test('where two make the same one, the first stands', async () => {
    using dist = folder();
    const second = Promise.withResolvers<void>();
    const late = addBuild(dist.path, 'a', () => second.promise);
    expect(await dist.add('a')).toBe(true);
    second.resolve();
    expect(await late).toBe(false);
    expect(readFileSync(join(dist.path, 'a', 'main.js'), 'utf8')).toBe('a');
    expect(readdirSync(dist.path)).toEqual(['a']);
  });

  test('keeps what a bot may still run from: for a day, and the last five builds', async () => {
    using dist = folder();
    let now = statSync(dist.path).mtimeMs;
    const update = async (name: string) => {
      now += 1000;
      await dist.add(name);
      publishBuild(dist.path, entryOf(name), now);
      expect(isCurrent(dist.path, entryOf(name))).toBe(true);
    };
    await update('weeks-old');
    now += 30 * DAY;
    for (const name of ['b', 'c', 'd', 'e', 'f']) await update(name);
    // Replaced just now.
    now += DAY / 2;
    await update('g');
    expect(dist.has('weeks-old')).toBe(true);
    now += DAY;
    await update('h');
    expect(dist.has('weeks-old')).toBe(false);
    expect(['b', 'c', 'd', 'e', 'f', 'g', 'h'].filter(dist.has)).toEqual(['c', 'd', 'e', 'f', 'g', 'h']);
  });

  test('a bot from before builds had folders keeps its files for a day', async () => {
    using dist = folder();
    writeFileSync(join(dist.path, 'main.js'), "await import('./bot.js');");
    for (const file of ['bot.js', 'bot.js.map', 'painter.js', 'a.js', 'b.js', 'c.js', 'd.js']) {
      writeFileSync(join(dist.path, file), '');
      utimesSync(join(dist.path, file), 1, 1);
    }
    await dist.add('a');
    publishBuild(dist.path, entryOf('a'));
    expect(readdirSync(dist.path)).toHaveLength(9);
  });
});
