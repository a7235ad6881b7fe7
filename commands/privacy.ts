import { z } from 'zod';
import { anyPress, defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import type { Reply } from '../src/app/reply.ts';
import { UserError } from '../src/base/errors.ts';
import { storedLines } from '../src/cards/about/stored-lines.ts';
import { type Button, buttons } from '../src/cards/kit/card.ts';
import { named } from '../src/cards/kit/lines.ts';
import { Username } from '../src/service/models/identifiers.ts';

export default defineCommand({
  description: 'privacy.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  run: (_args, context) => show(context),

  actions: {
    hide: hiding(true),
    show: hiding(false),
    forbid: defineAction({
      press: anyPress,
      async run(_press, { store, hidden, person, t }) {
        const link = await store.links.of(person.id);
        if (link === null) throw new UserError(t('link.none'));
        await hidden.wish(person.id, { unwatched: true });
        return { ephemeral: true, content: t('watch.forbade', { player: named(link.username) }) };
      },
    }),
    permit: defineAction({
      press: anyPress,
      async run(_press, { hidden, person, t }) {
        await hidden.wish(person.id, { unwatched: false });
        return { ephemeral: true, content: t('watch.permitted') };
      },
    }),
  },
});

async function show({ store, hidden, person, t }: Context): Promise<Reply> {
  const stored = await store.userData.stored(person.id);
  const { link } = stored;
  const isHidden = link !== null && hidden.isHidden(link.username);
  const row = [
    ...(link === null || hidden.isFixed(link.username) ? [] : [hideButton(link.username, isHidden, t)]),
    ...(link === null ? [] : [watching(link.unwatched, t)]),
  ];
  const file = JSON.stringify({ account: person.id, ...stored, hidden: isHidden }, withDates, 2);
  return {
    content: [...storedLines(stored, t), ...driverLines(link, hidden, t), '', t('privacy.more')].join('\n'),
    components: row.length === 0 ? [] : [buttons(...row)],
    files: [{ name: 'pitwall-privacy.json', text: `${file}\n` }],
  };
}

/** What everybody can see of the person's driver. */
function driverLines(
  link: { readonly username: string } | null,
  hidden: Context['hidden'],
  t: Context['t'],
): readonly string[] {
  if (link === null) return [];
  const player = named(link.username);
  const isHidden = hidden.isHidden(link.username);
  if (hidden.isFixed(link.username))
    return ['', t(isHidden ? 'privacy.hiddenByOperator' : 'privacy.shownByOperator', { player })];
  return ['', t(isHidden ? 'privacy.hidden' : 'privacy.visible', { player })];
}

function hideButton(subject: string, isHidden: boolean, t: Context['t']): Button {
  const action = isHidden ? 'show' : 'hide';
  return { command: 'privacy', action, subject, label: t(`privacy.${action}`) };
}

/** The button names the driver that it was shown for: the person may have linked another one since. */
function hiding(isHidden: boolean) {
  return defineAction({
    press: z.object({ subject: Username }),
    async run({ subject }, context: Context) {
      const { store, hidden, person, t } = context;
      const link = await store.links.of(person.id);
      if (link === null) throw new UserError(t('link.none'));
      if (link.username !== subject) {
        const names = { player: named(link.username), before: named(subject) };
        throw new UserError(t('privacy.otherDriver', names));
      }
      if (hidden.isFixed(subject)) throw new UserError(driverLines(link, hidden, t).join('\n').trim());
      await hidden.wish(person.id, { hidden: isHidden });
      return show(context);
    },
  });
}

/** Whether others may set an alert on the person's own driver. */
function watching(unwatched: boolean, t: Context['t']): Button {
  const action = unwatched ? 'permit' : 'forbid';
  return { command: 'privacy', action, subject: '', label: t(`watch.${action}`) };
}

/** Times as readable dates. */
function withDates(key: string, value: unknown): unknown {
  const isMoment = (key === 'since' || key === 'expires') && typeof value === 'number';
  return isMoment ? new Date(value).toISOString() : value;
}
