/** `warning`: the bot works, but not as it should. `failed`: it does not start, or people see the fault. */
export interface Finding {
  readonly verdict: 'ok' | 'warning' | 'failed';
  /** The observation, in words. */
  readonly says: string;
  /** Remedy; null: nothing to do. */
  readonly todo: string | null;
}

/** The checks by name, in the order in which they are shown. Null: the setup has nothing to check. */
export type Findings = Readonly<Record<string, Finding | readonly Finding[] | null>>;

interface Report {
  /** Nothing has failed; warnings may remain. */
  readonly healthy: boolean;
  readonly findings: readonly (Finding & { readonly check: string })[];
}

export function passedFinding(says: string): Finding {
  return { verdict: 'ok', says, todo: null };
}

export function warningFinding(says: string, todo: string): Finding {
  return { verdict: 'warning', says, todo };
}

export function failedFinding(says: string, todo: string): Finding {
  return { verdict: 'failed', says, todo };
}

/** Finding that stops the bot: the part after the first semicolon is the remedy. */
export function troubleFinding(trouble: string): Finding {
  const [says = trouble, ...todo] = trouble.split('; ');
  const does = todo.join('; ');
  if (does === '') return failedFinding(trouble, 'See STORE_URL in deploy/README.md.');
  return failedFinding(says, `${does.slice(0, 1).toUpperCase()}${does.slice(1)}.`);
}

export function createReport(checks: Findings): Report {
  const findings = Object.entries(checks).flatMap(([check, found]) =>
    [found ?? []].flat().map((finding) => ({ check, ...finding })),
  );
  return { healthy: findings.every(({ verdict }) => verdict !== 'failed'), findings };
}

const MARKS = { ok: '✅', warning: '⚠️', failed: '❌' } as const;

/** "❌ token: DISCORD_TOKEN was rejected by Discord. Copy it again …" */
export function describeFinding(check: string, { verdict, says, todo }: Finding): string {
  return `${MARKS[verdict]} ${check}: ${says}${todo === null ? '' : `. ${todo}`}`;
}

/** One line for each finding, and one for the whole. */
export function describeReport({ healthy, findings }: Report): string {
  const lines = findings.map((finding) => `${describeFinding(finding.check, finding)}\n`);
  const end = findings.every(({ verdict }) => verdict === 'ok')
    ? 'All is well.'
    : healthy
      ? 'The bot can run; see the lines with ⚠️.'
      : 'Something is broken; see the lines with ❌.';
  return `${lines.join('')}${end}\n`;
}
