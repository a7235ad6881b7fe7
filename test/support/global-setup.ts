/** Runs once before all tests: builds the bot that the scenarios start, says what cannot be tested on this machine, and under CI refuses to go on without it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { requirements } from './requirements.ts';

export default function setup({ provide }: TestProject): () => void {
  const missing = requirements.filter(({ isThere }) => !isThere);
  if (missing.length > 0 && process.env['CI'] === 'true')
    throw new Error(
      `CI tests everything, and ${missing.map(({ program }) => program).join(' and ')} is missing`,
    );
  const build = fileURLToPath(new URL('../../src/tools/build.ts', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  provide('postgres', folder);
  return () => {
    endPostgres(folder);
    for (const { program, debianPackage, tests } of missing)
      console.warn(
        `Skipped: the tests of ${tests}. They need ${program} (Debian: apt-get install ${debianPackage}).`,
      );
  };
}

/** Ends the server of this run, if a test has started it. */
function endPostgres(folder: string): void {
  try {
    const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGQUIT');
  } catch {
    // None runs.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
