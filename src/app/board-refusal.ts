import { rightNames } from '../cards/board/right-name.ts';
import type { Translator } from '../i18n/translator.ts';
import type { NoBoard, NotSent } from './boards.ts';

/** Why a channel has no new board, or no message, and what to do. */
export function boardRefusal(refused: NoBoard | NotSent, channelId: string, t: Translator): string {
  const channel = `<#${channelId}>`;
  if (refused.kind === 'missing') {
    const rights = rightNames(refused.rights, t);
    return t('board.why.missing', { channel, rights });
  }
  const key = `board.why.${refused.kind}` as const;
  return t(key, { channel });
}
