/** Runs once before all tests: says what cannot be tested on this machine, and under CI refuses to go on without it. */
import { requirements } from './requirements.ts';

export default function setup(): () => void {
  const missing = requirements.filter(({ isThere }) => !isThere);
  if (missing.length > 0 && process.env['CI'] === 'true')
    throw new Error(
      `CI tests everything, and ${missing.map(({ program }) => program).join(' and ')} is missing`,
    );
  return () => {
    for (const { program, debianPackage, tests } of missing)
      console.warn(
        `Skipped: the tests of ${tests}. They need ${program} (Debian: apt-get install ${debianPackage}).`,
      );
  };
}
