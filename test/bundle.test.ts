/** What `npm start` runs. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { currentBuild } from './support/bundle.ts';

test('is ASCII: one other letter makes Node hold a whole file in two bytes a letter', () => {
  const files = globSync('**/*.js', { cwd: currentBuild() });
  expect(files).toContain('bot.js');
  const foreign = files.filter((file) =>
    readFileSync(new URL(file, currentBuild())).some((byte) => byte > 0x7f),
  );
  expect(foreign).toEqual([]);
});
