import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { StartError } from '../../../src/base/errors.ts';
import { probeSqlite } from '../../../src/store/sqlite/probe.ts';
import { type TestFile, test } from './support.ts';

/** A process of its own that locks the file, says so, and has it locked until it is ended. */
async function startHolder({ file }: TestFile) {
  const fileLock = new URL('../../../src/store/sqlite/file-lock.ts', import.meta.url).href;
  const script = `
    const { lockFile } = await import(${JSON.stringify(fileLock)});
    try {
      lockFile(${JSON.stringify(file)});
      console.log('mine');
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.message);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, said: String(said).trim() };
}

async function refusal(place: TestFile, file = place.file): Promise<string> {
  const failure: unknown = await place.open(file).catch((error: unknown) => error);
  if (failure instanceof StartError) return failure.message;
  throw new Error('the file was opened twice', { cause: failure });
}

describe('one process has the file', () => {
  test('and another one is told which; when it is killed, the next one has it at once', async ({ place }) => {
    const first = await startHolder(place);
    expect(first.said).toBe('mine');
    const message = await refusal(place);
    expect(message).toMatch(/^STORE_URL: .*in use by another Pitwall/);
    expect(message).toContain(`process ${first.child.pid} on `);
    expect(message).toMatch(/since \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    expect(message).not.toContain('\n');

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const stores = await place.open();
    await stores.links.set('1', { username: 'k3nny', since: 1 });
    // And the other way round: a second process reads this one as the holder.
    expect((await startHolder(place)).said).toContain(`process ${process.pid} on `);
    await stores.close();
    expect((await startHolder(place)).said).toBe('mine');
  });

  test('of several that start at the same moment one', async ({ place }) => {
    const started = await Promise.all(Array.from({ length: 4 }, () => startHolder(place)));
    const said = started.map((each) => each.said);
    expect(said.filter((line) => line === 'mine')).toHaveLength(1);
    expect(said.filter((line) => line.includes('in use by another Pitwall'))).toHaveLength(3);
  });

  test('by whatever name it is called', async ({ place }) => {
    const stores = await place.open();
    const alias = join(place.folder, 'alias.sqlite');
    symlinkSync(place.file, alias);
    expect(await refusal(place, alias)).toContain('in use by another Pitwall');
    await stores.close();
  });

  test('that a link leads to, from the first start on', async ({ place }) => {
    const alias = join(place.folder, 'alias.sqlite');
    symlinkSync('store.sqlite', alias);
    const stores = await place.open(alias);
    for (const file of [alias, place.file])
      expect(await refusal(place, file)).toContain('in use by another Pitwall');
    await stores.close();
  });

  test('and links in a circle lead to none', async ({ place }) => {
    const alias = join(place.folder, 'alias.sqlite');
    symlinkSync('store.sqlite', alias);
    symlinkSync('alias.sqlite', place.file);
    await expect(place.open(alias)).rejects.toThrow(StartError);
  });

  test("and one that cannot be opened is nobody's", async ({ place }) => {
    writeFileSync(place.file, 'no database '.repeat(1000));
    await expect(place.open()).rejects.toThrow(/damaged/);
    expect((await startHolder(place)).said).toBe('mine');
  });

  test.for([
    [
      'is a folder',
      (lock: string): unknown => mkdirSync(lock),
      /STORE_URL.*store\.sqlite\.lock cannot be opened/,
    ],
    [
      'is no database',
      (lock: string) => writeFileSync(lock, 'text '.repeat(2000)),
      /store\.sqlite\.lock is damaged/,
    ],
  ] as const)(
    'where the lock %s the bot does not start, as the doctor says',
    async ([, spoil, says], { place }) => {
      spoil(`${place.file}.lock`);
      await expect(place.open()).rejects.toThrow(says);
      expect(probeSqlite(place.file, []).facts.trouble).toMatch(says);
    },
  );
});
