/** The parts of a card, as tests read them. */
import type { Card } from '../../src/cards/kit/card.ts';
import { blocksOf } from './blocks.ts';
import { rowsOf } from './readable.ts';

/** Title, text and fields. */
export function textOf({ embeds: [embed] }: Card): string {
  const fields = (embed.fields ?? []).map(({ name, value }) => `${name}\n${value}`);
  return [embed.title, embed.description, ...fields].join('\n');
}

/** The lines of the last code block, without its fences: before it, there may be a name. */
export function tableOf(card: Card): readonly string[] {
  return blocksOf(card.embeds[0].description).at(-1) ?? [];
}

/** The custom ids of buttons and menus. */
export const ids = (card: Card): readonly string[] =>
  rowsOf(card).flatMap(({ components }) => components.map(({ custom_id: id }) => id));
