/** `npm run setup`: asks for token, address and key, proves them, writes `.env`, and waits for an invitation. */
import { systemClock as clock, sleep } from '../base/clock.ts';
import { readConfig } from '../base/config.ts';
import { SECOND } from '../base/duration.ts';
import { readEnvironment } from '../base/environment.ts';
import { StartError } from '../base/errors.ts';
import { createDiscordProbe } from '../discord/publish/probe.ts';
import { openLedger } from '../service/budget/ledger/open.ts';
import { createServiceProbe } from '../service/probe.ts';
import { probeStore } from '../store/probe.ts';
import { createPrompt } from './setup/prompt.ts';
import { setUp } from './setup/set-up.ts';

process.exit(await main().catch(reportRefusal));

async function main(): Promise<number> {
  const environment = readEnvironment();
  const interrupted = Promise.withResolvers<'interrupted'>();
  const interrupt = (): void => interrupted.resolve('interrupted');
  process.on('SIGINT', interrupt);
  const prompt = createPrompt(process.stdin, process.stdout, interrupt);

  // Settings that setup does not ask for keep their values from the environment, or their defaults.
  const { config, problems } = readConfig({
    ...environment,
    DISCORD_TOKEN: '-',
    SERVICE_URL: 'https://data.invalid',
    SERVICE_KEY: '-',
  });
  if (config === null) {
    for (const { variable, wrong, expected } of problems)
      prompt.say(`${variable} ${wrong}; expected: ${expected}`);
    return 1;
  }
  // A bot that has run before counts its requests in its store.
  const store = await probeStore(config.store);
  const ledger = store.ledger === null ? null : openLedger(store.ledger, clock);
  const { game, chatPath } = config.service;
  const setup = setUp({
    prompt,
    clock,
    envFile: '.env',
    interrupted: interrupted.promise,
    discordFor: (token) => createDiscordProbe({ token, apiUrl: config.discord.apiUrl, now: clock.now }),
    serviceFor: (url, key) => createServiceProbe({ url, key, places: { game, chatPath }, clock, ledger }),
  });
  // While a question is open Ctrl-C ends it all; during the wait, only the wait.
  const outcome = await Promise.race([
    setup,
    interrupted.promise.then(() => Promise.race([setup, giveUp()])),
  ]);
  store.close();
  prompt.close();
  return outcome ? 0 : 1;
}

/** Says why `.env` cannot be read or written, and returns the exit code. */
function reportRefusal(error: unknown): number {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`Nothing was written: ${error.message}\n`);
  return 1;
}

/** Ends the setup after a second, in which the wait for the invitation can end properly. */
async function giveUp(): Promise<false> {
  await sleep(clock, SECOND);
  return false;
}
