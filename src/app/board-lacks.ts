import { lackLines } from '../cards/board/board-list-card.ts';
import type { Context } from './context.ts';

/** What keeps the headline of the board in that channel from where its options want it, a line each. */
export async function boardLacks(
  guildId: string,
  channelId: string,
  { boards, t }: Pick<Context, 'boards' | 't'>,
): Promise<readonly string[]> {
  const board = (await boards.list(guildId)).find(({ settings }) => settings.channelId === channelId);
  return board === undefined ? [] : lackLines(board.settings.options, board.lacks, t);
}
