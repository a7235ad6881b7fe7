import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { type Fault, ServiceError } from '../../../src/base/errors.ts';
import type { DiscordProbe } from '../../../src/discord/publish/probe.ts';
import type { ProbeResult, ServiceProbe } from '../../../src/service/probe.ts';
import { setUp, withValues } from '../../../src/tools/setup/set-up.ts';

describe('the values in a .env', () => {
  test('are read as they were written, and the rest stays', () => {
    const value = fc
      .stringMatching(/^[\x21-\x7e]{1,30}$/)
      .filter((text) => !/'.*`.*"|["'`].*["'`].*["'`]/.test(text));
    fc.assert(
      fc.property(value, value, (token, key) => {
        const written = withValues('# mine\nLOG_LEVEL=warn\nSERVICE_KEY="x y"\n', {
          DISCORD_TOKEN: token,
          SERVICE_KEY: key,
        });
        expect(parseEnv(written)).toEqual({ LOG_LEVEL: 'warn', DISCORD_TOKEN: token, SERVICE_KEY: key });
        expect(written).toMatch(/^# mine\nLOG_LEVEL=warn\nSERVICE_KEY=/);
      }),
    );
  });

  test('stand once, whatever stood there before', () => {
    const before = 'export DISCORD_TOKEN=a\n DISCORD_TOKEN = b\n#DISCORD_TOKEN=c';
    expect(withValues(before, { DISCORD_TOKEN: 'd' })).toBe('DISCORD_TOKEN=d\n#DISCORD_TOKEN=c\n');
  });
});

describe('the wait for an invitation', () => {
  const heard: ProbeResult = { failure: null, rate: null, generation: 'first', asOf: 0 };
  const service: ServiceProbe = {
    live: async () => heard,
    overview: async () => heard,
    chatStatus: async () => heard,
    close: async () => {},
  };

  /** Somebody invites the bot before it looks for the `invited`-th time. Time passes at once. */
  async function run(
    invited: number,
    interrupted: Promise<unknown> = new Promise(() => {}),
    {
      installs = null,
      mayChange = true,
      answers = ['token', 'https://data.example', 'key'],
      fault = null,
    }: {
      installs?: Record<string, object> | null;
      mayChange?: boolean;
      answers?: string[];
      fault?: Fault | null;
    } = {},
  ) {
    const folder = mkdtempSync(join(tmpdir(), 'pitwall-setup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const said: string[] = [];
    let looks = 0;
    let now = 0;
    const application = { id: '7', name: 'Pitwall', flags: 0, integration_types_config: installs };
    const discord = {
      application: async () => ({ kind: 'answer', value: application }),
      takePeople: async () =>
        mayChange
          ? { kind: 'answer', value: { ...application, integration_types_config: { 0: {}, 1: {} } } }
          : { kind: 'refused', status: 403, code: 50001 },
      async guilds() {
        looks += 1;
        return { kind: 'answer', value: looks < invited ? [] : [{ id: '1', name: 'The paddock' }] };
      },
    } satisfies Partial<DiscordProbe>;
    const done = await setUp({
      prompt: {
        say: (line) => void said.push(line),
        ask: async () => answers.shift() ?? null,
        close() {},
      },
      clock: {
        ...systemClock,
        monotonic: () => now,
        after(ms, callback) {
          now += ms;
          const soon = setImmediate(callback);
          return () => clearImmediate(soon);
        },
      },
      envFile: join(folder, '.env'),
      discordFor: () => ({ ...unasked, ...discord }),
      serviceFor: () => ({
        ...service,
        overview: async () => ({
          ...heard,
          failure: fault && new ServiceError(fault, { endpoint: 'overview', sent: 'no' }),
        }),
      }),
      interrupted,
    });
    return { done, said: said.join('\n'), looks };
  }

  const unasked: DiscordProbe = {
    application: () => Promise.reject(new Error('not asked for')),
    takePeople: () => Promise.reject(new Error('not asked for')),
    starts: () => Promise.reject(new Error('not asked for')),
    guilds: () => Promise.reject(new Error('not asked for')),
    commands: () => Promise.reject(new Error('not asked for')),
    access: () => Promise.reject(new Error('not asked for')),
    ahead: () => null,
  };

  test('says so where nothing was entered, and asks again', async () => {
    const { done, said } = await run(1, undefined, { answers: ['', 'token', 'https://data.example', 'key'] });
    expect(done).toBe(true);
    expect(said).toContain('❌ Nothing was entered.');
    expect(said).not.toMatch(/Invalid|undefined/);
  });

  test.for([
    ['over-budget', true, '⚠️ key: not checked: its hourly limit is used up'],
    ['store-away', false, '❌ key: not checked: the request could not be recorded in the store'],
  ] as const)('takes a key whose request met %s: %s', async ([fault, isWritten, line]) => {
    const { done, said } = await run(1, undefined, { fault });
    expect(done).toBe(isWritten);
    expect(said).toContain(line);
  });

  test('ends when the bot is in a server; the link asks for no more than boards need', async () => {
    const { done, said, looks } = await run(4);
    expect(done).toBe(true);
    expect(looks).toBe(4);
    expect(said).toContain(
      'https://discord.com/oauth2/authorize?client_id=7&scope=bot+applications.commands&permissions=117760',
    );
    expect(said).toMatch(/It is in The paddock\. Start it with npm start/);
  });

  const personal =
    'https://discord.com/oauth2/authorize?client_id=7&integration_type=1&scope=applications.commands';

  test.for([
    ['says nothing of it', null, true],
    ['lets people do that already', { 0: {}, 1: {} }, false],
    ['is for servers alone, which is changed', { 0: {} }, true],
  ] as const)(
    'comes with the link for own accounts, where the application %s',
    async ([, installs, mayChange]) => {
      for (const invited of [1, 3]) {
        const { said } = await run(invited, undefined, { installs, mayChange });
        expect(said.split('\n').filter((line) => line === personal)).toHaveLength(1);
      }
    },
  );

  test('says how to allow own accounts where Discord does not let it be changed', async () => {
    const { said } = await run(1, undefined, { installs: { 0: {} }, mayChange: false });
    expect(said).toContain('turn on User Install in the Discord Developer Portal (Installation)');
    expect(said).not.toContain(personal);
  });

  test('ends after a quarter of an hour, and the settings are written all the same', async () => {
    const { done, said } = await run(Number.POSITIVE_INFINITY);
    expect(done).toBe(true);
    expect(said).toMatch(/Not in a server yet\. The link stays valid/);
  });

  test('ends on Ctrl-C', async () => {
    const { done, said, looks } = await run(Number.POSITIVE_INFINITY, Promise.resolve());
    expect(done).toBe(true);
    expect(looks).toBeLessThan(3);
    expect(said).toMatch(/Not in a server yet/);
  });
});
