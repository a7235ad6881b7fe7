import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import { buttons } from '../src/cards/kit/card.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'forget.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  async run(_args, { store, person, t, now }) {
    const { link, corrections, subscriptions, boards } = await store.userData.stored(person.id, now);
    if (link === null && corrections.length === 0 && subscriptions.length === 0 && boards.length === 0)
      return { content: t('forget.nothing') };
    const confirm = {
      command: 'forget-me',
      action: 'confirm',
      subject: person.id,
      label: t('forget.confirm'),
      danger: true,
    };
    return { content: t('forget.question'), components: [buttons(confirm)] };
  },

  actions: {
    confirm: defineAction({
      press: z.object({ subject: z.string() }),
      async run({ subject }, { store, person, t }) {
        if (subject !== person.id) throw new UserError(t('chat.oldButton'));
        const left = await store.userData.forget(person.id);
        if (left.length === 0) return { content: t('forget.done') };
        return { content: t('forget.partly', { files: left.map((file) => `\`${file}\``).join(', ') }) };
      },
    }),
  },
});
