import type { Clock } from '../../base/clock.ts';
import { type Config, type Problem, readConfig } from '../../base/config.ts';
import { storedSettings } from '../../board/stored-boards.ts';
import { createDiscordProbe } from '../../discord/publish/probe.ts';
import { openLedger } from '../../service/budget/ledger/open.ts';
import { createServiceProbe } from '../../service/probe.ts';
import { probeStore } from '../../store/probe.ts';
import { clockFinding } from './clock.ts';
import { examineDiscord } from './discord.ts';
import { CHECKS, type Finding, failed, ok } from './finding.ts';
import { httpFindings } from './http.ts';
import { examineService } from './service.ts';
import { storeFindings } from './store.ts';

interface Report {
  /** Nothing has failed; warnings may remain. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Looks at everything that the bot needs, also while it runs: takes nothing from it, does not log in at Discord's
 * gateway, and enters its one or two requests with the key in the bot's own ledger.
 */
export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<Report> {
  const { config, problems } = readConfig(environment);
  const findings = config === null ? problems.map(settingFinding) : await lookAround(config, clock);
  return {
    healthy: findings.every(({ verdict }) => verdict !== 'failed'),
    findings: findings.toSorted((a, b) => CHECKS.indexOf(a.check) - CHECKS.indexOf(b.check)),
  };
}

function settingFinding({ variable, wrong, expected, where }: Problem): Finding {
  return failed('settings', `${variable} ${wrong}`, `Expected: ${expected}. Find it: ${where}`);
}

async function lookAround(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const store = await probeStore(config.store, [storedSettings.name]);
  const boards = (store.documents.get(storedSettings.name) ?? []).flatMap(
    (text) => storedSettings.parse(text) ?? [],
  );
  const discord = createDiscordProbe({ ...config.discord, now: clock.now });
  const { url, key, game, chatPath } = config.service;
  const places = { game, chatPath };
  const ledger = store.backend === null ? null : openLedger(store.backend, clock);
  const service = createServiceProbe({ url, key, places, clock, ledger });
  try {
    const [aboutDiscord, aboutService, aboutHttp] = await Promise.all([
      examineDiscord(discord, { ...config.discord, boards }),
      examineService(service, { now: clock.now, mayRecord: store.facts.trouble === null }),
      httpFindings(config.http),
    ]);
    return [
      ok('settings', 'all of them can be used'),
      ...storeFindings(store.facts),
      ...aboutHttp,
      ...aboutDiscord,
      ...aboutService.findings,
      ...clockFinding({ discord: discord.ahead(), service: aboutService.ahead }),
    ];
  } finally {
    discord.close();
    await service.close();
    await ledger?.close();
    store.close();
  }
}

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
