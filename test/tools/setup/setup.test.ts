/** `npm run setup` as a process with a pipe for its answers, over the sandbox. */
import { existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { describe, expect } from 'vitest';
import { fromSources } from '../../support/from-sources.ts';
import { runProgram } from '../../support/program.ts';
import { test as base } from '../../support/sandbox.ts';

const program = fileURLToPath(new URL('../../../src/tools/setup.ts', import.meta.url));

const test = base.extend<{ folder: string }>({
  folder: async ({ task: _ }, use) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-setup-'));
    await use(folder.path);
  },
});

const run = (folder: string, apiUrl: string, typed: readonly string[]) =>
  runProgram(program, [], { cwd: folder, env: { ...fromSources, DISCORD_API_URL: apiUrl }, typed });

describe('npm run setup', () => {
  test('asks again for what fails, and writes what works, readable only to its owner', async ({
    chat,
    dataService,
    folder,
  }) => {
    const { code, stdout } = await run(folder, chat.apiUrl, [
      ...[`${chat.token}x`, chat.token],
      ...['http://data.example', 'http://127.0.0.1:9', dataService.url],
      ...['two words', dataService.elsewhereKey, dataService.key],
    ]);
    expect(stdout.match(/[❌✅].*/gu)).toEqual([
      '❌ token: DISCORD_TOKEN was rejected by Discord. Copy it again from the Discord Developer Portal (Bot, Reset Token), which shows it only once.',
      expect.stringMatching(/^✅ token: belongs to the application Pitwall \(\d+\)$/),
      '❌ That is plain http to another machine; use https.',
      expect.stringMatching(
        /^❌ service: SERVICE_URL does not answer as a data service \(.+ Check the address/,
      ),
      '✅ service: answers, in the first generation of its interface',
      '❌ That holds spaces or other characters that no key contains.',
      expect.stringMatching(/^❌ key: SERVICE_KEY is restricted to other IP addresses.*Allow this address/),
      expect.stringMatching(/^✅ key: accepted: a client key, 720 requests in 3600 s/),
      `✅ It is in ${chat.guildName}. Start it with npm start, then type /setup there.`,
    ]);
    expect(code).toBe(0);
    const file = join(folder, '.env');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, 'utf8'))).toEqual({
      DISCORD_TOKEN: chat.token,
      SERVICE_URL: dataService.url,
      SERVICE_KEY: dataService.key,
    });
    for (const secret of [chat.token, dataService.key]) expect(stdout).not.toContain(secret);
  });

  test('keeps what is there unless it is told otherwise', async ({ chat, dataService, folder }) => {
    const file = join(folder, '.env');
    const there = `# mine\nLOG_LEVEL=warn\nDISCORD_TOKEN=${chat.token}\nSERVICE_URL=${dataService.url}\nSERVICE_KEY=old\n`;
    writeFileSync(file, there, { mode: 0o644 });
    expect((await run(folder, chat.apiUrl, ['', '', 'n', dataService.key])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(
      there.replace('SERVICE_KEY=old', `SERVICE_KEY=${dataService.key}`),
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('writes nothing where the answers end, or nothing works', async ({ chat, dataService, folder }) => {
    expect((await run(folder, chat.apiUrl, [chat.token])).code).toBe(1);
    const { code, stdout } = await run(folder, chat.apiUrl, ['a', 'b', 'c', chat.token, dataService.url]);
    expect(code).toBe(1);
    expect(stdout).toContain('Nothing was written');
    expect(existsSync(join(folder, '.env'))).toBe(false);
  });

  test('says in one line that it cannot write, and keeps what is there', async ({
    chat,
    dataService,
    folder,
  }) => {
    const file = join(folder, '.env');
    writeFileSync(file, '# mine\n');
    // Stands in for a folder of somebody else, whose rights do not stop an administrator.
    mkdirSync(`${file}.unfinished`);
    const { code, stderr } = await run(folder, chat.apiUrl, [chat.token, dataService.url, dataService.key]);
    expect(stderr).toMatch(
      /^Nothing was written: \.env cannot be written \(\w+\); check who may write in its folder\n$/,
    );
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, '# mine\n']);
  });

  test('where .env is a folder says so in one line', async ({ folder }) => {
    mkdirSync(join(folder, '.env'));
    expect(await run(folder, 'http://127.0.0.1:9/api', [])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Nothing was written: .env is a folder; put a file there, or remove it\n',
    });
  });
});
