/**
 * How fast a board is: `npm run bench -- board`.
 * 1. `/board create` over the real bot and the sandbox, with a data service that answers in 100 ms: from the command to
 *    the message in the channel.
 * 2. On a virtual clock, six hours of a busy evening: from a change in a live file to the edit that shows it, with a
 *    service that answers in 100 ms and a Discord that answers in 40 to 160 ms.
 */
import { ChannelType } from 'discord.js';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import {
  boardsInMemory,
  type Sabotage,
  seeded,
  versionOf,
} from '../messages/boards/support/boards-in-memory.ts';
import { createBot } from '../support/bot.ts';
import { slowed } from '../support/slowed.ts';

const SECOND = 1000;
const SERVICE = 100;

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

/** Milliseconds from the command to the message, for one bot that was started for it. */
async function create(): Promise<{ shown: number; answered: number }> {
  const dataService = await startDataService();
  const slow = await slowed(dataService.url, SERVICE);
  const chat = await startChatServer();
  await using bot = await createBot(chat, dataService, { SERVICE_URL: slow.url });
  await bot.start();
  await new Promise((resolve) => setTimeout(resolve, 2 * SECOND));
  const channel = chat.channels.filter(({ type }) => type === ChannelType.GuildText).at(-1)?.id ?? '';
  const person = chat.people[0] ?? '';
  const begun = performance.now();
  let shown = Number.NaN;
  const off = chat.subscribe((event) => {
    if (event.type !== 'message' || event.message.channel_id !== channel) return;
    if (Number.isNaN(shown)) shown = performance.now() - begun;
  });
  await chat.visitor(person).invoke(channel, 'board create', [{ name: 'channel', value: channel }]);
  const answered = performance.now() - begun;
  off();
  await bot.stop();
  await chat.close();
  slow.close();
  await dataService.close();
  return { shown, answered };
}

async function edits(meanSeconds: number): Promise<readonly number[]> {
  const bot = boardsInMemory(7);
  const random = seeded(meanSeconds);
  const slow: Sabotage = {
    service: (service, { clock }) => ({
      async get(endpoint, asked, ask) {
        await new Promise<void>((resolve) => clock.after(SERVICE - 10, resolve));
        return service.get(endpoint, asked, ask);
      },
    }),
  };
  await bot.withBoard(slow);
  const changedAt = new Map<number, number>();
  const end = bot.time.elapsed + 6 * 3600 * SECOND;
  while (bot.time.elapsed < end) {
    await bot.time.pass(-Math.log(1 - random()) * meanSeconds * SECOND);
    bot.game.version += 1;
    changedAt.set(bot.game.version, bot.time.clock.now());
  }
  await bot.time.pass(20 * SECOND);
  // A change that was overtaken by a newer one is shown with that one.
  return [...changedAt].map(([version, at]) => {
    const seen = bot.chat.seen.find(({ content }) => (versionOf(content) ?? 0) >= version);
    return (seen?.at ?? Number.POSITIVE_INFINITY) - at;
  });
}

const runs = Number(process.argv[2] ?? 5);
const created = [];
for (let run = 0; run < runs; run += 1) created.push(await create());
const shown = created.map((each) => each.shown);
const answered = created.map((each) => each.answered);
process.stdout.write(`/board create, service ${SERVICE} ms, ${runs} runs (ms)
  message in the channel   median ${percentile(shown, 0.5)}  longest ${percentile(shown, 1)}
  command answered         median ${percentile(answered, 0.5)}  longest ${percentile(answered, 1)}
`);
for (const mean of [60, 20, 8]) {
  const times = await edits(mean);
  process.stdout.write(
    `a change every ${mean} s on average: ${times.length} changes, shown after p50 ${percentile(times, 0.5)}, ` +
      `p95 ${percentile(times, 0.95)}, longest ${percentile(times, 1)} ms\n`,
  );
}
