import { defineCommand } from '../src/app/command.ts';
import { buttons } from '../src/cards/kit/card.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'forget.description',
  example: 'forget.example',
  visibility: 'private',
  options: {},

  async run(_args, { userData, person, t, now }) {
    const { link, subscriptions, boards } = await userData.stored(person.id, now);
    if (link === null && subscriptions.length === 0 && boards.length === 0)
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

  async onComponent({ action, subject }, { userData, person, t }) {
    if (action !== 'confirm' || subject !== person.id) throw new UserError(t('chat.oldButton'));
    await userData.forget(person.id);
    return { content: t('forget.done') };
  },
});
