/** What people can do with boards, as commands see it. */
import type { BoardOptions } from './board-records.ts';
import type { Access, Refusal } from './channels.ts';
import type { HeadlineProblem } from './headline-problems.ts';
import type { BoardStatus } from './runner.ts';

/** Why a channel cannot have a board. */
export type NoAccess = Exclude<Access, { kind: 'open' }>;

export interface NewBoard {
  readonly guildId: string;
  readonly channelId: string;
  /** The maker, who is notified when the board cannot continue. */
  readonly madeBy: string;
  /** The language in which it is made, BCP 47. */
  readonly locale: string;
  /** What differs from a usual new board. */
  readonly options?: Partial<BoardOptions>;
}

export type Created =
  /** `posted` is false where Discord has not accepted the message yet; the board retries by itself. */
  | { readonly kind: 'created' | 'resumed'; readonly posted: boolean }
  | { readonly kind: 'there' | 'too-many' }
  | NoAccess;

export interface ListedBoard extends BoardStatus {
  /** Our permissions in its channel. */
  readonly access: Access;
  readonly headlineProblems: readonly HeadlineProblem[];
}

export interface EditedBoard {
  readonly options: BoardOptions;
  readonly headlineProblems: readonly HeadlineProblem[];
}

export interface Removed {
  /** Where the bot may no longer see the channel, nobody but its people can delete the message there. */
  readonly isMessageLeft: boolean;
}

/** The boards as commands see them. A board is identified by its channel; each channel has at most one. */
export interface Boards {
  /** One that is paused since nobody seems to want it is resumed, with what is asked for now. */
  create(asked: NewBoard): Promise<Created>;
  /** Also deletes its message. Null: there is no such board. */
  remove(guildId: string, channelId: string): Promise<Removed | null>;
  list(guildId: string): Promise<readonly ListedBoard[]>;
  /** Changes some of the board's options. Null: there is no board. */
  edit(guildId: string, channelId: string, changes: Partial<BoardOptions>): Promise<EditedBoard | null>;
  /** Creates a board with the same options there and removes this one, unless that is refused. Null: there is none here. */
  move(
    guildId: string,
    from: string,
    asked: NewBoard,
  ): Promise<{ readonly created: Created; readonly removed: Removed | null } | null>;
  /** Sends a test message and deletes it. */
  test(
    guildId: string,
    channelId: string,
    locale: string,
  ): Promise<{ readonly kind: 'ok' } | NoAccess | Refusal>;
  /** Shows no colours on any board of a guild. */
  hideColours(guildId: string): Promise<void>;
  /** Changes the language of all boards of a guild, except those with one of their own. */
  setLocale(guildId: string, locale: string): Promise<void>;
}
