import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Clock, sleep } from '../../base/clock.ts';
import { whyWrong } from '../../base/config.ts';
import { MINUTE } from '../../base/duration.ts';
import { codeOf, StartError } from '../../base/errors.ts';
import {
  type Application,
  inviteLink,
  personalLink,
  takesPeople,
} from '../../discord/publish/application.ts';
import type { DiscordProbe } from '../../discord/publish/probe.ts';
import type { ServiceProbe } from '../../service/probe.ts';
import { tokenFinding } from '../doctor/discord.ts';
import { describeFinding, type Finding } from '../doctor/finding.ts';
import { keyFinding, liveFinding } from '../doctor/service.ts';
import type { Prompt } from './prompt.ts';

interface SetUpParts {
  readonly prompt: Prompt;
  readonly clock: Clock;
  readonly envFile: string;
  readonly discordFor: (token: string) => DiscordProbe;
  readonly serviceFor: (url: string, key: string) => ServiceProbe;
  /** Resolves when the person no longer wants to wait. */
  readonly interrupted: Promise<unknown>;
}

const MAX_TRIES = 3;
/** How often Discord is asked whether somebody has invited the bot, and for how long, in ms. */
const LOOK_INTERVAL_MS = 3000;
const MAX_WAIT_MS = 15 * MINUTE;

/**
 * Asks for what the bot needs, proves it, writes it down and waits for an invitation. False where it gave up before
 * anything was written.
 */
export async function setUp(parts: SetUpParts): Promise<boolean> {
  const { prompt, envFile, discordFor, serviceFor } = parts;
  prompt.say(
    'Pitwall needs a bot token, the address of the data service and its API key. They are written down once all three work.',
  );
  const existingValues = readEnvFile(envFile);
  const token = await settle(parts, existingValues, {
    name: 'DISCORD_TOKEN',
    check: 'token',
    question: 'Bot token (Discord Developer Portal, your application, Bot, Reset Token):',
    prove: async (value) => tokenFinding(await discordFor(value).application()),
  });
  if (token === null) return false;
  const url = await settle(parts, existingValues, {
    name: 'SERVICE_URL',
    check: 'service',
    question: 'Address of the data service (https://…):',
    // A live file needs no key.
    prove: (value) => proveUrl(serviceFor(value, '-'), parts.clock.now),
  });
  if (url === null) return false;
  const key = await settle(parts, existingValues, {
    name: 'SERVICE_KEY',
    check: 'key',
    question: "API key (account page of the community's web portal):",
    prove: (value) => proveKey(serviceFor(url, value)),
  });
  if (key === null) return false;

  writeEnvFile(envFile, { DISCORD_TOKEN: token, SERVICE_URL: url, SERVICE_KEY: key });
  prompt.say(`Written to ${envFile}, readable only to you.`);
  await waitForGuild(parts, token);
  return true;
}

interface Wanted {
  readonly name: 'DISCORD_TOKEN' | 'SERVICE_URL' | 'SERVICE_KEY';
  /** Name of the doctor's check. */
  readonly check: string;
  readonly question: string;
  /** Tries a value, and says of it what the doctor would. */
  readonly prove: (value: string) => Promise<Finding>;
}

/** Asks until a value works; null where the input ends, or nothing works. */
async function settle(
  { prompt }: SetUpParts,
  existingValues: Readonly<Record<string, string | undefined>>,
  { name, check, question, prove }: Wanted,
): Promise<string | null> {
  /** Says what came of the try. */
  async function isProved(value: string): Promise<boolean> {
    const wrong = whyWrong(name, value);
    if (value === '' || wrong !== null) {
      prompt.say(value === '' ? '❌ Nothing was entered.' : `❌ That ${wrong}.`);
      return false;
    }
    const finding = await prove(value);
    prompt.say(describeFinding(check, finding));
    return finding.verdict !== 'failed';
  }

  const existingValue = existingValues[name]?.trim() ?? '';
  if (existingValue !== '') {
    const answer = await prompt.ask(`${name} is in the file already. Keep it? [Y/n]`);
    if (answer === null) return null;
    if (!/^n/i.test(answer) && (await isProved(existingValue))) return existingValue;
  }
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const value = await prompt.ask(question, { hidden: name !== 'SERVICE_URL' });
    if (value === null) return null;
    if (await isProved(value)) return value;
  }
  prompt.say('Nothing was written. Start again once you have it: npm run setup');
  return null;
}

async function proveUrl(service: ServiceProbe, now: () => number): Promise<Finding> {
  const live = await service.live();
  await service.close();
  return liveFinding(live, now());
}

async function proveKey(service: ServiceProbe): Promise<Finding> {
  const overview = await service.overview();
  await service.close();
  const finding = keyFinding(overview, null);
  const { failure } = overview;
  // The data service has recognised a key whose limit is used up. Another key that was not checked is not written down.
  const isProved = failure === null || failure.fault === 'over-budget';
  return isProved ? finding : { ...finding, verdict: 'failed' };
}

/** The invitation is up to a person in their browser; everything else is done. */
async function waitForGuild(
  { prompt, clock, discordFor, interrupted }: SetUpParts,
  token: string,
): Promise<void> {
  const discord = discordFor(token);
  const application = await discord.application();
  if (application.kind !== 'answer') return;
  const look = async () => {
    const guilds = await discord.guilds();
    return guilds.kind === 'answer' ? guilds.value[0] : undefined;
  };
  let guild = await look();
  if (guild === undefined)
    prompt.say(`Invite it, with no more rights than it needs:\n${inviteLink(application.value.id)}`);
  prompt.say(await personalInstall(discord, application.value));
  if (guild === undefined) prompt.say('Waiting until it is in a server; Ctrl-C ends the wait.');
  const deadline = clock.monotonic() + MAX_WAIT_MS;
  while (guild === undefined && clock.monotonic() < deadline) {
    const waited = sleep(clock, LOOK_INTERVAL_MS).then(() => true);
    if (!(await Promise.race([waited, interrupted.then(() => false)]))) break;
    guild = await look();
  }
  prompt.say(
    guild === undefined
      ? 'Not in a server yet. The link stays valid; start the bot with npm start.'
      : `✅ It is in ${guild.name}. Start it with npm start, then type /setup there.`,
  );
}

/** A new application is for servers alone: its commands for people's own accounts would not appear. */
async function personalInstall(discord: DiscordProbe, application: Application): Promise<string> {
  const isSet = takesPeople(application) || (await discord.takePeople(application)).kind === 'answer';
  return isSet
    ? `People can also add it to their own account and use it in every server:\n${personalLink(application.id)}`
    : 'People cannot add it to their own account yet: turn on User Install in the Discord Developer Portal (Installation).';
}

/** Readable and writable to its owner only: it holds the token and the key. */
const MODE = 0o600;

/** The settings in a `.env`; none where there is no such file. */
function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

/**
 * Sets these values and keeps every other line. The file is complete at any moment. Throws a {@link StartError} where its
 * folder takes none.
 */
function writeEnvFile(path: string, values: Readonly<Record<string, string>>): void {
  const place = existsSync(path) ? realpathSync(path) : path;
  const text = withValues(existsSync(place) ? readFileSync(place, 'utf8') : '', values);
  const unfinished = `${place}.unfinished`;
  try {
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, text, { mode: MODE });
    renameSync(unfinished, place);
  } catch (error) {
    throw new StartError(`${path} cannot be written (${codeOf(error)}); check who may write in its folder`);
  }
}

/** The text of a `.env` with these values in it: in the lines that set them, or at the end. */
export function withValues(text: string, values: Readonly<Record<string, string>>): string {
  const remainingValues = new Map(Object.entries(values));
  const lines = text.split('\n').flatMap((line) => {
    const name = /^\s*(?:export\s+)?(?<name>\w+)\s*=/.exec(line)?.groups?.['name'] ?? '';
    const value = values[name];
    if (value === undefined) return [line];
    // The last line of a name counts, so that only one may be left.
    return remainingValues.delete(name) ? [`${name}=${quoted(value)}`] : [];
  });
  if (lines.at(-1) === '') lines.pop();
  return `${[...lines, ...[...remainingValues].map(([name, value]) => `${name}=${quoted(value)}`)].join('\n')}\n`;
}

function quoted(value: string): string {
  if (/^[\w.:/+@~=-]+$/.test(value)) return value;
  const quote = ["'", '`', '"'].find((each) => !value.includes(each));
  if (quote === undefined)
    throw new RangeError('a .env file cannot hold a value with all three kinds of quotes');
  return quote + value + quote;
}
