/** `npm run backup` and `npm run restore` as processes: what they print, and their exit codes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { type TestFile, test } from '../store/sqlite/support.ts';
import { currentBuild } from '../support/bundle.ts';
import { fromSources } from '../support/from-sources.ts';
import { runProgram } from '../support/program.ts';

async function run(
  tool: 'backup' | 'restore' | 'doctor',
  url: string,
  given: readonly string[] = [],
  cwd = process.cwd(),
) {
  const program = fileURLToPath(new URL(`../../src/tools/${tool}.ts`, import.meta.url));
  return runProgram(program, given, { cwd, env: { ...fromSources, STORE_URL: url } });
}

const urlOf = ({ file }: TestFile) => `sqlite://${file}`;

describe('backup and restore', () => {
  test('say what they did; the one works beside a bot, the other does not', async ({ place }) => {
    const stores = await place.open();
    await stores.links.set('1', { username: 'k3nny', since: 1 });
    const to = join(place.folder, 'mine.sqlite');
    const made = await run('backup', urlOf(place), [to]);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^\S+mine\.sqlite \(\d+ KiB\): 1 link, 0 servers with settings, 0 boards/);

    const refused = await run('restore', urlOf(place), [to]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^Nothing restored: .*in use by another Pitwall/);
    await stores.links.remove('1');
    await stores.close();

    const restored = await run('restore', urlOf(place), [to]);
    expect(restored).toMatchObject({ code: 0 });
    const kept = /is now (?<path>\S+)/.exec(restored.stdout)?.groups?.['path'] ?? '';
    expect(existsSync(kept)).toBe(true);
    expect((await (await place.open()).links.of('1'))?.username).toBe('k3nny');
  });

  test('leave PostgreSQL to PostgreSQL, and say how', async () => {
    for (const tool of ['backup', 'restore'] as const) {
      const { code, stderr } = await run(tool, 'postgres://pitwall@127.0.0.1:9/db', ['x.sqlite']);
      expect(code).toBe(1);
      expect(stderr).toMatch(/STORE_URL names PostgreSQL.*pg_(?:dump|restore)/);
    }
  });

  test('say what is missing', async ({ place }) => {
    expect((await run('restore', urlOf(place))).stderr).toMatch(/name the copy: npm run restore -- FILE/);
    expect((await run('backup', urlOf(place))).stderr).toMatch(/does not exist/);
    expect((await run('backup', 'nowhere')).stderr).toMatch(/STORE_URL is neither.*expected:/);
  });

  test.for(['backup', 'restore', 'doctor'] as const)(
    '%s takes no option for a file, and says how it is run',
    async (tool, { place }) => {
      const stores = await place.open();
      await stores.close();
      const before = readdirSync(place.folder);
      const helped = await run(tool, urlOf(place), ['--help'], place.folder);
      expect(helped).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(`npm run ${tool}`),
      });
      const refused = await run(tool, urlOf(place), ['-v'], place.folder);
      expect(refused.code).toBe(1);
      expect(refused.stdout + refused.stderr).toContain(`npm run ${tool}`);
      expect(readdirSync(place.folder)).toEqual(before);
    },
  );

  test.for(['backup', 'restore', 'doctor'] as const)(
    '%s is in the bundle, for images without sources',
    async (tool, { place }) => {
      const program = fileURLToPath(new URL('main.js', currentBuild()));
      const settings = { cwd: place.folder, env: { ...fromSources, STORE_URL: urlOf(place) } };
      expect(await runProgram(program, [tool, '--help'], settings)).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringContaining(`npm run ${tool}`),
      });
      expect((await runProgram(program, [tool, '-v'], settings)).code).toBe(1);
    },
  );
});
