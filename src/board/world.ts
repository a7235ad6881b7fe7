/** Everything that boards need besides their own state: the other rooms, and what the boards of a process share. */

import type { Clock } from '../base/clock.ts';
import { StoreError } from '../base/errors.ts';
import type { Preferences, Translator } from '../i18n/translator.ts';
import type { BoardSettings, BoardState } from '../service/models/board.ts';
import type { Poll } from '../service/poll/poll.ts';
import type { Fence } from '../shards/fence.ts';
import type { ServedGuilds } from '../shards/shards.ts';
import type { BoardChannels, RequestFailure } from './channels.ts';
import type { createPace } from './pace.ts';
import type { createRenderer, Frame } from './render.ts';
import type { BoardRecords } from './stored-boards.ts';

export interface World {
  readonly channels: BoardChannels;
  readonly records: BoardRecords;
  /** Which guilds' boards are this process's; how many processes share Discord's limit on requests. */
  readonly shards: ServedGuilds;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string, reading?: Preferences) => Translator;
  /** A bug or a store failure; the boards continue. */
  readonly failed: (error: unknown) => void;
  readonly pace: ReturnType<typeof createPace>;
  readonly render: ReturnType<typeof createRenderer>;
  /** Messages that are kept as boards are; how they look and where they are stored is their owner's. */
  readonly others: {
    readonly records: Pick<BoardRecords, 'served' | 'saveState' | 'remove'> & {
      stateOf(id: string): Promise<BoardState | null>;
    };
    /** Null while it is not known. */
    frame(id: string): Frame | null;
    /** The custom id of one of its buttons, which no other message has. */
    marker(id: string): string;
  };
  /** How often the writing of a board's message has ended in each way since the start. */
  readonly writes: Map<'ok' | RequestFailure['kind'], number>;
}

/** The other rooms alone. */
export type Rooms = Omit<World, 'pace' | 'render' | 'writes'>;

/** By which a message is stored. */
export function messageKey({ id, channelId }: Pick<BoardSettings, 'id' | 'channelId'>): string {
  return id ?? channelId;
}

/** What is stored of one message. Writing rejects where this process no longer holds its shard. */
export function recordOf(
  settings: BoardSettings,
  { records, others, shards }: Pick<World, 'records' | 'others' | 'shards'>,
) {
  const stored = settings.id === undefined ? records : others.records;
  const key = messageKey(settings);
  const fenced = async (write: (fence: Fence) => Promise<void>): Promise<void> => {
    const fence = shards.fenceOf(settings.guildId);
    if (fence === null) throw new StoreError('another process may hold the shard of this board by now');
    await write(fence);
  };
  return {
    state: () => stored.stateOf(key),
    save: (state: BoardState) => fenced((fence) => stored.saveState(key, state, fence)),
    forget: () => fenced((fence) => stored.remove(key, fence)),
  };
}
