import { aboutPlayer } from '../src/app/about-player.ts';
import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { optionsCard } from '../src/cards/profile/options-card.ts';
import { options } from '../src/service/endpoints.ts';

export default defineCommand({
  description: 'options.description',
  topic: 'drivers',
  example: ['player'],
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  ...aboutPlayer(show),
});

async function show(username: string, { service, recentNames, t }: Context): Promise<Reply> {
  const driver = { username, nickname: recentNames.nicknameOf(username) };
  return optionsCard(driver, await service.get(options, { username }), t);
}
