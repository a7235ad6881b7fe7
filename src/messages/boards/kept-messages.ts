/** Kinds of messages that the board runner keeps up to date. The owner of a kind renders and stores its messages. */
import type { BoardSettings, BoardState, Paused } from '../../cards/board/board.ts';
import type { Source } from '../../service/poll/poll.ts';
import type { Frame } from './render.ts';

/** The moment of a frame. */
interface FrameMoment {
  /** The bot stops: this is the last frame. */
  readonly isLast: boolean;
  /** How often each message is updated, in ms; null: as often as one message alone. */
  readonly round: number | null;
}

/** `key`: the name of a message among all kept messages. */
export interface KeptMessages {
  /** Stored settings and states. Each call rejects if the store fails. */
  readonly records: {
    /** The settings by key, of those guilds. */
    served(ours: (guildId: string) => boolean): Promise<ReadonlyMap<string, BoardSettings>>;
    stateOf(key: string): Promise<BoardState | null>;
    saveState(key: string, state: BoardState): Promise<void>;
    remove(key: string): Promise<void>;
  };
  /** The custom id of one of its buttons, which no other message has. */
  marker(key: string): string;
  /** Frame of the message now; null while its content is unknown. */
  frame(key: string, settings: BoardSettings, moment: FrameMoment): Frame | null;
  /** The last source that it needs: those before it in the order *live, overview, members* are read as well. */
  lastSource(settings: BoardSettings): Source;
  /** The text for its maker, when it cannot go on. */
  pauseText(settings: BoardSettings, paused: Pick<Paused, 'why' | 'missing'>): string;
  /** Called when Discord does not accept its content; without it, nobody is told. */
  blocked?(key: string): void;
  /** Whether it is wrong as soon as nobody keeps it current, so that an orderly stop marks it as paused. */
  readonly marksStop: boolean;
  /** Describes the loss of so many records that nobody has removed; null where records end like that. */
  readonly describeLoss: ((count: number) => string) | null;
}

/** A kept message and its kind. */
export interface KeptMessage {
  readonly key: string;
  readonly messages: KeptMessages;
}
