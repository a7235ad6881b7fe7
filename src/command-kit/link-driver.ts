import { UserError } from '../base/errors.ts';
import { buttonRow } from '../cards/kit/card.ts';
import { compact } from '../cards/kit/lines.ts';
import { proveButton } from '../cards/kit/link-buttons.ts';
import { profile } from '../service/endpoints.ts';
import { Username } from '../service/models/identifiers.ts';
import { escapeMarkdown } from '../text/names.ts';
import type { Context } from './context.ts';
import { forDriver } from './for-driver.ts';
import { defineForm, type Form } from './form.ts';
import type { Reply } from './reply.ts';

/** Links the person's own account. `username`: in the game's spelling. `isAlone`: no card follows, and all of it is told. */
export async function linkOwn(
  username: string,
  { store, hidden, features, person, t, now }: Context,
  isAlone = true,
): Promise<{ readonly isLinked: boolean; readonly reply: Reply }> {
  const oldLink = await store.links.of(person.id);
  const wasHidden = oldLink !== null && hidden.isHidden(oldLink.username);
  const linkResult = await store.links.set(person.id, { username, since: now });
  if (linkResult === 'taken') {
    const content = t('link.taken', { player: escapeMarkdown(username) });
    return { isLinked: false, reply: { content, components: [buttonRow(proveButton(username, t))] } };
  }
  await hidden.refresh();
  const isShown = wasHidden && oldLink !== null && !hidden.isHidden(oldLink.username);
  const isProved = (await store.links.of(person.id))?.proved !== null;
  const linkHere = await store.links.of(person.id, person.guildId);
  const isOverruled = linkHere?.username !== username;
  const overruled =
    linkHere === null
      ? t('link.noneHere')
      : t('link.otherHere', { player: escapeMarkdown(linkHere.username) });
  const content = compact(
    t(isProved ? 'link.doneProved' : 'link.done', { player: escapeMarkdown(username) }),
    isOverruled ? overruled : null,
    isShown ? t('unlink.unhidden', { player: escapeMarkdown(oldLink.username) }) : null,
    isAlone && (await features.recap.months.tell(person.id)) ? `-# ${t('recap.keep.linked')}` : null,
  ).join('\n');
  const row = buttonRow(
    { command: 'profile', action: 'answer', subject: username, label: t('link.myProfile') },
    { command: 'recap', action: 'picture', subject: username, label: t('recap.mine') },
    ...(isProved ? [] : [proveButton(username, t)]),
  );
  return { isLinked: true, reply: { content, components: [row] } };
}

/**
 * A window with one field, which links the person's driver. `show` makes the answer that follows, which the person had asked
 * for; null: none.
 */
export function linkForm(show: ((username: string, context: Context) => Promise<Reply>) | null): Form {
  return defineForm({
    title: 'link.own',
    fields: { player: { kind: 'text', label: 'link.options.player' } },
    isForButtons: true,
    sameAs: 'link',
    replacesMessage: true,
    begin: async () => ({}),
    async submit({ player: typed }, context) {
      const { data: player } = Username.safeParse(typed.trim());
      if (player === undefined) throw new UserError(context.t('input.username'));
      return forDriver(player, context, async (name) => {
        const { username } = (await context.service.get(profile, { username: name })).record;
        const { isLinked, reply } = await linkOwn(username, context, show === null);
        if (!isLinked || show === null) return reply;
        const { content = null, ...card } = await showOrRefuse(() => show(username, context));
        const lines = compact(reply.content ?? null, content);
        return { components: reply.components ?? [], ...card, content: lines.join('\n') };
      });
    },
  });
}

/** The link is made by now: what cannot be shown, such as a month without a session, is said below it. */
async function showOrRefuse(show: () => Promise<Reply>): Promise<Reply> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof UserError) return { content: error.message };
    throw error;
  }
}
