import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { codeOf, StartError } from './errors.ts';

/**
 * The environment variables, with those of `.env` in the working directory where the environment has none. Throws a
 * {@link StartError} where there is one that cannot be read.
 */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  try {
    // Some editors begin a file with a byte-order mark, which would become part of the first name.
    return { ...parseEnv(readFileSync('.env', 'utf8').replace(/^\uFEFF/, '')), ...process.env };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return process.env;
    if (code === 'EISDIR') throw new StartError('.env is a folder; put a file there, or remove it');
    throw new StartError(`.env cannot be read (${code}); check its permissions`);
  }
}
