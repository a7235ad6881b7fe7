/** The process: settings → start → signals → exit code. */
import { systemClock as clock } from './clock.ts';
import { type Config, describeProblems, readConfig } from './config.ts';
import { StartError } from './errors.ts';
import { createLog, type Log, redactor } from './log.ts';
import { start } from './start.ts';

/** EX_CONFIG of sysexits.h: starting again without fixing something is pointless. */
const BAD_SETTINGS = 78;

process.exit(await main());

async function main(): Promise<number> {
  readDotEnv();
  const { config, problems } = readConfig(process.env);
  if (config === null) {
    process.stderr.write(describeProblems(problems));
    return BAD_SETTINGS;
  }
  const secrets = secretsOf(config);
  const log = createLog({ level: config.logLevel, secrets });
  const stopped = Promise.withResolvers<null>();
  watchProcess(log, () => stopped.resolve(null));

  // What was opened last is closed first, also when the start ends halfway.
  const open = new AsyncDisposableStack();
  try {
    const lost = start(config, { clock, log }, open).then((connection) => connection.lost);
    lost.catch(() => {});
    const why = await Promise.race([stopped.promise, lost]);
    if (why !== null) throw why;
    await open.disposeAsync();
    log.info('stopped');
    return 0;
  } catch (error) {
    await open.disposeAsync();
    if (error instanceof StartError) {
      process.stderr.write(redactor(secrets)(`Pitwall cannot run: ${error.message}\n`));
      return BAD_SETTINGS;
    }
    log.fatal({ err: error }, 'start failed');
    return 1;
  }
}

function secretsOf({ discord, service, store }: Config): readonly string[] {
  return [discord.token, service.key, ...(store.kind === 'redis' ? store.password : [])];
}

/** What is set in the environment wins over the file. */
function readDotEnv(): void {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function watchProcess(log: Log, stop: () => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      stop();
    });
  }
  // discord.js reports an event that it cannot read in this way; nothing else is harmed by it.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
}
