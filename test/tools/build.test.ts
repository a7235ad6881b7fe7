import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempDisposableSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fromSources } from '../support/from-sources.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The project with all its packages except the bundler, as `npm ci --omit=dev` leaves it. */
function installWithoutBundler() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-install-'));
  for (const part of ['src', 'commands', 'package.json', 'package-lock.json'])
    cpSync(join(root, part), join(folder.path, part), { recursive: true });
  mkdirSync(join(folder.path, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!/rolldown$/.test(name))
      symlinkSync(join(root, 'node_modules', name), join(folder.path, 'node_modules', name));
  return folder;
}

test('an install without the bundler has an entry that runs the sources', () => {
  using folder = installWithoutBundler();
  const run = (file: string) =>
    spawnSync(process.execPath, [file], { cwd: folder.path, env: fromSources, encoding: 'utf8' });
  expect(run('src/tools/build.ts')).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(join(folder.path, 'dist', 'main.js'), 'utf8')).toMatch(/^\/\/ Not bundled\./);
  // It has started, and has no settings.
  const started = run('dist/main.js');
  expect(started.stderr).toContain('DISCORD_TOKEN');
  expect(started.status).toBe(78);
});
