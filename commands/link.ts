import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import type { Context } from '../src/app/context.ts';
import { forDriver } from '../src/app/for-driver.ts';
import type { Reply } from '../src/app/reply.ts';
import { UserError } from '../src/base/errors.ts';
import { named } from '../src/cards/kit/lines.ts';
import { profile } from '../src/service/endpoints.ts';
import { Username } from '../src/service/models/identifiers.ts';

export default defineCommand({
  description: 'link.description',
  topic: 'yours',
  leads: true,
  example: ['player'],
  visibility: 'private',
  options: {
    player: playerOption('link.options.player', true),
    user: { kind: 'member', description: 'link.options.user', required: false },
  },

  async run({ player: typed, user }, context) {
    const { service, person, t } = context;
    const whose = user ?? person.id;
    if (whose !== person.id && !person.mayManage) throw new UserError(t('discord.notAllowed'));
    return forDriver(typed, context, async (player) => {
      // Uses the game's spelling, and ensures that the driver exists.
      const { record } = await service.get(profile, { username: player });
      return whose === person.id
        ? linkOwn(record.username, context)
        : correct(whose, record.username, context);
    });
  },

  // For another member, the button would have to name them too.
  retryAction: ({ player, user }) => (user === null ? { action: 'own', subject: player } : null),

  actions: {
    own: defineAction({
      press: z.object({ subject: Username }),
      async run({ subject: player }, context) {
        const { record } = await context.service.get(profile, { username: player });
        return linkOwn(record.username, context);
      },
    }),
  },
});

async function linkOwn(username: string, { store, hidden, person, t, now }: Context): Promise<Reply> {
  const before = await store.links.of(person.id);
  const wasHidden = before !== null && hidden.isHidden(before.username);
  const set = await store.links.set(person.id, { username, since: now });
  if (set === 'taken') throw new UserError(t('link.taken', { player: named(username) }));
  await hidden.refresh();
  const isShown = wasHidden && before !== null && !hidden.isHidden(before.username);
  const here = await store.links.of(person.id, person.guildId);
  const isOverruled = here?.username !== username;
  return {
    content: [
      t('link.done', { player: named(username) }),
      ...(isOverruled
        ? [here === null ? t('link.noneHere') : t('link.otherHere', { player: named(here.username) })]
        : []),
      ...(isShown ? [t('unlink.unhidden', { player: named(before.username) })] : []),
    ].join('\n'),
  };
}

/** Counts in this guild only, as does the permission to manage it. */
async function correct(
  whose: string,
  username: string,
  { store, person: { id, guildId: guild }, t, now: since }: Context,
): Promise<Reply> {
  if (guild === null) throw new UserError(t('discord.guildOnly'));
  const changed = await store.links.correct(whose, { guild, username, since });
  const player = named(username);
  return {
    content: t('link.corrected', { player, person: `<@${whose}>` }),
    notices: changed
      .filter((personId) => personId !== id)
      .map((personId) => ({
        personId,
        content:
          personId === whose
            ? t('link.notifiedSet', { player, administrator: `<@${id}>` })
            : t('link.notifiedLost', { player, administrator: `<@${id}>`, person: `<@${whose}>` }),
      })),
  };
}
