import { expect, test } from 'vitest';
import { throwStartErrors } from '../../../src/store/sqlite/start-error.ts';

const thrown = (error: unknown) => () =>
  throwStartErrors('store.sqlite', () => {
    throw error;
  });

test.each([
  ['SQLite', { errcode: 13 }],
  ['the system', { code: 'ENOSPC' }],
])('a full disk, reported as %s, may pass: the exit code asks for a restart', (_who, fields) => {
  const full = Object.assign(new Error('full'), fields);
  expect(thrown(full)).toThrow(
    expect.objectContaining({ exitCode: 75, message: expect.stringMatching('full disk') }),
  );
});

test('a file that cannot be opened stays wrong until somebody corrects it', () => {
  const missing = Object.assign(new Error('no'), { errcode: 14 });
  expect(thrown(missing)).toThrow(
    expect.objectContaining({ exitCode: 78, message: expect.stringMatching('the owner of the file and of') }),
  );
});
