/** The live boards in words. */

import { rightNames } from '../cards/board/right-name.ts';
import type { Translator } from '../i18n/translator.ts';
import type { NoBoard, NotSent } from '../messages/boards/board-requests.ts';

/** Gives the reason, and says what to do. */
export function boardRefusal(refused: NoBoard | NotSent, channelId: string, t: Translator): string {
  const channel = `<#${channelId}>`;
  if (refused.kind === 'missing') {
    return t('board.why.missing', { channel, rights: rightNames(refused.rights, t) });
  }
  const key = `board.why.${refused.kind}` as const;
  return t(key, { channel });
}
