import type {
  APIModalInteractionResponseCallbackData,
  ChatInputCommandInteraction,
  MessageComponentInteraction,
  ModalMessageModalSubmitInteraction,
  ModalSubmitInteraction,
  UserContextMenuCommandInteraction,
} from 'discord.js';
import type { Clock } from '../../base/clock.ts';
import type { AnyCommand } from '../../command-kit/command.ts';
import type { Context } from '../../command-kit/context.ts';
import type { Reply, Visibility } from '../../command-kit/reply.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Result } from './failure.ts';
import type { SuggestionOffer } from './offer.ts';

/** In place of a name that no command has: an old message or another program may name anything. */
export const UNKNOWN = 'unknown';

/** An interaction that is answered with a message. */
export type ReplyInteraction =
  | ChatInputCommandInteraction
  | UserContextMenuCommandInteraction
  | MessageComponentInteraction
  | ModalSubmitInteraction;

/**
 * Destination of a reply: a new message, or the message whose button was pressed. `shared`: from a private
 * message to everyone.
 */
export type Destination =
  | { readonly to: Visibility; readonly interaction: ReplyInteraction }
  | {
      readonly to: 'in-place';
      readonly interaction: MessageComponentInteraction | ModalMessageModalSubmitInteraction;
    }
  | { readonly to: 'shared'; readonly interaction: MessageComponentInteraction };

/** A reply is asked for: by a command, an entry of a menu, a press or a form that was filled in. */
export interface ReplyRequest {
  readonly kind: 'reply';
  /** The command's name, or {@link UNKNOWN}. */
  readonly name: string;
  /** Undefined: no command of ours. */
  readonly command: AnyCommand | undefined;
  /** Further fields for the log. */
  readonly detail?: Readonly<Record<string, string>>;
  readonly destination: Destination;
  /** A newer record than the one shown is wanted. */
  readonly refresh?: boolean;
  /** Throws a UserError for anything not allowed or invalid, before anything is spent. */
  run(context: Context): Promise<Reply>;
  /** Similar names, once `run` has failed; null where none are known. */
  offer?(): SuggestionOffer | null;
  /** To be called with how it ended. */
  settled?(result: Result): void;
  /** The button to try again with after any failure; null where there is none. */
  again?(t: Translator): SuggestionOffer['row'] | null;
}

/** A window to fill in is asked for, which has to be the first answer; or a reply that comes before or in place of it. */
export interface WindowRequest {
  readonly kind: 'window';
  /** The command's. */
  readonly name: string;
  readonly interaction: ChatInputCommandInteraction | MessageComponentInteraction;
  /** Throws a UserError for a person who may not use it. */
  window(
    context: Context,
    clock: Pick<Clock, 'after'>,
  ): Promise<
    APIModalInteractionResponseCallbackData | { readonly reply: Reply } | { readonly request: ReplyRequest }
  >;
}
