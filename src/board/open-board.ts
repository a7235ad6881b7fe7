/** A board of this process, with what it needs from the other rooms. */
import type { Clock } from '../base/clock.ts';
import { StoreError } from '../base/errors.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Poll } from '../service/poll/poll.ts';
import type { Fence } from '../shards/fence.ts';
import type { ShardLeases } from '../shards/shard-leases.ts';
import type { BoardRecord, BoardRecords, BoardSettings } from './board-records.ts';
import { type BoardChannels, type Done, RIGHTS } from './channels.ts';
import type { Pace } from './pace.ts';
import { type createRenderer, markerOf } from './render.ts';
import { type Board, createBoard } from './runner.ts';
import type { Paused } from './state.ts';

export interface OpenBoardParts {
  readonly channels: BoardChannels;
  readonly records: BoardRecords;
  /** Which guilds' boards are this process's. */
  readonly leases: ShardLeases;
  readonly poll: Poll;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  readonly translatorFor: (locale: string) => Translator;
  /** A bug or a store failure; the boards continue. */
  readonly failed: (error: unknown) => void;
}

/** Shared by the boards of a process. */
interface Shared {
  /** How often to check that a message still exists, in ms. */
  readonly checkEvery: () => number;
  readonly pace: Pace;
  readonly render: ReturnType<typeof createRenderer>;
  /** Deletes the board's record, once its messages are deleted. */
  readonly forget: (settings: BoardSettings) => Promise<void>;
}

export function openBoard({ settings, state }: BoardRecord, parts: OpenBoardParts, shared: Shared): Board {
  const { channels, records, leases, poll, clock, random, translatorFor } = parts;
  const { channelId } = settings;
  const { checkEvery, pace, render, forget } = shared;
  return createBoard({
    marker: markerOf(channelId),
    settings,
    stored: state,
    channels,
    clock,
    random,
    takeTicket: pace.take,
    forget: () => forget(settings),
    save: async (next) => records.saveState(channelId, next, fenceOrThrow(leases, settings.guildId)),
    notify: (to, paused) => notify(to, paused, parts),
    observe: ({ guildId, locale, options }, paused) => ({
      mayAct: leases.fenceOf(guildId) !== null,
      access: channels.access(guildId, channelId),
      topic: channels.topic(guildId, channelId),
      voice: options.voice === null ? { kind: 'unknown-channel' } : channels.voice(guildId, options.voice),
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

/** The fence for what is written of the guild's boards; throws where this process no longer holds their shard. */
export function fenceOrThrow(leases: ShardLeases, guildId: string): Fence {
  const fence = leases.fenceOf(guildId);
  if (fence === null) throw new StoreError('another process may hold the shard of this board by now');
  return fence;
}

async function notify(
  settings: BoardSettings,
  paused: Paused,
  { channels, translatorFor }: OpenBoardParts,
): Promise<Done> {
  // The maker had their data deleted.
  if (settings.madeBy === '') return { kind: 'ok' };
  const text = pauseMessage(settings, paused, translatorFor(settings.options.language ?? settings.locale));
  return channels.notify(settings.madeBy, text, `t${paused.since}${settings.channelId.slice(-10)}`);
}

/** The message to a board's maker when the board cannot continue. */
export function pauseMessage(
  { channelId }: BoardSettings,
  { why, missing }: Pick<Paused, 'why' | 'missing'>,
  t: Translator,
): string {
  const channel = `<#${channelId}>`;
  if (why !== 'rights')
    return t(why === 'channel' ? 'board.notified.channel' : 'board.notified.unwanted', { channel });
  const rights = RIGHTS.filter((right) => missing.includes(right)).map((right) => t(`board.right.${right}`));
  // Discord refuses although the rights look right.
  if (rights.length === 0) return t('board.notified.refused', { channel });
  return t('board.notified.rights', { channel, rights: rights.join(', ') });
}
