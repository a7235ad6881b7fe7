/**
 * `npm run demo`: the data service, the local chat server, the real bot between them, and the page. `-- --watch` restarts the bot
 * alone whenever one of its files changes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { resolveWithin } from '../base/clock.ts';
import { DAY, MINUTE } from '../base/duration.ts';
import { botSettings } from '../sandbox/bot-settings.ts';
import { type ChatServer, startChatServer } from '../sandbox/chat/chat-server.ts';
import type { Visitor } from '../sandbox/chat/visitor/visitor.ts';
import { awaitFirstPicture, firstLook } from '../sandbox/first-look.ts';
import { readAssets } from '../sandbox/page/assets.ts';
import { widgetOf } from '../sandbox/page/chat-view.ts';
import { startPage } from '../sandbox/page/server.ts';
import { type DataService, startDataService } from '../sandbox/service/data-service.ts';
import { writeMemory, writePast } from './demo/write-past.ts';

const BAD_SETTINGS_EXIT_CODE = 78;
/** A first start compiles everything, on a machine that may be busy. */
const START_TIMEOUT_MS = 3 * MINUTE;
/** The bot stops within eight seconds of SIGTERM; after that it hangs. */
const STOP_TIMEOUT_MS = 9000;

/** How long the bot remembers this community, in ms. */
const PAST_MS = 365 * DAY;

const storeFile = (folder: string): string => join(folder, 'pitwall.sqlite');

const Port = z.coerce.number().int().min(0).max(65_535);

process.exit(await main());

async function main(): Promise<number> {
  const port = Port.safeParse(process.env['PORT'] ?? 4173);
  if (!port.success) {
    say('PORT must be a number from 0 to 65535: the port of the page, 0 for any free one.');
    return BAD_SETTINGS_EXIT_CODE;
  }
  const stop = Promise.withResolvers<'stop'>();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop.resolve('stop'));

  await using resources = new AsyncDisposableStack();
  say('Starting a small community: its data service and its Discord …');
  const chat = await startChatServer();
  resources.defer(() => chat.close());
  const guild = () => widgetOf(chat);
  const dataService = await startDataService({ namedLiveFiles: true, hostileNames: false, guild });
  resources.defer(() => dataService.close());
  const visited = Promise.withResolvers<Visitor['locale']>();
  const page = await startPage({
    assets: await readAssets(),
    chat,
    dataService,
    port: port.data,
    visited: visited.resolve,
  });
  resources.defer(() => page.close());

  const folder = await mkdtemp(join(tmpdir(), 'pitwall-demo-'));
  await giveAPast(chat, dataService, storeFile(folder));
  const bot = startBot(chat, dataService, folder);
  const died = once(bot, 'close').then(() => 'died' as const);
  resources.defer(() => stopBot(bot));

  const firstPicture = chat.ready().then(() => awaitFirstPicture(chat, dataService));
  const ready = firstPicture.then(() => 'ready' as const);
  const start = (await resolveWithin(Promise.race([ready, died, stop.promise]), START_TIMEOUT_MS)) ?? 'late';
  if (start === 'late')
    say(`The bot is not ready after ${START_TIMEOUT_MS / MINUTE} minutes. Its log: ${folder}`);
  if (start === 'ready') {
    void visited.promise.then((locale) => firstLook(chat, dataService, locale));
    const isPortInUse = port.data !== 0 && new URL(page.url).port !== String(port.data);
    if (isPortInUse) say(`Port ${port.data} is in use: the page has another one. PORT=<number> chooses it.`);
    say('The bot is logged in. Everything runs on this machine alone; Ctrl-C ends it.');
    say(page.url);
  }
  const end = start === 'ready' ? await Promise.race([died, stop.promise]) : start;
  if (end === 'died')
    say(`The bot ended (${bot.signalCode ?? `exit code ${bot.exitCode}`}). Its log: ${folder}`);
  if (end !== 'stop') return 1;
  await resources.disposeAsync();
  // The bot's store and log are useless without this community.
  await rm(folder, { recursive: true, force: true });
  return 0;
}

/** The bot remembers a year of this community, as if it had watched it. */
async function giveAPast(chat: ChatServer, dataService: DataService, file: string): Promise<void> {
  const now = Date.now();
  const pastStart = now - PAST_MS;
  const [past, records, offers] = [dataService.past(pastStart), dataService.records(), dataService.offers()];
  await writePast(file, { past, records, offers, since: pastStart, until: now });
  // The convoy's maker may write there.
  const channel = chat.channels.find(({ name }) => name === 'garage-talk')?.id;
  // The page's first visitor has linked nobody, so that they can try it.
  const [, ...otherPeople] = chat.people;
  const members = otherPeople.map((person) => ({ person, username: driverOf(person, chat, records) }));
  await writeMemory(file, records, { guild: chat.guildId, channel: channel ?? '', members });
}

/** The driver who has a member's first name somewhere in a name; null: none. */
function driverOf(
  person: string,
  { members }: ChatServer,
  records: ReturnType<DataService['records']>,
): string | null {
  const user = members.find((member) => member.user.id === person)?.user;
  const [first = ''] = (user?.global_name ?? '').toLowerCase().split(' ');
  const matchingRecord = records.find((each) =>
    `${each.username} ${each.nickname}`.toLowerCase().includes(first),
  );
  return first === '' ? null : (matchingRecord?.username ?? null);
}

/**
 * The unmodified bot, configured only through its settings; in its own process group, so that Ctrl-C reaches it
 * once.
 */
function startBot(chat: ChatServer, dataService: DataService, folder: string): ChildProcess {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const watched = process.argv.includes('--watch') ? ['--watch', '--watch-preserve-output'] : [];
  const bot = spawn(process.execPath, [...watched, main], {
    cwd: folder,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...botSettings(chat, dataService, `sqlite://${storeFile(folder)}`),
      LOG_LEVEL: 'warn',
    },
  });
  // The page's address stays the last line on the screen.
  const log = createWriteStream(join(folder, 'bot.log'));
  bot.stdout.pipe(log, { end: false });
  bot.stderr.pipe(log, { end: false });
  return bot;
}

async function stopBot(bot: ChildProcess): Promise<void> {
  if (bot.exitCode !== null || bot.signalCode !== null) return;
  const exit = once(bot, 'exit');
  bot.kill('SIGTERM');
  await resolveWithin(exit, STOP_TIMEOUT_MS);
  if (bot.exitCode === null && bot.signalCode === null) bot.kill('SIGKILL');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
