import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ServiceError } from '../../src/base/errors.ts';
import { createLevelSwitch, createLog, createRedactor, type Log } from '../../src/base/log.ts';

const token = 'MTA5.Gx+/a"b\\c.secret-token';
const key = 'sv_8f2c+key/with=signs&more';

function recording(level = 'trace'): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    log: createLog({ level, secrets: [token, key], stream: { write: (line) => lines.push(line) } }),
  };
}

describe('a line of the log', () => {
  test('is one JSON object with level, time, message and fields', () => {
    const { log, lines } = recording();
    log.info({ commands: 2 }, 'ready');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      commands: 2,
      msg: 'ready',
    });
  });

  test('below the level is not written', () => {
    const { log, lines } = recording('warn');
    log.info('no');
    log.warn('yes');
    expect(lines).toHaveLength(1);
  });

  test('never holds a secret, wherever it was put and however it was written', () => {
    const { log, lines } = recording();
    for (const secret of [token, key]) {
      log.info(secret);
      log.info({ deep: { list: [secret, { [secret]: secret }] } }, `before ${secret} after`);
      log.error({ err: new Error(`connect ${secret}`, { cause: new Error(secret) }) }, 'failed');
      log.info(`https://x/?key=${encodeURIComponent(secret)}`);
      log.info(`https://x/?${new URLSearchParams({ key: secret })}`);
      log.info(Buffer.from(`Bot ${secret}!`).toString('base64'));
      log.info(Buffer.from(secret).toString('base64url'));
      log.info(Buffer.from(secret).toString('hex'));
      log.child({ secret }).warn({ secret }, 'child');
      log.error({ err: new Error(`${'x'.repeat(490)}${secret}`) }, 'cut within the secret');
    }
    const output = lines.join('');
    for (const secret of [token, key]) {
      const forms = [
        secret,
        JSON.stringify(secret).slice(1, -1),
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replaceAll('=', '').slice(0, -1),
        Buffer.from(secret).toString('base64url').slice(0, -1),
        Buffer.from(secret).toString('hex'),
      ];
      for (const form of forms) expect(output).not.toContain(form);
      expect(output).not.toContain(secret.slice(0, 10));
      expect(output).not.toContain(secret.slice(-10));
    }
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
  });

  test('never holds the token of an interaction, which stands in the paths of requests', () => {
    const { log, lines } = recording();
    log.warn({ path: '/webhooks/123456/aW50ZXJhY3Rpb24/messages/@original' }, 'x');
    log.warn('POST https://discord.com/api/v10/interactions/123/aW50ZXJhY3Rpb24/callback failed');
    expect(lines.join('')).not.toContain('aW50ZXJhY3Rpb24');
    expect(lines.join('')).toContain('/callback failed');
  });

  test.each([
    ['%2Fwebhooks%2F1%2F', '%2Fmessages'],
    ['%2finteractions%2f1%2f', '%2fcallback'],
    ['%252Fwebhooks%252F1%252F', '%252Fmessages'],
    ['webhooks\\/1\\/', '\\/messages'],
  ])('never holds the token of an interaction in a path that is written as %s', (before, behind) => {
    const token = 'aW50ZXJhY3Rpb24';
    expect(createRedactor([])(`to ${before}${token}${behind} failed`)).toBe(
      `to ${before}[redacted]${behind} failed`,
    );
  });
});

describe('a logged error', () => {
  test('reports name, message, where it arose and our own fields', () => {
    const { log, lines } = recording();
    const err = new ServiceError('unavailable', { endpoint: 'profile', sent: 'maybe', transient: true });
    log.error({ err }, 'no answer');
    const line = JSON.parse(lines[0] ?? '');
    expect(line.err).toMatchObject({
      name: 'ServiceError',
      message: 'profile: unavailable',
      fault: 'unavailable',
      endpoint: 'profile',
      sent: 'maybe',
      transient: true,
    });
    expect(line.err.stack).toContain('log.test.ts');
  });

  test('of a library reports nothing of its request, under whatever name it is logged', () => {
    const { log, lines } = recording();
    const error = Object.assign(new Error('Unknown interaction'), {
      code: 10062,
      status: 404,
      method: 'POST',
      url: 'https://chat.example/hidden-place',
      requestBody: { json: { content: 'hidden words' } },
    });
    log.warn({ err: error, reason: error }, 'late');
    log.warn(error, 'late');
    expect(lines.join('')).not.toMatch(/hidden/);
    expect(JSON.parse(lines[0] ?? '').reason).toMatchObject({ code: 10062, status: 404, method: 'POST' });
  });

  test('of a check lists its first issues and not what was checked', () => {
    const { log, lines } = recording();
    const { error } = z.array(z.number()).safeParse(Array.from({ length: 1000 }, () => 'wrong'));
    log.error({ err: error }, 'broken');
    // The message is read first.
    expect(lines[0]).toMatch(/^\{"level":"error","time":"[^"]+","msg":"broken","err":/);
    const { err } = JSON.parse(lines[0] ?? '');
    expect(err.message).toBe('1000 issues');
    expect(err.issues).toHaveLength(5);
    expect(lines[0]?.length).toBeLessThan(6000);
  });

  test('with a long message or a circle of causes stays a short line', () => {
    const { log, lines } = recording();
    const err = new Error('x'.repeat(100_000));
    err.cause = err;
    log.error({ err }, 'long');
    expect(lines[0]?.length).toBeLessThan(25_000);
  });
});

test('a secret of a few letters is hidden as a word, and other words stay', () => {
  expect(createRedactor(['e'])('key=e was refused: the key "e" is not right')).toBe(
    'key=[redacted] was refused: the key "[redacted]" is not right',
  );
});

test('whatever the secret, nothing of it is left and the rest of the line stays', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 6, unit: 'binary-ascii' }), (secret) => {
      fc.pre(!'before [redacted] after'.includes(secret));
      const redact = createRedactor([secret]);
      expect(redact(`\u00ab${secret}\u00bb`)).toBe('\u00ab[redacted]\u00bb');
      expect(redact(JSON.stringify(`\u00ab${secret}\u00bb`))).toBe('"\u00ab[redacted]\u00bb"');
    }),
  );
});

test('a log that cannot be written costs its lines, and not the process', () => {
  const module = new URL('../../src/base/log.ts', import.meta.url).href;
  const script = `
    const { createLog } = await import(${JSON.stringify(module)});
    const log = createLog({ level: 'info', secrets: [] });
    for (let line = 0; line < 3; line += 1) {
      log.info('a line');
      await new Promise(setImmediate);
    }
    process.exitCode = 42;`;
  const full = openSync('/dev/full', 'w');
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect({ code: ended.status, said: ended.stderr.toString() }).toEqual({ code: 42, said: '' });
});

test.each([
  ['info', 'debug'],
  ['error', 'debug'],
  ['silent', 'debug'],
  ['debug', 'info'],
  ['trace', 'info'],
])('from %s it goes to %s and back, and says so while that can be read', (configured, other) => {
  const { log, lines } = recording(configured);
  const change = createLevelSwitch(log);
  change();
  expect(log.level).toBe(other);
  expect(lines.at(-1)).toMatch(/^\{"level":"info","time":"[^"]+","msg":"log level","now":"[a-z]+"\}\n$/);
  expect(lines.at(-1)).toContain(`"now":"${other}"`);
  change();
  expect(log.level).toBe(configured);
  change();
  expect(log.level).toBe(other);
});
