/** The messages between the page's server and client. The client imports only the types. */
import { z } from 'zod';
import type { FaultName as ChatFault } from '../chat/state/faults.ts';
import type { FaultName as ServiceFault } from '../service/faults.ts';

// ── Server → client ─────────────────────────────────────────────────────────────────────────────────

/** A run of a code block in one colour: an SGR number from 31 to 36, null for the text's own. */
export interface AnsiRun {
  readonly text: string;
  readonly colour: number | null;
}

/** Parsed markdown. Text is untrusted and only ever drawn as text. */
export type Mark =
  | { readonly type: 'text' | 'code' | 'mention'; readonly text: string }
  /** `picture`: its address; null where the text is all. */
  | { readonly type: 'emoji'; readonly text: string }
  /** A mention of what has no name here, or none of its own. */
  | { readonly type: 'unnamed'; readonly kind: 'user' | 'role' | 'channel' | 'guide' }
  | {
      readonly type: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler' | 'quote' | 'subtext';
      readonly marks: readonly Mark[];
    }
  | { readonly type: 'heading'; readonly level: number; readonly marks: readonly Mark[] }
  | {
      readonly type: 'list';
      /** The first number; null for bullets. */
      readonly start: number | null;
      readonly items: readonly (readonly Mark[])[];
    }
  | { readonly type: 'code-block'; readonly runs: readonly AnsiRun[] }
  /** Unix seconds, and the letter of the format. */
  | { readonly type: 'timestamp'; readonly seconds: number; readonly style: string }
  /** Only ever http or https. */
  | { readonly type: 'link'; readonly url: string; readonly marks: readonly Mark[] }
  /** `command`: started by a tap; null where it is not offered here. */
  | { readonly type: 'command'; readonly text: string; readonly command: string | null }
  | { readonly type: 'break' };

/** The parts of an embed that the bot uses. */
export interface EmbedView {
  /** `#rrggbb`, or null. */
  readonly colour: string | null;
  readonly title: readonly Mark[];
  readonly description: readonly Mark[];
  readonly fields: readonly {
    readonly name: readonly Mark[];
    readonly value: readonly Mark[];
    readonly inline: boolean;
  }[];
}

export type ComponentView =
  | {
      readonly type: 'button';
      readonly style: 'primary' | 'secondary' | 'danger';
      readonly label: string;
      readonly emoji: string;
      readonly disabled: boolean;
      readonly customId: string;
    }
  | {
      readonly type: 'menu';
      readonly customId: string;
      /** By default Discord's own. */
      readonly placeholder?: string | undefined;
      readonly disabled: boolean;
      readonly choices: readonly {
        readonly value: string;
        readonly label: string;
        readonly description: string;
        readonly picked: boolean;
      }[];
    }
  /** A kind that this page cannot draw: shown as such, not omitted. */
  | { readonly type: 'unknown'; readonly kind: number };

export interface MessageView {
  readonly id: string;
  readonly channelId: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly edited: boolean;
  readonly author: { readonly id: string; readonly name: string; readonly app: boolean };
  /** The person whose command or press it answers; `command` is null for a press. */
  readonly usedBy: { readonly id: string; readonly name: string; readonly command: string | null } | null;
  readonly thinking: boolean;
  readonly private: boolean;
  readonly marks: readonly Mark[];
  readonly embeds: readonly EmbedView[];
  readonly rows: readonly (readonly ComponentView[])[];
  readonly files: readonly FileView[];
}

/** A file of a message, fetched from the local chat server. */
export interface FileView {
  readonly name: string;
  readonly url: string;
  readonly bytes: number;
  /** In pixels; null for what is not shown as a picture. */
  readonly image: { readonly width: number; readonly height: number; readonly alt: string } | null;
}

export interface OptionView {
  readonly name: string;
  /** The name in the bot's own language, which may be typed as well. */
  readonly untranslated: string;
  readonly description: string;
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'user' | 'channel' | 'role' | 'other';
  readonly required: boolean;
  /** Suggestions come from the bot while typing. */
  readonly suggested: boolean;
  /** Fixed choices; empty where any text is allowed. */
  readonly choices: readonly ChoiceView[];
}

export interface CommandView {
  /** With its subcommand: `board create`. */
  readonly name: string;
  /** The name in the bot's own language, which may be typed as well. */
  readonly untranslated: string;
  readonly description: string;
  readonly options: readonly OptionView[];
}

/** By the kind of place that offers them: the server's channels, or the conversation with the bot. */
export interface OfferedCommands {
  readonly guild: readonly CommandView[];
  readonly direct: readonly CommandView[];
}

export interface ChoiceView {
  readonly name: string;
  readonly value: string | number | boolean;
}

export interface MemberView {
  readonly id: string;
  readonly name: string;
  readonly app: boolean;
  readonly status: string;
  /** A bot's activity. */
  readonly activity: string | null;
}

/** `once`: it happens when set, and is never on. */
export type FaultView = { readonly on: boolean; readonly once: boolean } & (
  | { readonly side: 'service'; readonly name: ServiceFault }
  | { readonly side: 'chat'; readonly name: ChatFault }
);

export interface HintView {
  readonly command: string;
  /** Null: it is ready without one. */
  readonly option: string | null;
  readonly value: string;
}

export type ChannelView = {
  readonly id: string;
  readonly name: string;
} /** The visitor's conversation with the bot of that name. */ & (
  | { readonly type: 'direct' }
  /** `quiet`: people only read there. */
  | { readonly type: 'text'; readonly topic: string | null; readonly quiet: boolean }
  | { readonly type: 'voice' }
);

export interface Snapshot {
  readonly guild: string;
  readonly me: MemberView;
  readonly people: readonly MemberView[];
  readonly channels: readonly ChannelView[];
  readonly members: readonly MemberView[];
  readonly commands: OfferedCommands;
  /** The bot's entries in a person's context menu. */
  readonly menu: readonly string[];
  readonly messages: readonly MessageView[];
  readonly faults: readonly FaultView[];
  readonly hints: readonly HintView[];
  /** Whom a visitor may give another name in the game. */
  readonly drivers: readonly string[];
}

/** A form to fill in: the answer to an interaction. */
export interface FormView {
  readonly interactionId: string;
  readonly title: string;
  readonly fields: readonly {
    readonly id: string;
    readonly label: string;
    readonly hint: string;
    /** Values when the form opens. */
    readonly values: readonly string[];
    readonly required: boolean;
    /** A text of one line or several; a list that unfolds; choices side by side, of which one or several are picked; one box. */
    readonly look: 'line' | 'paragraph' | 'menu' | 'radios' | 'boxes' | 'box';
    /** Empty for a text and a box. */
    readonly choices: readonly { readonly value: string; readonly label: string; readonly hint: string }[];
  }[];
}

export interface OutcomeView {
  readonly acknowledged: 'replied' | 'deferred' | 'updated' | 'form' | 'failed';
  readonly form: FormView | null;
}

export type Push =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'message'; readonly message: MessageView }
  | { readonly type: 'message-delete'; readonly channelId: string; readonly messageId: string }
  | {
      readonly type: 'commands';
      readonly commands: OfferedCommands;
      readonly menu: readonly string[];
      readonly hints: readonly HintView[];
    }
  | { readonly type: 'channels'; readonly channels: readonly ChannelView[] }
  | { readonly type: 'members'; readonly members: readonly MemberView[] }
  | { readonly type: 'faults'; readonly faults: readonly FaultView[] }
  /** Keyed requests answered by the data service so far: shows that a cached view costs none. */
  | { readonly type: 'requests'; readonly count: number }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer };

export type Answer =
  | {
      readonly ok: true;
      readonly outcome?: OutcomeView;
      readonly choices?: readonly ChoiceView[];
      /** The result of a `happen`, for the visitor. */
      readonly happened?: Happened;
    }
  /** For somebody who looks at the traffic; the page says it in the visitor's language. Null: there was no answer at all. */
  | { readonly ok: false; readonly reason: string | null };

/** Event in the game; `facts` are null if it could not happen. */
export type Happened =
  | {
      readonly what: 'full-server';
      readonly facts: { readonly server: string; readonly drivers: number; readonly minutes: number } | null;
    }
  | {
      readonly what: 'car-offer';
      readonly facts: { readonly owner: string; readonly vin: string; readonly price: number } | null;
    }
  | {
      readonly what: 'new-name';
      readonly facts: { readonly driver: string; readonly name: string; readonly server: string } | null;
    }
  | {
      readonly what: 'licence-expiry';
      readonly facts: { readonly driver: string; readonly licence: string } | null;
    };

// ── Client → server ─────────────────────────────────────────────────────────────────────────────────

const id = z.string().min(1).max(64);
const typedOptions = z
  .array(z.object({ name: id, value: z.union([z.string().max(6000), z.number(), z.boolean()]) }))
  .max(25);

export const Action = z.discriminatedUnion('type', [
  z.object({ type: z.literal('say'), channelId: id, content: z.string().trim().min(1).max(2000) }),
  z.object({
    type: z.literal('complete'),
    channelId: id,
    command: z.string().max(120),
    options: typedOptions,
    focused: id,
  }),
  z.object({
    type: z.literal('invoke'),
    channelId: id,
    command: z.string().max(120),
    options: typedOptions,
  }),
  z.object({ type: z.literal('invoke-on'), channelId: id, entry: z.string().max(32), personId: id }),
  z.object({
    type: z.literal('press'),
    messageId: id,
    customId: z.string().min(1).max(100),
    values: z.array(z.string().max(100)).max(25).optional(),
  }),
  z.object({
    type: z.literal('submit'),
    interactionId: id,
    filled: z.record(
      z.string().max(100),
      z.union([z.string().max(4000), z.array(z.string().max(100)).max(25)]),
    ),
  }),
  z.object({ type: z.literal('fault'), side: z.enum(['service', 'chat']), name: id, on: z.boolean() }),
  z.object({ type: z.literal('happen'), what: z.enum(['full-server', 'car-offer', 'licence-expiry']) }),
  z.object({
    type: z.literal('drive-as'),
    driver: z.string().min(1).max(64),
    name: z.string().trim().min(1).max(64),
  }),
  z.object({ type: z.literal('advance'), seconds: z.int().min(1).max(86_400) }),
]);
export type Action = z.output<typeof Action>;

export const Request = z.object({ id: z.int(), action: Action });
export type Request = z.output<typeof Request>;
