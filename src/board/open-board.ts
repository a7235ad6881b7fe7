/** A board of this process, with what it needs from the other rooms. */
import type { Clock } from '../base/clock.ts';
import { StoreError } from '../base/errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Poll } from '../service/poll/poll.ts';
import type { Keeping } from '../shards/keeping.ts';
import type { BoardRecord, BoardRecords, BoardSettings, Proof } from './board-records.ts';
import type { BoardChat, Done } from './channel.ts';
import type { Pace } from './pace.ts';
import { pauseMessage } from './pause-message.ts';
import { type createRenderer, markerOf } from './render.ts';
import { type Board, createBoard } from './runner.ts';
import type { Paused } from './state.ts';

export interface OpenBoardParts {
  readonly chat: BoardChat;
  readonly records: BoardRecords;
  /** Which guilds' boards are this process's. */
  readonly keeping: Keeping;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string) => Translator;
  /** A bug or a store failure; the boards continue. */
  readonly failed: (error: unknown) => void;
}

/** What the boards of a process share among themselves. */
interface Shared {
  /** How often to check that a message still exists, in ms. */
  readonly checkEvery: () => number;
  readonly pace: Pace;
  readonly render: ReturnType<typeof createRenderer>;
  /** Deletes the board's record, once its messages are deleted. */
  readonly forget: (settings: BoardSettings) => Promise<void>;
}

export function openBoard({ settings, state }: BoardRecord, parts: OpenBoardParts, shared: Shared): Board {
  const { chat, records, keeping, poll, clock, random, translatorFor } = parts;
  const { channelId } = settings;
  const { checkEvery, pace, render, forget } = shared;
  return createBoard({
    marker: markerOf(channelId),
    settings,
    stored: state,
    ...{ chat, clock, random, takeTicket: pace.take },
    forget: () => forget(settings),
    save: async (next) => records.saveState(channelId, next, proven(keeping, settings.guildId)),
    notify: (to, paused) => notify(to, paused, parts),
    observe: ({ guildId, locale, options }, paused) => ({
      mayAct: keeping.proofOf(guildId) !== null,
      access: chat.access(guildId, channelId),
      topic: chat.topic(guildId, channelId),
      voice: options.voice === null ? { kind: 'unknown-channel' } : chat.voice(guildId, options.voice),
      frame: poll.isReady()
        ? render(
            channelId,
            { facts: poll.facts, view: options, now: clock.now(), paused, round: pace.round() },
            translatorFor(options.language ?? locale),
          )
        : null,
      checkEvery: checkEvery(),
      served: pace.served(),
    }),
    onBug: parts.failed,
  });
}

/** Shows the store that this process keeps the guild's boards; throws where it no longer does. */
export function proven(keeping: Keeping, guildId: string): Proof {
  const proof = keeping.proofOf(guildId);
  if (proof === null) throw new StoreError('another process may keep this board by now');
  return proof;
}

async function notify(
  settings: BoardSettings,
  paused: Paused,
  { chat, translatorFor }: OpenBoardParts,
): Promise<Done> {
  // The maker had their data deleted.
  if (settings.madeBy === '') return { kind: 'ok' };
  const text = pauseMessage(settings, paused, translatorFor(settings.options.language ?? settings.locale));
  return chat.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}
