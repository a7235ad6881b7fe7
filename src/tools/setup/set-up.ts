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
import type { Prompt } from './prompt.ts';

type Name = 'DISCORD_TOKEN' | 'SERVICE_URL' | 'SERVICE_KEY';

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
    question: 'Bot token (Discord Developer Portal, your application, Bot, Reset Token):',
    prove: (value) => proveToken(discordFor(value)),
  });
  if (token === null) return false;
  const url = await settle(parts, existingValues, {
    name: 'SERVICE_URL',
    question: 'Address of the data service (https://…):',
    // A live file needs no key.
    prove: (value) => proveUrl(serviceFor(value, '-')),
  });
  if (url === null) return false;
  const key = await settle(parts, existingValues, {
    name: 'SERVICE_KEY',
    question: "API key (account page of the community's web portal):",
    prove: (value) => proveKey(serviceFor(url, value)),
  });
  if (key === null) return false;

  writeEnvFile(envFile, { DISCORD_TOKEN: token, SERVICE_URL: url, SERVICE_KEY: key });
  prompt.say(`Written to ${envFile}, readable only to you.`);
  await waitForGuild(parts, token);
  return true;
}

/** Result of trying a value. */
interface Proof {
  readonly works: boolean;
  readonly says: string;
}

interface Wanted {
  readonly name: Name;
  readonly question: string;
  readonly prove: (value: string) => Promise<Proof>;
}

/** Asks until a value works; null where the input ends, or nothing works. */
async function settle(
  { prompt }: SetUpParts,
  existingValues: Readonly<Record<string, string | undefined>>,
  { name, question, prove }: Wanted,
): Promise<string | null> {
  /** Says what came of the try. */
  async function isProved(value: string): Promise<boolean> {
    const { works, says } = await proofOf(name, value, prove);
    prompt.say(`${works ? '✅' : '❌'} ${says}`);
    return works;
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

async function proofOf(name: Name, value: string, prove: Wanted['prove']): Promise<Proof> {
  if (value === '') return { works: false, says: 'Nothing was entered.' };
  const wrong = whyWrong(name, value);
  return wrong === null ? prove(value) : { works: false, says: `That ${wrong}.` };
}

async function proveToken(discord: DiscordProbe): Promise<Proof> {
  const application = await discord.application();
  if (application.kind === 'answer')
    return { works: true, says: `It belongs to the application ${application.value.name}.` };
  if (application.kind === 'refused' && application.status === 401)
    return {
      works: false,
      says: 'Discord rejects it. Copy it again: it is shown only once, after Reset Token.',
    };
  return { works: false, says: 'Discord does not answer, so the token could not be checked.' };
}

async function proveUrl(service: ServiceProbe): Promise<Proof> {
  const { failure } = await service.live();
  await service.close();
  return failure === null
    ? { works: true, says: 'The data service answers.' }
    : { works: false, says: `No data service answers there (${failure.detail ?? failure.fault}).` };
}

async function proveKey(service: ServiceProbe): Promise<Proof> {
  const { failure, rate } = await service.overview();
  await service.close();
  if (failure === null) {
    const limit = rate?.limit ?? null;
    return {
      works: true,
      says: limit === null ? 'Accepted.' : `Accepted, ${limit} requests in ${rate?.windowSeconds} s.`,
    };
  }
  if (failure.refusal === 'address')
    return {
      works: false,
      says: 'It is restricted to other IP addresses. Allow this one in the account page, or use a client key.',
    };
  if (failure.refusal === 'key') return { works: false, says: 'The data service does not accept it.' };
  // The key was recognised: only its limit is used up.
  if (failure.fault === 'over-budget')
    return { works: true, says: 'Accepted; its hourly limit is used up right now.' };
  return { works: false, says: `The data service could not check it (${failure.detail ?? failure.fault}).` };
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
