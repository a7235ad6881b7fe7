import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { ListenAddress } from '../../base/config/listen-address.ts';
import { type Config, type Problem, readConfig } from '../../base/config.ts';
import { codeOf } from '../../base/errors.ts';
import { nodeAdvice } from '../../base/node-version.ts';
import { compact } from '../../cards/kit/lines.ts';
import { createDiscordProbe } from '../../discord/publish/probe.ts';
import { storedSettings } from '../../messages/boards/stored-boards.ts';
import { openLedger } from '../../service/budget/ledger/open.ts';
import { sameSpelling, Username } from '../../service/models/identifiers.ts';
import { createServiceProbe } from '../../service/probe.ts';
import { storeOwner, strangerTrouble } from '../../store/owner.ts';
import type { PostgresFacts } from '../../store/postgres/probe.ts';
import { probeStore } from '../../store/probe.ts';
import type { SqliteFacts } from '../../store/sqlite/probe.ts';
import { examineDiscord } from './discord.ts';
import {
  type Finding,
  type Findings,
  failedFinding,
  passedFinding,
  troubleFinding,
  warningFinding,
} from './finding.ts';
import { examineService } from './service.ts';

/**
 * Looks at everything that the bot needs, also while it runs: takes nothing from it, does not log in at Discord's
 * gateway, and enters its one or two requests with the key in the bot's own ledger.
 */
export async function examineAll(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<Findings> {
  const { config, problems } = readConfig(environment);
  return config === null ? { settings: problems.map(settingFinding) } : lookAround(config, clock);
}

function settingFinding({ variable, wrong, expected, where }: Problem): Finding {
  return failedFinding(`${variable} ${wrong}`, `Expected: ${expected}. Find it: ${where}`);
}

async function lookAround(config: Config, clock: Clock): Promise<Findings> {
  const store = await probeStore(config.store, [storedSettings.name, storeOwner.name]);
  const boards = (store.documents.get(storedSettings.name) ?? []).flatMap(
    (text) => storedSettings.parse(text) ?? [],
  );
  const [owner] = (store.documents.get(storeOwner.name) ?? []).flatMap(
    (text) => storeOwner.parse(text) ?? [],
  );
  const discord = createDiscordProbe({ ...config.discord, now: clock.now });
  const { url, key, game, chatPath } = config.service;
  const places = { game, chatPath };
  const ledger = store.ledger === null ? null : openLedger(store.ledger, clock);
  const service = createServiceProbe({ url, key, places, clock, ledger });
  try {
    const [aboutDiscord, aboutService, http] = await Promise.all([
      examineDiscord(discord, {
        ...config.discord,
        boards,
        storeTrouble: (id) =>
          strangerTrouble({ id, takesStore: id === config.storeApplication }, owner ?? null),
      }),
      examineService(service, { now: clock.now, mayRecord: store.facts.trouble === null }),
      config.http === null ? null : httpFinding(config.http),
    ]);
    return {
      node: nodeFinding(),
      settings: driverFindings(config.drivers),
      store: storeFindings(store.facts),
      http,
      ...aboutDiscord,
      ...aboutService.findings,
      clock: clockFinding({ discord: discord.ahead(), service: aboutService.aheadMs }),
    };
  } finally {
    await service.close();
    store.close();
  }
}

/** A warning about a Node that lacks security fixes. */
export function nodeFinding(version: string = process.versions.node): Finding | null {
  const [says = '', todo = ''] = nodeAdvice(version)?.split('; ') ?? [];
  return says === '' ? null : warningFinding(says, todo);
}

/** Names in `HIDDEN_DRIVERS` and `SHOWN_DRIVERS` that have no effect. */
export function driverFindings({ hidden, shown }: Config['drivers']): readonly Finding[] {
  const hiddenNames = new Set(hidden.map(sameSpelling));
  const both = shown.filter((name) => hiddenNames.has(sameSpelling(name)));
  const impossible = [...hidden, ...shown].filter((name) => !Username.safeParse(name).success);
  const list = (names: readonly string[]): string =>
    names.map((name) => JSON.stringify(name.length > 64 ? `${name.slice(0, 20)}…` : name)).join(', ');
  const findings = compact(
    both.length === 0
      ? null
      : warningFinding(
          `HIDDEN_DRIVERS and SHOWN_DRIVERS both name ${list(both)}, and hiding counts`,
          'Take each name out of one of them.',
        ),
    impossible.length === 0
      ? null
      : warningFinding(
          `HIDDEN_DRIVERS or SHOWN_DRIVERS names ${list(impossible)}, which no driver can be called`,
          'A username has at most 64 characters; write commas between two names.',
        ),
  );
  return findings.length > 0 ? findings : [passedFinding('all of them can be used')];
}

/** A `Date` header has whole seconds, and its answer was on its way for some more. */
const TOLERANCE_MS = 10_000;

/** How much the clocks of both services are ahead of ours, in ms; null where one gave no time. */
export function clockFinding({
  discord,
  service,
}: {
  readonly discord: number | null;
  readonly service: number | null;
}): Finding | null {
  // If both services answered and disagree, Discord's clock counts as right.
  const aheadMs = discord ?? service;
  if (aheadMs === null) return null;
  if (Math.abs(aheadMs) > TOLERANCE_MS)
    return warningFinding(
      `this machine's clock is ${offBy(-aheadMs)}`,
      'Synchronise it (on Linux: timedatectl set-ntp true).',
    );
  if (service !== null && Math.abs(service) > TOLERANCE_MS)
    return warningFinding(
      `the data service's clock is ${offBy(service)}`,
      'Nothing to do here: ages are counted by its own clock.',
    );
  return passedFinding('this machine, Discord and the data service agree to ten seconds');
}

function offBy(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000);
  const amount =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3600)} h`;
  return `${amount} ${ms < 0 ? 'slow' : 'fast'}`;
}

/** In ms; a bot on this machine answers within a hundredth. */
const READY_TIMEOUT_MS = 2000;
/** Answer of `/readyz` of a running bot. */
const Health = z.object({ status: z.string(), checks: z.record(z.string(), z.unknown()) });

/** Checks the port for health and metrics. */
async function httpFinding(address: ListenAddress): Promise<Finding> {
  const { host, port } = address;
  const why = await whyTaken(address);
  if (why === null) return passedFinding(`port ${port} of ${host} is free for health and metrics`);
  if (why === 'EADDRINUSE' && (await isBot(address)))
    return passedFinding(`a running Pitwall serves health and metrics on port ${port}`);
  return failedFinding(
    `HTTP_PORT: port ${port} of ${host} cannot be used (${why})`,
    'Choose another port, or end the program that has it.',
  );
}

async function whyTaken({ host, port }: ListenAddress): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return codeOf(error) || 'unknown';
  } finally {
    server.close();
  }
}

async function isBot({ host, port }: ListenAddress): Promise<boolean> {
  const name = host.includes(':') ? `[${host}]` : host;
  try {
    const answer = await fetch(`http://${name}:${port}/healthz`, {
      signal: AbortSignal.timeout(READY_TIMEOUT_MS),
    });
    return Health.safeParse(await answer.json()).success;
  } catch {
    return false;
  }
}

const MB = 1024 * 1024;
/** The stored answers may still grow by 64 MB, and each daily copy by as much. */
const SCARCE_BYTES = 500 * MB;
const FULL_BYTES = 20 * MB;

export function storeFindings(facts: SqliteFacts | PostgresFacts): readonly Finding[] {
  if (facts.kind === 'postgres') return postgresFindings(facts);
  return compact(sqliteFinding(facts), facts.history === null ? null : troubleFinding(facts.history));
}

function sqliteFinding({ file, state, trouble, bytes, freeBytes, usedBy, newestCopy }: SqliteFacts): Finding {
  if (trouble !== null) return troubleFinding(trouble);
  const free = `${Math.floor(freeBytes / MB)} MB are free`;
  if (freeBytes < FULL_BYTES)
    return failedFinding(
      `${file}: the disk is full, ${free}`,
      'Free some space, or name another file in STORE_URL.',
    );
  if (freeBytes < SCARCE_BYTES)
    return warningFinding(
      `${file}: ${free} on its disk`,
      'Free 500 MB: the store and its seven copies still grow.',
    );
  const sqlite = `SQLite ${process.versions['sqlite']}`;
  if (state === 'missing') return passedFinding(`${file} will be created, with ${sqlite}; ${free}`);
  const user = usedBy === null ? 'not in use' : `in use by process ${usedBy.pid} on ${usedBy.host}`;
  const copy = newestCopy === null ? 'no copy yet' : `newest copy ${newestCopy}`;
  return passedFinding(
    `${file} is whole (${Math.ceil(bytes / 1024)} KiB, ${sqlite}), ${user}, ${copy}; ${free}`,
  );
}

function postgresFindings({ trouble, advice, version, bytes, format }: PostgresFacts): readonly Finding[] {
  if (trouble !== null) return [troubleFinding(trouble)];
  const findings = advice.map((line) => {
    const [says = line, todo = ''] = line.split(': ');
    return warningFinding(says, `In PostgreSQL, ${todo}.`);
  });
  const tables =
    format === null ? 'the tables will be made' : `the database takes ${Math.ceil(bytes / MB)} MB`;
  return findings.length > 0
    ? findings
    : [passedFinding(`PostgreSQL ${version} answers and saves its data; ${tables}`)];
}
