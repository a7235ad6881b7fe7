import { expect, test } from 'vitest';
import { newBoardOptions } from '../../../src/cards/board/board.ts';
import { boardFindings } from '../../../src/tools/doctor/discord.ts';
import { createTranslators } from '../../support/translators.ts';

const board = {
  ...{ guildId: '1', channelId: '7', madeBy: '2', locale: 'en', colours: true, madeAt: 0, removed: false },
  options: newBoardOptions,
};

/** A server in which the bot can see no channel but those. */
async function findings(boards: readonly (typeof board)[], channels: readonly string[]) {
  const found = await boardFindings(
    {
      access: async () => (channelId) =>
        channels.includes(channelId) ? { kind: 'open' } : { kind: 'unknown-channel' },
    },
    '9',
    boards,
    createTranslators()('en'),
  );
  return [found].flat().map(({ verdict, says }) => [verdict, says]);
}

test('a board that is being removed has nothing to be found', async () => {
  const removed = { ...board, channelId: '8', removed: true };
  expect(await findings([removed], [])).toEqual([['ok', 'there are none']]);
  expect(await findings([board, removed], ['7'])).toEqual([['ok', 'the one board has all its permissions']]);
  expect(await findings([board], [])).toEqual([['failed', 'channel 7 of server 1: I cannot find it']]);
});

test('boards with all permissions are counted', async () => {
  const other = { ...board, channelId: '8' };
  expect(await findings([board, other], ['7', '8'])).toEqual([
    ['ok', 'all 2 boards have all their permissions'],
  ]);
});
