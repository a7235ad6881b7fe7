import type { WordKey, Words } from '../../i18n/translator.ts';

const names: Readonly<Record<string, WordKey>> = {
  ViewChannel: 'board.right.ViewChannel',
  SendMessages: 'board.right.SendMessages',
  EmbedLinks: 'board.right.EmbedLinks',
  ReadMessageHistory: 'board.right.ReadMessageHistory',
};

/** A permission as chat's own settings call it; one that is not known by the name that it has in code. */
export function rightName(right: string, words: Words): string {
  const key = names[right];
  return key === undefined ? right : words.text(key);
}
