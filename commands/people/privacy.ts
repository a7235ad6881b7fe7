import { UserError } from '../../src/base/errors.ts';
import { type Button, buttonRow } from '../../src/cards/kit/card.ts';
import { compact } from '../../src/cards/kit/lines.ts';
import { onPress, onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { unlinkedError } from '../../src/command-kit/for-driver.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { Username } from '../../src/service/models/identifiers.ts';
import { escapeMarkdown } from '../../src/text/names.ts';
import { storedLines } from './cards/own-data-text.ts';
import { soonText } from './cards/proof-card.ts';

export default defineCommand({
  description: 'privacy.description',
  topic: 'yours',
  visibility: 'private',
  options: {},

  run: (_args, context) => show(context),

  actions: {
    about: onPress(async ({ t }) => ({ ephemeral: true, content: t('privacy.more') })),
    hide: hiding(true),
    show: hiding(false),
    forbid: onPress(async (context) => {
      const { hidden, person, t, now } = context;
      const link = await ownLink(context);
      await hidden.setPrivacy(person.id, { unwatched: true });
      const forbade = t('watch.forbade', { player: escapeMarkdown(link.username) });
      return { ephemeral: true, content: [forbade, ...startText(link, hidden, now, t)].join('\n') };
    }),
    convoys: showingConvoys(true),
    alone: showingConvoys(false),
    keep: keepingMonths(true),
    drop: keepingMonths(false),
    permit: onPress(async ({ hidden, person, t }) => {
      await hidden.setPrivacy(person.id, { unwatched: false });
      return { ephemeral: true, content: t('watch.permitted') };
    }),
  },
});

async function show(context: Context): Promise<Reply> {
  const { store, hidden, person, t, now } = context;
  const stored = await store.userData.stored(person.id, t);
  const link = await store.links.of(person.id);
  const months = await readMonths(context);
  const isHidden = link !== null && hidden.isHidden(link.username);
  const row = compact(
    link === null || hidden.isFixed(link.username) ? null : hideButton(link, t),
    link && watching(link.unwatched, t),
    link === null || link.proved === null ? null : convoysButton(link, t),
    months && monthsButton(months, t),
    { command: 'privacy', action: 'about', subject: '', label: t('privacy.about') },
  );
  const file = JSON.stringify({ account: person.id, ...stored.file, hidden: isHidden }, withDates, 2);
  return {
    content: [
      ...storedLines(stored.lines, t),
      ...driverLines(link, hidden, now, t),
      ...monthsLines(months, t),
      '',
      t('privacy.deletes', { copies: store.userData.copiesText(t) }),
    ].join('\n'),
    components: [buttonRow(...row)],
    files: [{ name: 'pitwall-privacy.json', text: `${file}\n` }],
  };
}

type OwnLink = Awaited<ReturnType<typeof ownLink>>;

async function ownLink({ store, person, t }: Context) {
  const link = await store.links.of(person.id);
  if (link === null) throw unlinkedError('link.none', t);
  return link;
}

function driverLines(link: OwnLink | null, hidden: Context['hidden'], now: number, t: Context['t']) {
  if (link === null) return [];
  const player = escapeMarkdown(link.username);
  const isHidden = hidden.isHidden(link.username);
  if (hidden.isFixed(link.username))
    return ['', t(isHidden ? 'privacy.hiddenByOperator' : 'privacy.shownByOperator', { player })];
  if (isHidden) return ['', t('privacy.hidden', { player })];
  return ['', t('privacy.visible', { player }), ...(link.hidden ? startText(link, hidden, now, t) : [])];
}

/** When a wish begins to count; empty where it does already. */
function startText(
  link: OwnLink,
  hidden: Context['hidden'],
  now: number,
  t: Context['t'],
): readonly string[] {
  const from = hidden.countsFrom(link);
  return from <= now ? [] : [soonText(from - now, t)];
}

function hideButton({ username: subject, hidden }: OwnLink, t: Context['t']): Button {
  const action = hidden ? 'show' : 'hide';
  return { command: 'privacy', action, subject, label: t(`privacy.${action}`) };
}

/** The button names the driver that it was shown for: the person may have linked another one since. */
function hiding(isHidden: boolean) {
  return onSubject(Username, async (subject, context) => {
    const { hidden, person, t, now } = context;
    const link = await ownLink(context);
    if (link.username !== subject) {
      const names = { player: escapeMarkdown(link.username), before: escapeMarkdown(subject) };
      throw new UserError(t('privacy.otherDriver', names));
    }
    if (hidden.isFixed(subject)) throw new UserError(driverLines(link, hidden, now, t).join('\n').trim());
    await hidden.setPrivacy(person.id, { hidden: isHidden });
    return show(context);
  });
}

function watching(unwatched: boolean, t: Context['t']): Button {
  const action = unwatched ? 'permit' : 'forbid';
  return { command: 'privacy', action, subject: '', label: t(`watch.${action}`) };
}

/** Only the driver's own account can show its convoys. */
function showingConvoys(convoysShown: boolean) {
  return onPress(async (context) => {
    await ownLink(context);
    await context.hidden.setPrivacy(context.person.id, { convoysShown });
    return show(context);
  });
}

function convoysButton({ convoysShown }: OwnLink, t: Context['t']): Button {
  const buttonBase = { command: 'privacy', subject: '' };
  return convoysShown === true
    ? { ...buttonBase, action: 'alone', label: t('convoy.privacy.hide') }
    : { ...buttonBase, action: 'convoys', label: t('convoy.privacy.show') };
}

type OwnMonths = Awaited<ReturnType<typeof readMonths>>;

function readMonths({ features, person }: Context) {
  return features.recap.months.of(person.id);
}

function monthsLines(months: OwnMonths, t: Context['t']): readonly string[] {
  return months === null ? [] : [t(months.isOn ? 'recap.keep.isOn' : 'recap.keep.isOff')];
}

function monthsButton({ isOn }: NonNullable<OwnMonths>, t: Context['t']): Button {
  const label = t(isOn ? 'recap.keep.turnOff' : 'recap.keep.turnOn');
  return { command: 'privacy', action: isOn ? 'drop' : 'keep', subject: '', label };
}

function keepingMonths(isOn: boolean) {
  return onPress(async (context) => {
    await ownLink(context);
    await context.features.recap.months.set(context.person.id, isOn);
    return show(context);
  });
}

const moments = ['since', 'proved', 'until', 'snoozedUntil', 'begun', 'at', 'madeAt', 'asOf'];

/** Times as readable dates. */
function withDates(key: string, value: unknown): unknown {
  if (!moments.includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => withDates(key, item));
  return typeof value === 'number' ? new Date(value).toISOString() : value;
}
