/**
 * `npm run bench -- picture [runs]`: a profile as a picture beside text, in turns: the time from the question until the whole
 * answer is in the channel. The data service answers in 50 ms. Each run starts a bot. *Cold* is its first picture, which
 * starts the drawing process while the record comes; all *warm* answers are about a driver whose record is there.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ChannelType } from 'discord.js';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import { createBot } from '../support/bot.ts';
import { slowed } from '../support/slowed.ts';
import { median, quantile } from './beside/process-figures.ts';

const SERVICE_MS = 50;
/** The start's own requests are over by then. */
const SETTLED = 3000;
/** Warm answers of each kind in a run. */
const TURNS = 40;

interface Answer {
  readonly ms: number;
  readonly isPicture: boolean;
}

const kinds = ['text, cold', 'picture, cold', 'text, warm', 'picture, warm'] as const;
const runs = Number(process.argv[2] ?? 10);
const answers = new Map<(typeof kinds)[number], Answer[]>(kinds.map((kind) => [kind, []]));
for (let run = 0; run < runs; run += 1) await measure();
console.log(`a profile, service ${SERVICE_MS} ms, ${runs} runs of ${TURNS}, Node ${process.version}`);
for (const [kind, all] of answers) {
  const times = all.map(({ ms }) => ms);
  const pictures = all.filter(({ isPicture }) => isPicture).length;
  console.log(
    `${kind.padEnd(14)} median ${median(times)} ms, p95 ${quantile(times, 0.95)} ms, ${pictures} of ${all.length} with a picture`,
  );
}

async function measure(): Promise<void> {
  const dataService = await startDataService();
  const slow = await slowed(dataService.url, SERVICE_MS);
  const chat = await startChatServer();
  await using bot = await createBot(chat, dataService, { SERVICE_URL: slow.url, LOG_LEVEL: 'warn' });
  await bot.start();
  await pause(SETTLED);
  const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
  const visitor = chat.visitor(chat.people[0] ?? '');
  const [first = '', second = '', third = ''] = dataService.drivers;
  const ask = async (kind: (typeof kinds)[number], player: string): Promise<void> => {
    const begun = performance.now();
    const { message } = await visitor.invoke(channel, 'profile', [
      { name: 'player', value: player },
      ...(kind.startsWith('text') ? [{ name: 'picture', value: false }] : []),
    ]);
    const ms = Math.round(performance.now() - begun);
    if (message === null) throw new Error('a question was not answered');
    answers.get(kind)?.push({ ms, isPicture: message.attachments.length > 0 });
  };
  // The first answer of a process compiles what all need.
  await visitor.invoke(channel, 'profile', [
    { name: 'player', value: first },
    { name: 'picture', value: false },
  ]);
  await ask('text, cold', second);
  await ask('picture, cold', third);
  for (let turn = 0; turn < TURNS; turn += 1) {
    await ask('text, warm', third);
    await ask('picture, warm', third);
  }
  await bot.stop();
  await chat.close();
  slow.close();
  await dataService.close();
}
