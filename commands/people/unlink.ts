import { UserError } from '../../src/base/errors.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { linkButton } from '../../src/cards/kit/link-buttons.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { type Context, requireGuild } from '../../src/command-kit/context.ts';
import { escapeMarkdown } from '../../src/text/names.ts';

export default defineCommand({
  description: 'unlink.description',
  topic: 'yours',
  visibility: 'private',
  options: {
    user: { kind: 'member', description: 'unlink.options.user', required: false },
  },

  async run({ user }, context) {
    const { person, t } = context;
    const whose = user ?? person.id;
    if (whose === person.id) {
      const content = (await removeOwn(context)).join('\n');
      return { content, components: [buttonRow(linkButton('link', t))] };
    }
    if (!person.mayManage) throw new UserError(t('discord.notAllowed'));
    return correct(whose, context);
  },
});

async function removeOwn({ store, hidden, person, t }: Context): Promise<readonly string[]> {
  const link = await store.links.of(person.id);
  const wasHidden = link !== null && hidden.isHidden(link.username);
  await store.proofs.cancel(person.id);
  if (!(await store.links.remove(person.id))) return [t('unlink.none')];
  await hidden.refresh();
  const isShown = wasHidden && link !== null && !hidden.isHidden(link.username);
  return [
    t('unlink.done'),
    ...(isShown ? [t('unlink.unhidden', { player: escapeMarkdown(link.username) })] : []),
  ];
}

/** Counts in this guild only, as does the permission to manage it. */
async function correct(whose: string, context: Context) {
  const { store, person, t, now: since } = context;
  const changed = await store.links.correct(whose, { guild: requireGuild(context), username: null, since });
  return {
    content: t(changed.length > 0 ? 'unlink.corrected' : 'unlink.noneOf', { person: `<@${whose}>` }),
    notices: changed.map((personId) => ({
      personId,
      content: t('unlink.notified', { administrator: `<@${person.id}>` }),
    })),
  };
}
