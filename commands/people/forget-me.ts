import { z } from 'zod';
import { UserError } from '../../src/base/errors.ts';
import { buttonRow } from '../../src/cards/kit/card.ts';
import { proveButton } from '../../src/cards/kit/link-buttons.ts';
import { onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { OwnHistory } from '../../src/community/accounts/own-data.ts';
import { forgetQuestion, forgottenText } from './cards/own-data-text.ts';

export default defineCommand({
  description: 'forget.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  async run(_args, context) {
    const { store, person, t, now } = context;
    const { userData } = store;
    if (!(await userData.isStored(person.id))) {
      // A backup may still hold what has been deleted since.
      await userData.search(person.id);
      return { content: t('forget.nothing', { copies: userData.copiesText(t) }) };
    }
    const ownHistory = await userData.history(person.id, now);
    const question = { lines: await userData.forgetLines(t), copies: userData.copiesText(t) };
    return {
      content: forgetQuestion(ownHistory, question, t),
      components: [choices(ownHistory, context)],
    };
  },

  actions: { confirm: forgetting({ history: true }), rest: forgetting({ history: false }) },
});

/** Buttons of the question. If the driver's history stays, the person can hide it instead. A button deletes no more than its question said. */
function choices(
  ownHistory: OwnHistory | null,
  { hidden, person, t }: Context,
): ReturnType<typeof buttonRow> {
  const confirm = { command: 'forget-me', subject: person.id, danger: true };
  if (ownHistory === null || ownHistory.kept === null)
    return buttonRow({ ...confirm, action: 'confirm', label: t('forget.confirm') });
  const { username } = ownHistory;
  const mayHide = !hidden.isFixed(username) && !hidden.isHidden(username);
  return buttonRow(
    { ...confirm, action: 'rest', label: t('forget.confirmRest') },
    ...(ownHistory.kept.why === 'young' ? [proveButton(username, t)] : []),
    ...(mayHide ? [{ command: 'privacy', action: 'hide', subject: username, label: t('privacy.hide') }] : []),
  );
}

function forgetting({ history }: { readonly history: boolean }) {
  return onSubject(z.string(), async (subject, { store, hidden, person, t, now }) => {
    if (subject !== person.id) throw new UserError(t('discord.oldButton'));
    const forgotten = await store.userData.forget(person.id, { history, now });
    await hidden.refresh();
    return { content: forgottenText(forgotten, store.userData.copiesText(t), t) };
  });
}
