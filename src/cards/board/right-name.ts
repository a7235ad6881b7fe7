import type { TextKey, Translator } from '../../i18n/translator.ts';

const names: Readonly<Record<string, TextKey>> = {
  ViewChannel: 'board.right.ViewChannel',
  SendMessages: 'board.right.SendMessages',
  EmbedLinks: 'board.right.EmbedLinks',
  ReadMessageHistory: 'board.right.ReadMessageHistory',
};

/** A permission as Discord's own settings call it; one that is not known by the name that it has in code. */
export function rightName(right: string, t: Translator): string {
  const key = names[right];
  return key === undefined ? right : t(key);
}
