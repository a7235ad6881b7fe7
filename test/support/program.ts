import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface Surroundings {
  readonly cwd?: string;
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Lines that somebody types. */
  readonly typed?: readonly string[];
}

/** Runs a program of Node until it ends by itself. */
export async function runProgram(
  file: string,
  given: readonly string[],
  { typed = [], ...surroundings }: Surroundings,
) {
  const child = spawn(process.execPath, [file, ...given], { ...surroundings, stdio: 'pipe' });
  child.stdin.end(typed.map((line) => `${line}\n`).join(''));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** Calls `heard` with each text that a process prints, on either stream. */
export function listenTo({ stdout, stderr }: ChildProcess, heard: (printed: string) => void): void {
  for (const stream of [stdout, stderr]) stream?.setEncoding('utf8').on('data', heard);
}
