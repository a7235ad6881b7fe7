/** Everything that boards need besides their own state: the other rooms, and what the boards of a process share. */

import type { Clock } from '../base/clock.ts';
import { StoreError } from '../base/errors.ts';
import type { Preferences, Translator } from '../i18n/translator.ts';
import type { BoardSettings, BoardState } from '../service/models/board.ts';
import type { Poll } from '../service/poll/poll.ts';
import type { Cluster } from '../shards/cluster.ts';
import type { Fence } from '../shards/fence.ts';
import type { BoardRecords } from './board-records.ts';
import type { BoardChannels, RequestFailure } from './channels.ts';
import type { createPace } from './pace.ts';
import { type createRenderer, type Frame, markerOf } from './render.ts';

export interface World {
  readonly channels: BoardChannels;
  readonly records: BoardRecords;
  /** Which guilds' boards are this process's; how many processes share Discord's limit on requests. */
  readonly cluster: Pick<Cluster, 'holds' | 'fenceOf' | 'served' | 'processes'>;
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

/** The fence for what is written of the guild's boards; throws where this process no longer holds their shard. */
export function fenceOrThrow({ cluster }: Pick<World, 'cluster'>, guildId: string): Fence {
  const fence = cluster.fenceOf(guildId);
  if (fence === null) throw new StoreError('another process may hold the shard of this board by now');
  return fence;
}

type MessageKey = Pick<BoardSettings, 'id' | 'channelId'>;

/** Where a message is stored. */
export function messageKey({ id, channelId }: MessageKey): string {
  return id ?? channelId;
}

export function recordsOf({ id }: MessageKey, { records, others }: Pick<World, 'records' | 'others'>) {
  return id === undefined ? records : others.records;
}

/** By which it is found again in its channel. */
export function markerFor({ id, channelId }: MessageKey, { others }: Pick<World, 'others'>): string {
  return id === undefined ? markerOf(channelId) : others.marker(id);
}

/** Deletes a board's record. Rejects where another process holds its shard by now. */
export async function forget(settings: BoardSettings, world: World): Promise<void> {
  await recordsOf(settings, world).remove(messageKey(settings), fenceOrThrow(world, settings.guildId));
}
