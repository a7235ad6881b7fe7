import { aboutPlayer } from '../../src/command-kit/about-player.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { options } from '../../src/service/endpoints.ts';
import { optionsCard } from './cards/options-card.ts';

export default defineCommand({
  description: 'options.description',
  topic: null,
  visibility: 'choice',
  options: { player: playerOption('profile.options.player', false) },

  ...aboutPlayer(show),
});

async function show(username: string, { service, recentNames, t }: Context): Promise<Reply> {
  const driver = { username, nickname: recentNames.nicknameOf(username) };
  return optionsCard(driver, await service.get(options, { username }), t);
}
