/** The bot as people run it, under npm: however it is stopped, nothing is left behind and everyone is answered. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, type ExpectStatic } from 'vitest';
import type { ChatServer } from '../src/sandbox/chat/chat-server.ts';
import type { DataService } from '../src/sandbox/service/data-service.ts';
import { listenTo } from './support/program.ts';
import { acknowledgement, test } from './support/sandbox.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** In a process group of its own, so that a signal to all of it does not reach the tests. */
async function npmStart(chat: ChatServer, dataService: DataService, folder: string, expect: ExpectStatic) {
  const npm = spawn('npm', ['start', '--silent'], {
    cwd: root,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      DISCORD_TOKEN: chat.token,
      DISCORD_API_URL: chat.apiUrl,
      SERVICE_URL: dataService.url,
      SERVICE_KEY: dataService.key,
      STORE_URL: `sqlite://${join(folder, 'store.sqlite')}`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  listenTo(npm, (text) => {
    output += text;
  });
  await chat.ready();
  await expect.poll(() => output, { timeout: 20_000 }).toContain('"ready"');
  return { npm, group: -(npm.pid ?? Number.NaN), output: () => output };
}

function isAlive(group: number): boolean {
  try {
    return process.kill(group, 0);
  } catch {
    return false;
  }
}

describe('under npm start', () => {
  // Beside each other: each of them waits for the bot's deadlines.
  test.concurrent.for([
    ['SIGTERM', 'npm alone'],
    ['SIGTERM', 'the whole group'],
    ['SIGHUP', 'the whole group'],
    ['SIGKILL', 'npm alone'],
  ] as const)(
    '%s to %s: the bot ends in order, and who waits is answered',
    { timeout: 60_000 },
    async ([signal, whom], { chat, dataService, visitor, expect }) => {
      const folder = mkdtempSync(join(tmpdir(), 'pitwall-npm-'));
      const { npm, group, output } = await npmStart(chat, dataService, folder, expect);
      try {
        dataService.setFault('slow', true);
        const deferred = acknowledgement(chat);
        const asking = visitor.ask('profile', { player: dataService.drivers[0] ?? '' });
        // Awaited below, unless the test fails before.
        asking.catch(() => {});
        await deferred;
        const begun = performance.now();
        process.kill(whom === 'npm alone' ? -group : group, signal);
        await once(npm, 'exit');
        await expect.poll(() => isAlive(group)).toBe(false);
        // Long enough for a busy machine.
        expect(performance.now() - begun).toBeLessThan(15_000);
        expect((await asking).text).toMatch(/restarting|isn't answering/);
        expect(output().match(/"msg":"stopping"/g)).toHaveLength(1);
        expect(output()).toContain('"msg":"stopped"');
        // Of another one npm dies at once, and leaves the bot to end by itself.
        if (signal === 'SIGTERM') expect(npm.exitCode).toBe(0);
      } finally {
        if (isAlive(group)) process.kill(group, 'SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
