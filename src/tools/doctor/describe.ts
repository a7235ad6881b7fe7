import type { Report } from './examine.ts';

const MARKS = { ok: '✅', warning: '⚠️', failed: '❌' } as const;

/** One line for each finding, and one for the whole. */
export function describeReport({ healthy, findings }: Report): string {
  const lines = findings.map(
    ({ check, verdict, says, todo }) =>
      `${MARKS[verdict]} ${check}: ${says}${todo === null ? '' : `. ${todo}`}\n`,
  );
  const count = findings.filter(({ verdict }) => verdict !== 'ok').length;
  const end =
    count === 0
      ? 'All is well.'
      : healthy
        ? 'The bot can run; see the lines with ⚠️.'
        : 'Something is broken; see the lines with ❌.';
  return `${lines.join('')}${end}\n`;
}
