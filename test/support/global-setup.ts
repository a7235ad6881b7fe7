/** Runs once before all tests: builds the bot that the scenarios start, says what cannot be tested on this machine, and under CI refuses to go on without it. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { requirements } from './requirements.ts';

export default function setup(): () => void {
  const missing = requirements.filter(({ isThere }) => !isThere);
  if (missing.length > 0 && process.env['CI'] === 'true')
    throw new Error(
      `CI tests everything, and ${missing.map(({ program }) => program).join(' and ')} is missing`,
    );
  const build = fileURLToPath(new URL('../../src/tools/build.ts', import.meta.url));
  execFileSync(process.execPath, [build], { stdio: 'inherit' });
  return () => {
    for (const { program, debianPackage, tests } of missing)
      console.warn(
        `Skipped: the tests of ${tests}. They need ${program} (Debian: apt-get install ${debianPackage}).`,
      );
  };
}
