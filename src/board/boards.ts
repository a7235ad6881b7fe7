/** The requests that people make of boards, and their outcomes. */
import type { BoardOptions } from './board-records.ts';
import type { Access } from './channels.ts';
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
  /** The differences from a usual new board. */
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
  /** The bot may no longer see the channel: only its members can delete the message there. */
  readonly isMessageLeft: boolean;
}
