/** `npm run doctor` as a process: its exit code, its JSON, and that it prints no secret. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { z } from 'zod';
import { fromSources } from '../../support/from-sources.ts';
import { runProgram } from '../../support/program.ts';
import { test } from '../../support/sandbox.ts';

const program = fileURLToPath(new URL('../../../src/tools/doctor.ts', import.meta.url));

const Printed = z.strictObject({
  healthy: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.string(),
      verdict: z.enum(['ok', 'warning', 'failed']),
      says: z.string(),
      todo: z.string().nullable(),
    }),
  ),
});

async function run(environment: Readonly<Record<string, string>>, ...given: readonly string[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'pitwall-doctor-'));
  return await runProgram(program, given, { cwd: folder.path, env: { ...fromSources, ...environment } });
}

function settings(chat: { apiUrl: string; token: string }, dataService: { url: string; key: string }) {
  return {
    DISCORD_TOKEN: chat.token,
    DISCORD_API_URL: chat.apiUrl,
    SERVICE_URL: dataService.url,
    SERVICE_KEY: dataService.key,
  };
}

test('exit code 0 and one JSON document where the bot can run', async ({ chat, dataService }) => {
  const good = await run(settings(chat, dataService), '--json');
  expect(good).toMatchObject({ code: 0, stderr: '' });
  expect(Printed.parse(JSON.parse(good.stdout)).healthy).toBe(true);
});

describe('where the bot cannot run', () => {
  test.for(['--json', ''])(
    'exit code 1, and no secret in whatever form another setting holds it: %s',
    async (flag, { chat, dataService }) => {
      const key = 'ab+/cd==%ef"gh';
      const secrets = [chat.token, key].flatMap((secret) => [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
        Buffer.from(secret).toString('base64url'),
        Buffer.from(secret).toString('hex'),
      ]);
      const forms = [chat.token, encodeURIComponent(key), Buffer.from(chat.token).toString('base64url')];
      const environment = { SERVICE_KEY: key, STORE_URL: `sqlite://${forms.join('-')}.sqlite` };
      const { code, stdout, stderr } = await run({ ...settings(chat, dataService), ...environment }, flag);
      expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
      if (flag === '--json') expect(Printed.parse(JSON.parse(stdout)).healthy).toBe(false);
      expect(stdout.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(forms.length);
      for (const secret of secrets) expect(stdout).not.toContain(secret);
    },
  );
});
