import type { TextKey, Translator } from '../../i18n/translator.ts';

const names: Readonly<Record<string, TextKey>> = {
  ViewChannel: 'board.right.ViewChannel',
  SendMessages: 'board.right.SendMessages',
  EmbedLinks: 'board.right.EmbedLinks',
  ReadMessageHistory: 'board.right.ReadMessageHistory',
  Connect: 'board.right.Connect',
  ManageChannels: 'board.right.ManageChannels',
  SetVoiceChannelStatus: 'board.right.SetVoiceChannelStatus',
};

/** A permission as Discord's settings call it; an unknown one by its name in code. */
export function rightName(right: string, t: Translator): string {
  const key = names[right];
  return key === undefined ? right : t(key);
}
