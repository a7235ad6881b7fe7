import type { APIEmbed } from 'discord.js';
import type { ActionRow, Card } from '../cards/kit/card.ts';

/** Everyone in the channel, or only the person who asked, may read the reply. */
export type Visibility = 'public' | 'private';

/** A reply as Discord accepts it. Mentions are disabled wherever it is sent. */
export interface Reply extends Partial<Pick<Card, 'components' | 'view' | 'picture'>> {
  readonly content?: string;
  readonly embeds?: readonly APIEmbed[];
  /** Buttons for the person alone, left out where others see the answer. */
  readonly ownButtons?: ActionRow | undefined;
  /** The embeds for the person alone, in place of those that others see. */
  readonly ownEmbeds?: readonly APIEmbed[];
  /** For a button: only the person who pressed it sees the reply, and the message stays as it is. */
  readonly ephemeral?: true;
  /** Direct messages to others who are affected. */
  readonly notices?: readonly { readonly personId: string; readonly content: string }[];
  /** Text files, by name. */
  readonly files?: readonly { readonly name: string; readonly text: string }[];
}
