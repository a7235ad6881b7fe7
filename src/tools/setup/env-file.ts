import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Readable and writable to its owner only: it holds the token and the key. */
const MODE = 0o600;

/** The settings in a `.env`; none where there is no such file. */
export function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

/** Sets these values and keeps every other line. The file is complete at any moment. */
export function writeEnvFile(path: string, values: Readonly<Record<string, string>>): void {
  const place = existsSync(path) ? realpathSync(path) : path;
  const text = withValues(existsSync(place) ? readFileSync(place, 'utf8') : '', values);
  const unfinished = `${place}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, text, { mode: MODE });
  renameSync(unfinished, place);
}

/** The text of a `.env` with these values in it: in the lines that set them, or at the end. */
export function withValues(text: string, values: Readonly<Record<string, string>>): string {
  const left = new Map(Object.entries(values));
  const lines = text.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?(?<name>\w+)\s*=/.exec(line)?.groups?.['name'] ?? '';
    const value = values[name];
    if (value === undefined) return [line];
    // The last line of a name counts, so that only one may be left.
    return left.delete(name) ? [`${name}=${quoted(value)}`] : [];
  });
  if (lines.at(-1) === '') lines.pop();
  return `${[...lines, ...[...left].map(([name, value]) => `${name}=${quoted(value)}`)].join('\n')}\n`;
}

function quoted(value: string): string {
  if (/^[\w.:/+@~=-]+$/.test(value)) return value;
  const quote = ["'", '`', '"'].find((each) => !value.includes(each));
  if (quote === undefined)
    throw new RangeError('a .env file cannot hold a value with all three kinds of quotes');
  return quote + value + quote;
}
