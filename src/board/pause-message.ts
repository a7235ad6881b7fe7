import type { Translator } from '../i18n/translator.ts';
import type { BoardSettings } from './board-records.ts';
import { RIGHTS } from './channels.ts';
import type { Paused } from './state.ts';

/** The message to a board's maker when the board cannot continue. */
export function pauseMessage(
  { channelId }: BoardSettings,
  { why, missing }: Pick<Paused, 'why' | 'missing'>,
  t: Translator,
): string {
  const channel = `<#${channelId}>`;
  if (why !== 'rights')
    return t(why === 'channel' ? 'board.notified.channel' : 'board.notified.unwanted', { channel });
  const rights = RIGHTS.filter((right) => missing.includes(right)).map((right) => t(`board.right.${right}`));
  // Discord refuses although the rights look right.
  if (rights.length === 0) return t('board.notified.refused', { channel });
  return t('board.notified.rights', { channel, rights: rights.join(', ') });
}
