import { ChannelType } from 'discord.js';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import type { ContextParts } from '../../src/command-kit/context.ts';
import { createViewers } from '../../src/command-kit/viewer.ts';
import { createConnection } from '../../src/discord/connection.ts';
import type { AnswerParts } from '../../src/discord/interactions/answer.ts';
import { createDispatch } from '../../src/discord/interactions/dispatch.ts';
import { describeCommands } from '../../src/discord/publish/describe-commands.ts';
import type { Commands } from '../../src/discord/publish/load.ts';
import { createPublisher } from '../../src/discord/publish/publish.ts';
import { contextParts } from './context.ts';
import { startChatServer } from './outside-judge.ts';
import { createTranslators } from './translators.ts';

const translatorFor = createTranslators();
const log = createLog({ level: 'silent', secrets: [] });

/**
 * The dispatch with these commands, over a local chat server and a real client, in this process. Its store is in
 * memory, and it knows nothing that `parts` does not bring.
 */
export async function startLocalBot(
  commands: Commands,
  parts: Partial<ContextParts> = {},
  more: Partial<Pick<AnswerParts, 'pictures' | 'deferAfter'>> = {},
) {
  const chat = await startChatServer();
  const context = contextParts(parts);
  const viewerOf = createViewers({ ...context, translatorFor, failed: () => {} });
  const start = async () => {
    const dispatch = createDispatch({
      mayAnswer: async () => true,
      ...{ commands, translatorFor, log, clock: systemClock, context, viewerOf, notify: async () => {} },
      ...{ deferAfter: 5000, ...more },
    });
    const connection = createConnection({ token: chat.token, apiUrl: chat.apiUrl, log });
    connection.onInteraction(dispatch.handle);
    await connection.connect([{ id: 0, count: 1 }]);
    return connection;
  };
  let connection = await start();
  const payloads = describeCommands(commands, translatorFor, [], true);
  await createPublisher(connection.rest, null, payloads, log).publish(await connection.application());
  return {
    ...{ chat, store: context.store },
    channel: chat.channels.find(({ type }) => type === ChannelType.GuildText)?.id ?? '',
    /** Manages the guild. */
    manager: chat.visitor(chat.people[0] ?? ''),
    /** Manages nothing. */
    neighbour: chat.visitor(chat.people[3] ?? ''),
    /** What is in the store stays. */
    async restart() {
      await connection.close();
      connection = await start();
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      await chat.close();
    },
  };
}
