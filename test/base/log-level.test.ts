import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { createLevelSwitch } from '../../src/base/log-level.ts';

test.each([
  ['info', 'debug'],
  ['error', 'debug'],
  ['silent', 'debug'],
  ['debug', 'info'],
  ['trace', 'info'],
])('from %s it goes to %s and back, and says so while that can be read', (configured, other) => {
  const lines: string[] = [];
  const log = createLog({ level: configured, secrets: [], stream: { write: (line) => lines.push(line) } });
  const change = createLevelSwitch(log);
  change();
  expect(log.level).toBe(other);
  expect(lines.at(-1)).toMatch(/^\{"level":"info","time":"[^"]+","now":"[a-z]+","msg":"log level"\}\n$/);
  expect(lines.at(-1)).toContain(`"now":"${other}"`);
  change();
  expect(log.level).toBe(configured);
  change();
  expect(log.level).toBe(other);
});
