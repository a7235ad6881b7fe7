/** State of the chat: guilds, messages, interactions, commands and files, and the faults that are on. */

import type { ChatServerOptions } from './chat.ts';
import { createGuilds, type Guilds } from './guild/guilds.ts';
import { type Attachments, createAttachments } from './routes/attachments.ts';
import { type ChannelChanges, createChannelEdits } from './routes/channel-edits.ts';
import { createSnowflakes } from './snowflake.ts';
import { type BotToken, createBotToken, inventToken } from './state/bot-token.ts';
import { type Commands, createCommands } from './state/commands.ts';
import { createFaults, type FaultName, type Faults } from './state/faults.ts';
import { createInteractions, type Interactions } from './state/interactions.ts';
import { createMessages, type MessageChange, type Messages } from './state/messages.ts';
import { createSessionStarts, type SessionStarts } from './state/session-starts.ts';

export interface ChatState {
  readonly now: () => number;
  readonly nextId: () => string;
  readonly token: BotToken;
  readonly starts: SessionStarts;
  readonly guilds: Guilds;
  readonly channelEdits: ReturnType<typeof createChannelEdits>;
  readonly faults: Faults;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly attachments: Attachments;
  readonly commands: Commands;
}

/** Called after the change. */
interface StateChanges extends ChannelChanges {
  message(change: MessageChange): void;
  commands(): void;
  fault(name: FaultName, on: boolean): void;
  /** Base address of files. */
  readonly origin: () => string;
}

export function createChatState(options: ChatServerOptions, changes: StateChanges): ChatState {
  const { now = Date.now, maxConcurrency = 1, identifySpacing: spacing = 0 } = options;
  const guilds = createGuilds(options.botId);
  for (let more = 1; more < (options.guilds ?? 1); more += 1) guilds.add();
  const nextId = createSnowflakes(now);
  return {
    now,
    nextId,
    guilds,
    token: createBotToken(options.token ?? inventToken(guilds.main.bot.id)),
    starts: createSessionStarts({ total: options.identifiesPerDay ?? 1000, maxConcurrency, spacing, now }),
    channelEdits: createChannelEdits(guilds, changes),
    faults: createFaults((name, on) => changes.fault(name, on)),
    messages: createMessages(now, nextId, (change) => changes.message(change)),
    interactions: createInteractions(now),
    attachments: createAttachments(nextId, changes.origin),
    commands: createCommands(guilds.main, nextId, () => changes.commands()),
  };
}
