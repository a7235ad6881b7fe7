import type {
  APIApplicationCommand,
  APIApplicationCommandOptionChoice,
  APIMessage,
  Locale,
} from 'discord.js';
import type { ModalForm } from '../judge/modal-form.ts';
import type { Filled } from './submitted-form.ts';

/** Input of a visitor for one option of a slash command, or a subcommand with its own. */
export interface TypedOption {
  readonly name: string;
  readonly value: string | number | boolean;
}

/** The outcome of an interaction, as the person sees it. */
export interface Outcome {
  readonly interactionId: string;
  /** `failed`: not acknowledged within three seconds ("The application did not respond"). */
  readonly acknowledged: 'replied' | 'deferred' | 'updated' | 'form' | 'failed';
  /** Milliseconds from sending it to its acknowledgement. */
  readonly after: number;
  /** The resulting message, once it is no longer "thinking"; null where it failed or changed nothing. */
  readonly message: APIMessage | null;
  /** The form to fill in, where that is the answer. */
  readonly form: ModalForm | null;
}

/** A person on the server: sees what this account may see (private replies included) and does what it may do. */
export interface Visitor {
  readonly id: string;
  /** Their client's language. Commands can be called by their names in it. */
  readonly locale: Locale;
  /** The commands offered in that channel; without one, in any. */
  commands(channelId?: string): readonly APIApplicationCommand[];
  /** Oldest first; private replies are only visible to their recipient. */
  messages(channelId: string): readonly APIMessage[];
  say(channelId: string, content: string): APIMessage;
  /** Suggestions for the option being typed. Empty if the bot does not answer within three seconds. */
  complete(
    channelId: string,
    command: string,
    options: readonly TypedOption[],
    focused: string,
  ): Promise<readonly APIApplicationCommandOptionChoice[]>;
  /** `command` may include a subcommand: `board create`. */
  invoke(channelId: string, command: string, options: readonly TypedOption[]): Promise<Outcome>;
  /** Opens a person's context menu and picks a bot's entry. */
  invokeOn(channelId: string, entry: string, personId: string): Promise<Outcome>;
  /** Presses a button, or picks `values` in a menu. */
  press(messageId: string, customId: string, values?: readonly string[]): Promise<Outcome>;
  /** Sends the form that an interaction was answered with: what it began with, but for the fields named here. */
  submit(interactionId: string, filled: Filled): Promise<Outcome>;
}

/** Installer of the bot that a person uses: the guild, or only that person. */
export type Installed = 'guild' | 'user';

/** How a person visits. */
export interface VisitsAs {
  /** `user`: in a guild without the bot, which only they have installed. */
  readonly installed?: Installed;
  /** Their client's language; by default their own. */
  readonly locale?: Locale;
}
