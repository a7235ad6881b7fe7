/**
 * Discord and the data service as a process of their own, for bots that no test starts: `.ci/deployment`. Writes the
 * settings of such a bot to a file, and answers each command that it reads with what the bot says to it, as JSON.
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ChannelType } from 'discord.js';
import { botSettings } from '../../src/sandbox/bot-settings.ts';
import { startChatServer } from '../../src/sandbox/chat/chat-server.ts';
import { startDataService } from '../../src/sandbox/service/data-service.ts';
import { readable } from './readable.ts';

const [, , file = ''] = process.argv;
const [chat, dataService] = await Promise.all([startChatServer(), startDataService()]);
const { STORE_URL: _, ...settings } = botSettings(chat, dataService, '');
const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
writeFileSync(file, lines.join(''), { mode: 0o600 });

const visitor = chat.visitor(chat.people[0] ?? '');
const channel = chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '';
const player = { name: 'player', value: dataService.drivers[0] ?? '' };
for await (const command of createInterface(process.stdin)) {
  const { message } = await visitor.invoke(channel, command, command === 'profile' ? [player] : []);
  process.stdout.write(`${JSON.stringify(message === null ? null : readable(message))}\n`);
}
