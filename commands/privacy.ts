import { anyPress, defineAction } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import { storedLines } from '../src/cards/about/stored-lines.ts';
import { type Button, buttons } from '../src/cards/kit/card.ts';
import { named } from '../src/cards/kit/lines.ts';
import { UserError } from '../src/errors.ts';

export default defineCommand({
  description: 'privacy.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  async run(_args, { store, person, t, now }) {
    const stored = await store.userData.stored(person.id, now);
    const file = JSON.stringify({ account: person.id, ...stored }, withDates, 2);
    return {
      content: [...storedLines(stored, t), '', t('privacy.more')].join('\n'),
      files: [{ name: 'pitwall-privacy.json', text: `${file}\n` }],
      components:
        stored.link === null && stored.unwatched === null ? [] : [buttons(watching(stored.unwatched, t))],
    };
  },

  actions: {
    forbid: defineAction({
      press: anyPress,
      async run(_press, { store, watches, person, t }) {
        const link = await store.links.of(person.id);
        if (link === null) throw new UserError(t('link.missing'));
        await watches.forbid(person.id, link.username);
        return { ephemeral: true, content: t('watch.forbade', { player: named(link.username) }) };
      },
    }),
    permit: defineAction({
      press: anyPress,
      async run(_press, { watches, person, t }) {
        await watches.forbid(person.id, null);
        return { ephemeral: true, content: t('watch.permitted') };
      },
    }),
  },
});

/** Whether others may set an alert on the person's own driver. */
function watching(unwatched: string | null, t: Context['t']): Button {
  const action = unwatched === null ? 'forbid' : 'permit';
  return { command: 'privacy', action, subject: '', label: t(`watch.${action}`) };
}

/** Times as readable dates. */
function withDates(key: string, value: unknown): unknown {
  const isMoment = (key === 'since' || key === 'expires') && typeof value === 'number';
  return isMoment ? new Date(value).toISOString() : value;
}
