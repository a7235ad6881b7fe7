import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { named } from '../src/cards/kit/lines.ts';
import { UserError } from '../src/errors.ts';
import { profile } from '../src/service/endpoints.ts';

export default defineCommand({
  description: 'link.description',
  example: 'link.example',
  visibility: 'private',
  options: {
    player: playerOption('link.options.player', true),
    user: { kind: 'member', description: 'link.options.user', required: false },
  },

  async run({ player, user }, { service, store, person, t, now }) {
    const whose = user ?? person.id;
    const isOwn = whose === person.id;
    if (!isOwn && !person.mayManage) throw new UserError(t('chat.notAllowed'));
    // Spelled as the game has it, and nobody can be a driver that does not exist.
    const { record } = await service.get(profile, { username: player });
    const link = { username: record.username, since: now, by: isOwn ? 'self' : 'administrator' } as const;
    const shown = named(link.username);
    if ((await store.links.set(whose, link)) === 'taken')
      throw new UserError(t('link.taken', { player: shown }));
    return {
      content: isOwn
        ? t('link.done', { player: shown })
        : t('link.corrected', { player: shown, person: `<@${whose}>` }),
    };
  },
});
