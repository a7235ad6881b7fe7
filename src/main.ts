/** The process: settings → start → signals → exit code. */

// Before everything else: what follows may need what an older Node does not have.
import './tools/needs-node.mjs';

import { execFile } from 'node:child_process';
import { systemClock as clock } from './base/clock.ts';
import { type Config, describeProblems, readConfig } from './base/config.ts';
import { SECOND } from './base/duration.ts';
import { readEnvironment } from './base/environment.ts';
import { StartError } from './base/errors.ts';
import { hasTerminal } from './base/has-terminal.ts';
import { createJob } from './base/job.ts';
import { createLevelSwitch, createLog, createRedactor, type Log } from './base/log.ts';
import { nodeAdvice } from './base/node-version.ts';
import { startBot } from './bot/start.ts';

const PARENT_CHECK_MS = 250;
/** How often the process looks whether it ran all the time, and the shortest gap that the log names, in ms. */
const PAUSE_CHECK_MS = SECOND;
const MIN_PAUSE_MS = 5 * SECOND;

process.exit(await main().catch((error: unknown) => endFor(error)));

async function main(): Promise<number> {
  // The store links accounts to drivers, so that only the bot's own user may read it.
  process.umask(0o077);
  const { config, problems } = readConfig(readEnvironment());
  if (config === null) throw new StartError(describeProblems(problems));
  const secrets = secretsOf(config);
  const log = createLog({ level: config.logLevel, secrets });
  const stopped = Promise.withResolvers<null>();
  const stopFor = watchProcess(log, () => stopped.resolve(null));
  const advice = nodeAdvice();
  if (advice !== null) log.warn({ node: process.version }, advice);

  // Closes in reverse order, also when the start fails halfway.
  const resources = new AsyncDisposableStack();
  let isRunning = false;
  try {
    const disconnection = startBot(config, { clock, log, resources }).then((connection) => {
      isRunning = true;
      return connection.lost;
    });
    disconnection.catch(() => {});
    const why = await Promise.race([stopped.promise, disconnection]);
    if (why !== null) throw why;
    await resources.disposeAsync();
    log.info({ exit: 0 }, 'stopped');
    return 0;
  } catch (error) {
    stopFor(isRunning ? 'a failure' : 'no start');
    await resources.disposeAsync();
    return endFor(error, log, createRedactor(secrets));
  }
}

/** Says as the last word why the bot cannot run: in the log, and in plain text to somebody at a terminal. */
function endFor(
  error: unknown,
  log = createLog({ level: 'info', secrets: [] }),
  redact = createRedactor([]),
): number {
  const exit = error instanceof StartError ? error.exitCode : 1;
  if (!(error instanceof StartError)) {
    log.fatal({ exit, err: error }, 'Pitwall ends with a bug');
    return exit;
  }
  const text = `Pitwall cannot run: ${error.message}`;
  log.fatal({ exit }, text);
  if (process.stderr.isTTY) process.stderr.write(redact(`${text}\n`));
  return exit;
}

function secretsOf({ discord, service, store }: Config): readonly string[] {
  return [discord.token, service.key, ...(store.kind === 'postgres' ? store.secrets : [])];
}

/** npm forwards SIGTERM and SIGINT but dies of other signals; an orphaned bot would answer beside the next one. */
function watchParent(gone: () => void): void {
  const parent = process.ppid;
  const check = createJob(clock, PARENT_CHECK_MS, async () => {
    if (process.ppid === parent) return;
    void check.stop();
    gone();
  });
  void check.start();
}

/** Names a process that was frozen, or a machine that slept, before parts find their connections gone. */
function watchPauses(log: Log): void {
  let lastRunAt = clock.monotonic();
  const check = createJob(clock, PAUSE_CHECK_MS, async () => {
    const pauseMs = clock.monotonic() - lastRunAt;
    lastRunAt += pauseMs;
    if (pauseMs >= MIN_PAUSE_MS)
      log.warn({ seconds: Math.round(pauseMs / SECOND) }, 'the process did not run for a while');
  });
  void check.start();
}

/**
 * Tells systemd that the event loop turns, twice within the unit's WatchdogSec. Nothing but that program can reach it, and of the
 * environment, which may have the token and the key, it gets what it needs.
 */
function feedWatchdog(): void {
  const { WATCHDOG_USEC = '0', PATH, NOTIFY_SOCKET } = process.env;
  const limitUs = Number(WATCHDOG_USEC);
  if (limitUs === 0) return;
  const feed = createJob(clock, limitUs / 2000, async () => {
    execFile('systemd-notify', ['WATCHDOG=1'], { env: { PATH, NOTIFY_SOCKET } }, () => {});
  });
  void feed.start();
}

/** Returns the way to say why the process stops. */
function watchProcess(log: Log, stop: () => void): (why: string) => void {
  // The handlers stay: a signal to the whole process group comes again, forwarded by npm, and without a handler it
  // would end the process at once, with replies unfinished.
  let stopping = false;
  const stopFor = (why: string): void => {
    if (!stopping) log.info({ why }, 'stopping');
    stopping = true;
    stop();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopFor(signal));
  // A terminal that closes sends it; where there is none, under systemd or in a container, an operator does.
  process.on('SIGHUP', hasTerminal() ? () => stopFor('SIGHUP') : createLevelSwitch(log));
  if (process.env['npm_lifecycle_event'] === 'start') watchParent(() => stopFor('npm has ended'));
  watchPauses(log);
  feedWatchdog();
  // A bug; nothing else is affected.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ exit: 1, err: error }, 'uncaught exception');
    process.exit(1);
  });
  return stopFor;
}
