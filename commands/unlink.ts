import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'unlink.description',
  topic: 'yours',
  visibility: 'private',
  options: {
    user: { kind: 'member', description: 'unlink.options.user', required: false },
  },

  async run({ user }, context) {
    const { store, person, t } = context;
    const whose = user ?? person.id;
    if (whose === person.id)
      return { content: t((await store.links.remove(whose)) ? 'unlink.done' : 'unlink.none') };
    if (!person.mayManage) throw new UserError(t('chat.notAllowed'));
    return correct(whose, context);
  },
});

/** Counts in this guild only, as does the permission to manage it. */
async function correct(
  whose: string,
  { store, person: { id, guildId: guild }, t, now: since }: Context,
): Promise<Reply> {
  if (guild === null) throw new UserError(t('chat.guildOnly'));
  const changed = await store.links.correct(whose, { guild, username: null, since });
  return {
    content: t(changed.length > 0 ? 'unlink.corrected' : 'unlink.noneOf', { person: `<@${whose}>` }),
    notices: changed.map((personId) => ({
      personId,
      content: t('unlink.told', { administrator: `<@${id}>` }),
    })),
  };
}
