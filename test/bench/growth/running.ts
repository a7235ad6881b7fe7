/** What the bot of `npm start` costs while nobody asks: in so many guilds, and with so many boards. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { botSettings } from '../../../src/sandbox/bot-settings.ts';
import { type LocalChat, startChatServer } from '../../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { end } from '../beside/measure.ts';
import { processorMs, residentMiB } from '../beside/process-figures.ts';
import { createServersWithBoards } from '../boards/servers-with-boards.ts';
import { spawnBot } from '../spawn-bot.ts';
import type { Costs } from './growing.ts';

const SECOND = 1000;
/** What the start leaves to be done: each board is edited once, 40 a second. */
const SETTLING = 15 * SECOND;
const EDITS_A_SECOND = 40;
const measured = Number(process.env['SECONDS'] ?? 20);

export async function guilds(count: number): Promise<Costs> {
  const folder = await mkdtemp(join(tmpdir(), 'pitwall-growth-'));
  const storeUrl = `sqlite://${join(folder, 'store.sqlite')}`;
  return running({ chat: await startChatServer({ guilds: count }), folder, storeUrl }, SETTLING);
}

export async function boards(count: number): Promise<Costs> {
  return running(await createServersWithBoards(count), SETTLING + (count / EDITS_A_SECOND) * SECOND);
}

interface Deployment {
  readonly chat: LocalChat;
  readonly folder: string;
  readonly storeUrl: string;
}

async function running({ chat, folder, storeUrl }: Deployment, settling: number): Promise<Costs> {
  const dataService = await startDataService();
  const bot = spawnBot(folder, { ...botSettings(chat, dataService, storeUrl), LOG_LEVEL: 'warn' });
  const pid = bot.pid ?? 0;
  try {
    const died = once(bot, 'exit').then(() => Promise.reject(new Error('the bot ended')));
    await Promise.race([chat.ready(), died]);
    const starting = processorMs(pid);
    await Promise.race([pause(settling), died]);
    died.catch(() => {});
    const before = processorMs(pid);
    await pause(measured * SECOND);
    return {
      'MiB resident': residentMiB(pid),
      'CPU ms of the start': starting,
      'CPU ms a second': (processorMs(pid) - before) / measured,
    };
  } finally {
    await end(bot);
    await chat.close();
    await dataService.close();
    await rm(folder, { recursive: true, force: true });
  }
}
