import { problemLines } from '../cards/board/board-list-card.ts';
import type { Context } from './context.ts';

/** Why the headline of the board in that channel is missing from its topic or voice channel's status, a line each. */
export async function boardProblems(
  guildId: string,
  channelId: string,
  { boards, t }: Pick<Context, 'boards' | 't'>,
): Promise<readonly string[]> {
  const board = (await boards.list(guildId)).find(({ settings }) => settings.channelId === channelId);
  return board === undefined ? [] : problemLines(board.settings.options, board.headlineProblems, t);
}
