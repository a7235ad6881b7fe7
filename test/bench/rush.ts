/**
 * `npm run bench -- rush [runs]`: 300 questions at once to a bot that has just started, with a data service that answers
 * in 50 ms: how many are acknowledged, after how long, and when they have their answers. The sandbox's twelve people ask about sixty drivers, so that
 * everyone stays within their share; whoever asks what is being asked already shares the request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ChannelType } from 'discord.js';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import { createBot } from '../support/bot.ts';
import { slowed } from '../support/slowed.ts';
import { quantile } from './beside/process-figures.ts';

const QUESTIONS = 300;
const DRIVERS = 60;
const SERVICE_MS = 50;
/** The start's own requests are over by then. */
const SETTLED = 3000;

const runs = Number(process.argv[2] ?? 3);
const times: number[] = [];
const answered: number[] = [];
let acknowledged = 0;
for (let run = 0; run < runs; run += 1) {
  const outcomes = await rush();
  const inTime = outcomes.filter((outcome) => outcome.acknowledged !== 'failed');
  acknowledged += inTime.length;
  times.push(...inTime.map(({ after }) => after));
  answered.push(...inTime.map((outcome) => outcome.answered));
}
console.log(`${QUESTIONS} people at once, service ${SERVICE_MS} ms, ${runs} runs, Node ${process.version}`);
console.log(`acknowledged ${((100 * acknowledged) / (runs * QUESTIONS)).toFixed(1)} %`);
console.log(`acknowledged after: p50 ${quantile(times, 0.5)} ms, p99 ${quantile(times, 0.99)} ms`);
console.log(`answered after: p50 ${quantile(answered, 0.5)} ms, p99 ${quantile(answered, 0.99)} ms`);

async function rush() {
  const dataService = await startDataService();
  const slow = await slowed(dataService.url, SERVICE_MS);
  const chat = await startChatServer();
  await using bot = await createBot(chat, dataService, { SERVICE_URL: slow.url, LOG_LEVEL: 'warn' });
  await bot.start();
  await pause(SETTLED);
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  const visitors = chat.people.map((id) => chat.visitor(id));
  const asked = performance.now();
  const outcomes = await Promise.all(
    Array.from({ length: QUESTIONS }, async (_, index) => {
      const value = dataService.drivers[index % DRIVERS] ?? '';
      const visitor = visitors[index % visitors.length];
      if (visitor === undefined) throw new Error('nobody is there to ask');
      const outcome = await visitor.invoke(channel, 'profile', [{ name: 'player', value }]);
      return { ...outcome, answered: Math.round(performance.now() - asked) };
    }),
  );
  await bot.stop();
  await chat.close();
  slow.close();
  await dataService.close();
  return outcomes;
}
