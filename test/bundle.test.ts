/** What `npm start` runs. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const dist = new URL('../dist/', import.meta.url);

test('is ASCII: one other letter makes Node hold a whole file in two bytes a letter', () => {
  const files = globSync('**/*.js', { cwd: dist });
  expect(files).toContain('bot.js');
  const foreign = files.filter((file) => readFileSync(new URL(file, dist)).some((byte) => byte > 0x7f));
  expect(foreign).toEqual([]);
});
