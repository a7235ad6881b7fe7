import type { APIActionRowComponent, APIComponentInMessageActionRow, APIEmbed } from 'discord-api-types/v10';

/** Who may read a reply: everyone in the channel, or only the person who asked. */
export type Visibility = 'public' | 'private';

/** What is sent back, as chat takes it. Mentions are switched off wherever a reply is sent. */
export interface Reply {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  readonly components?: readonly APIActionRowComponent<APIComponentInMessageActionRow>[];
  /** Of a button: said to whoever pressed it alone, and the message stays as it is. */
  readonly ephemeral?: true;
  /** What others have to know of it, each in a direct message. */
  readonly notices?: readonly { readonly personId: string; readonly content: string }[];
  /** Text files, by name. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}
