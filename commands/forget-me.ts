import { z } from 'zod';
import { defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import { buttons } from '../src/cards/kit/card.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'forget.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  async run(_args, { store, person, t, now }) {
    const { link, timeZone, unwatched, ...lists } = await store.userData.stored(person.id, now);
    const isNothing = [link, timeZone, unwatched].every((one) => one === null);
    if (isNothing && Object.values(lists).every((list) => list.length === 0))
      // A backup may still hold what has been deleted since, and a link that cannot be read is not shown.
      return { content: told(await store.userData.forget(person.id), 'forget.nothing', t) };
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
      async run({ subject }, { store, hidden, person, t }) {
        if (subject !== person.id) throw new UserError(t('chat.oldButton'));
        const left = await store.userData.forget(person.id);
        await hidden.refresh();
        return { content: told(left, 'forget.done', t) };
      },
    }),
  },
});

/** What came of it, with the files that could not be changed. */
function told(left: readonly string[], done: 'forget.done' | 'forget.nothing', t: Context['t']): string {
  if (left.length === 0) return t(done);
  return t('forget.partly', { files: left.map((file) => `\`${file}\``).join(', ') });
}
