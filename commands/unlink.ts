import { defineCommand } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'unlink.description',
  example: 'unlink.example',
  visibility: 'private',
  options: {
    user: { kind: 'member', description: 'unlink.options.user', required: false },
  },

  async run({ user }, { store, person, t }) {
    const whose = user ?? person.id;
    const isOwn = whose === person.id;
    if (!isOwn && !person.mayManage) throw new UserError(t('chat.notAllowed'));
    const removed = await store.links.remove(whose);
    if (isOwn) return { content: t(removed ? 'unlink.done' : 'unlink.none') };
    return { content: t(removed ? 'unlink.corrected' : 'unlink.noneOf', { person: `<@${whose}>` }) };
  },
});
