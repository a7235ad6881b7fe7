/** Everything that boards need besides their own state: the other parts of the bot, and what the boards of a process share. */

import type { Clock } from '../../base/clock.ts';
import type { Preferences, Translator } from '../../i18n/translator.ts';
import type { Poll } from '../../service/poll/poll.ts';
import type { OwnGuilds } from '../../store/shards/shards.ts';
import type { BoardChannels, RequestFailure } from './channels.ts';
import type { KeptMessages } from './kept-messages.ts';
import type { createPace } from './pace.ts';
import type { BoardRecords } from './stored-boards.ts';

export interface World {
  readonly channels: BoardChannels;
  readonly records: BoardRecords;
  /** Guilds whose boards this process runs, and the number of processes that share Discord's limit on requests. */
  readonly shards: OwnGuilds;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string, reading?: Preferences) => Translator;
  /** A bug or a store failure; the boards continue. */
  readonly failed: (error: unknown) => void;
  readonly pace: ReturnType<typeof createPace>;
  /** Other messages that the runner keeps up to date; see {@link KeptMessages}. */
  readonly keptMessages: readonly KeptMessages[];
  /** How often the writing of a board's message has ended in each way since the start. */
  readonly writes: Map<'ok' | RequestFailure['kind'], number>;
}

/** The other parts of the bot, from which boards are created. */
export type BoardParts = Omit<World, 'pace' | 'writes'>;
