/** A store that belongs to another user than whoever starts the bot, or looks at it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { mayMount } from '../../support/requirements.ts';
import { test } from './support.ts';

const USER = 61_999;
const module = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
const Said = z.record(z.enum(['start', 'backup', 'restore', 'doctor']), z.string());

/** What start, backup, restore and doctor say of the file to a user without rights. */
async function saidToUser(file: string): Promise<z.output<typeof Said>> {
  const script = `
    const { openSqliteStores } = await import(${module('store/sqlite/open.ts')});
    const { backUp } = await import(${module('store/sqlite/backup.ts')});
    const { restoreFile } = await import(${module('store/sqlite/restore.ts')});
    const { probeSqlite } = await import(${module('store/sqlite/probe.ts')});
    process.setgroups([]);
    process.setgid(${USER});
    process.setuid(${USER});
    const file = ${JSON.stringify(file)};
    const said = (work) => Promise.try(work).then(() => 'nothing', ({ name, message }) => name + ': ' + message);
    console.log(JSON.stringify({
      start: await said(() => openSqliteStores(file, {}, '')),
      backup: await said(() => backUp(file, null, 0)),
      restore: await said(() => restoreFile(file, file, { now: 0, carry() {} })),
      doctor: await said(() => { throw new Error(probeSqlite(file, []).facts.trouble); }),
    }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await Promise.all([json(child.stdout), once(child, 'close')]);
  return Said.parse(said);
}

describe.runIf(mayMount)('a store of another user', () => {
  test('in a folder closed to this user is refused in one line, not called missing', async ({ place }) => {
    chmodSync(place.folder, 0o755);
    const folder = join(place.folder, 'closed');
    mkdirSync(folder, { mode: 0o700 });
    const file = join(folder, 'store.sqlite');
    await (await place.open(file)).close();
    const before = readdirSync(folder);
    const wrong = `STORE_URL: the database ${file} cannot be reached: it or its folder belongs to another user`;
    for (const [tool, said] of Object.entries(await saidToUser(file)))
      expect(said, tool).toMatch(new RegExp(`^(?:Start)?Error: ${RegExp.escape(wrong)}; give both to`));
    expect(readdirSync(folder)).toEqual(before);
  });
});
