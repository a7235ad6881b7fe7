import { buttons } from '../src/cards/kit/card.ts';
import { defineCommand } from '../src/app/command.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'forget.description',
  example: 'forget.example',
  visibility: 'private',
  options: {},

  async run(_args, { personal, person, words, now }) {
    const { link, subscriptions, boards } = await personal.stored(person.id, now);
    if (link === null && subscriptions.length === 0 && boards.length === 0)
      return { content: words.text('forget.nothing') };
    const confirm = {
      command: 'forget-me',
      action: 'confirm',
      subject: person.id,
      label: words.text('forget.confirm'),
      danger: true,
    };
    return { content: words.text('forget.question'), components: [buttons(confirm)] };
  },

  async act({ action, subject }, { personal, person, words }) {
    if (action !== 'confirm' || subject !== person.id) throw new UserError(words.text('chat.oldButton'));
    await personal.forget(person.id);
    return { content: words.text('forget.done') };
  },
});
