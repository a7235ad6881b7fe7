/** The live boards in words. */
import type { BoardRequests, NoBoard, NotSent } from '../board/board-requests.ts';
import { problemLines } from '../cards/board/board-list-card.ts';
import { rightNames } from '../cards/board/right-name.ts';
import type { Translator } from '../i18n/translator.ts';

/** Gives the reason, and says what to do. */
export function boardRefusal(refused: NoBoard | NotSent, channelId: string, t: Translator): string {
  const channel = `<#${channelId}>`;
  if (refused.kind === 'missing') {
    return t('board.why.missing', { channel, rights: rightNames(refused.rights, t) });
  }
  const key = `board.why.${refused.kind}` as const;
  return t(key, { channel });
}

/** The reasons why the board's places besides its message stay empty, a line each. */
export async function boardProblems(
  guildId: string,
  channelId: string,
  { boards, t }: { readonly boards: Pick<BoardRequests, 'list'>; readonly t: Translator },
): Promise<readonly string[]> {
  const board = (await boards.list(guildId)).find(({ settings }) => settings.channelId === channelId);
  return board === undefined ? [] : problemLines(board.settings.options, board.placeProblems, t);
}
