/** The process: settings → start → signals → exit code. */

// Before everything else: what follows may need what an older Node does not have.
import './tools/needs-node.mjs';

import { systemClock as clock } from './base/clock.ts';
import { type Config, describeProblems, readConfig } from './base/config.ts';
import { readEnvironment } from './base/environment.ts';
import { StartError } from './base/errors.ts';
import { hasTerminal } from './base/has-terminal.ts';
import { createLevelSwitch, createLog, createRedactor, type Log } from './base/log.ts';
import { repeatEvery } from './base/repeat-every.ts';
import { startBot } from './bot/start.ts';

/** EX_CONFIG of sysexits.h, as of a {@link StartError}. */
const BAD_SETTINGS = 78;
const PARENT_CHECK_MS = 250;

process.exit(await main().catch(endOf));

async function main(): Promise<number> {
  // The store links accounts to drivers, so that only the bot's own user may read it.
  process.umask(0o077);
  const { config, problems } = readConfig(readEnvironment());
  if (config === null) {
    process.stderr.write(describeProblems(problems));
    return BAD_SETTINGS;
  }
  const secrets = secretsOf(config);
  const log = createLog({ level: config.logLevel, secrets });
  const stopped = Promise.withResolvers<null>();
  watchProcess(log, () => stopped.resolve(null));

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
    log.info('stopped');
    return 0;
  } catch (error) {
    await resources.disposeAsync();
    if (error instanceof StartError) {
      process.stderr.write(createRedactor(secrets)(`Pitwall cannot run: ${error.message}\n`));
      return error.exitCode;
    }
    log.fatal({ err: error }, isRunning ? 'stop failed' : 'start failed');
    return 1;
  }
}

/** Before there is a log. */
function endOf(error: unknown): number {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`Pitwall cannot run: ${error.message}\n`);
  return error.exitCode;
}

function secretsOf({ discord, service, store }: Config): readonly string[] {
  return [discord.token, service.key, ...(store.kind === 'postgres' ? store.secrets : [])];
}

/** npm forwards SIGTERM and SIGINT but dies of other signals; an orphaned bot would answer beside the next one. */
function watchParent(gone: () => void): void {
  const parent = process.ppid;
  const looking = repeatEvery(clock, PARENT_CHECK_MS, async () => {
    if (process.ppid === parent) return;
    void looking.stop();
    gone();
  });
}

function watchProcess(log: Log, stop: () => void): void {
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
  // An unreadable event of the gateway ends here; nothing else is affected.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}
