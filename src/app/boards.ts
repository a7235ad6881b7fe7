/** What commands want of the live boards. A board is identified by its channel; each channel has at most one. */
import type { BoardAccess } from '../cards/about/diagnosis-card.ts';
import {
  type ListedBoardStatus,
  type ListedOptions,
  type ListedProblem,
  problemLines,
} from '../cards/board/board-list-card.ts';
import { rightNames } from '../cards/board/right-name.ts';
import type { Translator } from '../i18n/translator.ts';

export type BoardOptions = ListedOptions;

interface NewBoard {
  readonly guildId: string;
  readonly channelId: string;
  /** The maker, who is notified when the board cannot continue. */
  readonly madeBy: string;
  /** The language in which it is made, BCP 47. */
  readonly locale: string;
  /** What differs from a usual new board. */
  readonly options?: Partial<BoardOptions>;
}

/** Why a channel has no new board. */
type NoBoard =
  | { readonly kind: 'missing'; readonly rights: readonly string[] }
  | { readonly kind: 'unknown-channel' | 'unavailable' | 'there' | 'too-many' };

/** Why a message could not be sent. */
type NotSent =
  | { readonly kind: 'missing'; readonly rights: readonly string[] }
  | { readonly kind: 'unknown-channel' | 'unavailable' }
  | { readonly kind: 'unknown-message' | 'forbidden' | 'too-fast' | 'refused' | 'lost' };

/** `posted` is false where Discord has not accepted the message yet; the board retries by itself. */
type Created = { readonly kind: 'created' | 'resumed'; readonly posted: boolean } | NoBoard;

interface Removed {
  /** Where the bot may no longer see the channel, nobody but its people can delete the message there. */
  readonly isMessageLeft: boolean;
}

interface ListedBoard extends ListedBoardStatus {
  /** Our permissions in its channel. */
  readonly access: BoardAccess;
}

export interface Boards {
  /** What a new board shows. */
  readonly usual: BoardOptions;
  /** One that is paused since nobody seems to want it is resumed, with what is asked for now. */
  create(asked: NewBoard): Promise<Created>;
  /** Also deletes its message. Null: there is no such board. */
  remove(guildId: string, channelId: string): Promise<Removed | null>;
  list(guildId: string): Promise<readonly ListedBoard[]>;
  /** Channels with a board's message of which the store knows nothing any more; a new board there adopts it. */
  lost(guildId: string): Promise<readonly string[]>;
  /** Changes some of the board's options. Null: there is no board. */
  edit(
    guildId: string,
    channelId: string,
    changes: Partial<BoardOptions>,
  ): Promise<{ readonly options: BoardOptions; readonly headlineProblems: readonly ListedProblem[] } | null>;
  /** Creates a board with the same options there and removes this one, unless that is refused. Null: there is none here. */
  move(
    guildId: string,
    from: string,
    asked: NewBoard,
  ): Promise<{ readonly created: Created; readonly removed: Removed | null } | null>;
  /** Sends a test message and deletes it. */
  test(guildId: string, channelId: string, locale: string): Promise<{ readonly kind: 'ok' } | NotSent>;
  /** Changes the language of all boards of a guild, except those with one of their own. */
  setLocale(guildId: string, locale: string): Promise<void>;
}

/** Why a channel has no new board, or no message, and what to do. */
export function boardRefusal(refused: NoBoard | NotSent, channelId: string, t: Translator): string {
  const channel = `<#${channelId}>`;
  if (refused.kind === 'missing') {
    return t('board.why.missing', { channel, rights: rightNames(refused.rights, t) });
  }
  const key = `board.why.${refused.kind}` as const;
  return t(key, { channel });
}

/** Why the headline of the board in that channel is missing from its topic or voice channel's status, a line each. */
export async function boardProblems(
  guildId: string,
  channelId: string,
  { boards, t }: { readonly boards: Pick<Boards, 'list'>; readonly t: Translator },
): Promise<readonly string[]> {
  const board = (await boards.list(guildId)).find(({ settings }) => settings.channelId === channelId);
  return board === undefined ? [] : problemLines(board.settings.options, board.headlineProblems, t);
}
