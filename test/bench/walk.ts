/**
 * How many of the bot's files one cached `/profile` passes: `npm run bench -- walk`. V8 counts the calls of each function of
 * the real bot over the sandbox, in one process. A function counts where every round enters it: the polls beside it do not.
 */
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChannelType } from 'discord.js';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import { createBotWithin } from '../support/bot-within.ts';

const ROUNDS = 12;
/** After a reply, in ms: what follows an answer belongs to it. */
const AFTERWARDS = 150;
const root = new URL('../..', import.meta.url).href;
const PRODUCT = /^(?:src\/(?!sandbox\/|i18n\/locales\/)|commands\/)/;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Calls by file and function since the last time. */
async function taken(): Promise<ReadonlyMap<string, number>> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return new Map(
    result
      .filter(({ url }) => url.startsWith(root) && PRODUCT.test(url.slice(root.length)))
      .flatMap(({ url, functions }) =>
        functions.flatMap(({ functionName, ranges: [range] }) =>
          range === undefined || range.count === 0
            ? []
            : [[`${url.slice(root.length)} ${functionName}@${range.startOffset}`, range.count] as const],
        ),
      ),
  );
}

async function walk(name: string, ask: () => Promise<unknown>): Promise<void> {
  await ask();
  let calls: ReadonlyMap<string, number> | null = null;
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(AFTERWARDS);
    await taken();
    await ask();
    await sleep(AFTERWARDS);
    const now = await taken();
    calls = new Map(
      [...(calls ?? now)].flatMap(([key, count]) => {
        const again = now.get(key);
        return again === undefined ? [] : [[key, Math.min(count, again)] as const];
      }),
    );
  }
  const called = calls ?? new Map<string, number>();
  const files = [...new Set([...called.keys()].map((key) => key.split(' ')[0] ?? ''))].toSorted();
  const moduleOf = (file: string) => /^(?:src\/[^/]+|commands)/.exec(file)?.[0] ?? '';
  const modules = Map.groupBy(files, moduleOf);
  const sum = [...called.values()].reduce((total, count) => total + count, 0);
  if (process.argv.includes('--functions'))
    for (const [key, count] of [...called].toSorted()) process.stdout.write(`${key} ${count}\n`);
  process.stdout.write(
    `${name}: ${files.length} files in ${modules.size} modules, ${called.size} functions, ${sum} calls\n` +
      [...modules]
        .map(
          ([module, names]) =>
            `  ${module} ${names.length}: ${names.map((file) => file.slice(module.length + 1)).join(' ')}\n`,
        )
        .join(''),
  );
}

const dataService = await startDataService();
const chat = await startChatServer();
{
  await using bot = await createBotWithin(chat, dataService);
  await bot.start();
  // The look at everything that a start begins with.
  await sleep(3000);
  const visitor = chat.visitor(chat.people[0] ?? '');
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  const [value = ''] = dataService.drivers;
  await walk('cached /profile', () => visitor.invoke(channel, 'profile', [{ name: 'player', value }]));
}
await chat.close();
await dataService.close();
session.disconnect();
