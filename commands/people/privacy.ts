import { UserError } from '../../src/base/errors.ts';
import { type Button, buttonRow } from '../../src/cards/kit/card.ts';
import { compact } from '../../src/cards/kit/lines.ts';
import { onPress, onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { unlinkedError } from '../../src/command-kit/for-driver.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import type { Feature, PrivacyChoice } from '../../src/features/feature.ts';
import { Username } from '../../src/service/models/identifiers.ts';
import { escapeMarkdown } from '../../src/text/names.ts';
import { features } from '../subjects.ts';
import { storedLines } from './cards/own-data-text.ts';
import { soonText } from './cards/proof-card.ts';

const choices = Object.values<Feature>(features).flatMap(({ privacy }) => privacy ?? []);

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
    ...Object.fromEntries(
      choices.flatMap((choice) => [true, false].map((isOn) => createAction(choice, isOn))),
    ),
  },
});

async function show(context: Context): Promise<Reply> {
  const { store, hidden, person, t, now } = context;
  const stored = await store.userData.stored(person.id, t);
  const link = await store.links.of(person.id);
  const asked = link === null ? [] : choices.map((choice) => sidesOf(choice, link, context));
  const sides = (await Promise.all(asked)).filter((each) => each !== null);
  const isHidden = link !== null && hidden.isHidden(link.username);
  const row = compact(
    link === null || hidden.isFixed(link.username) ? null : hideButton(link, t),
    ...sides.map(({ other: { action, label } }) => ({
      command: 'privacy',
      action,
      subject: '',
      label: t(label),
    })),
    { command: 'privacy', action: 'about', subject: '', label: t('privacy.about') },
  );
  const file = JSON.stringify({ account: person.id, ...stored.file, hidden: isHidden }, withDates, 2);
  return {
    content: [
      ...storedLines(stored.lines, t),
      ...driverLines(link, hidden, now, t),
      ...sides.flatMap(({ chosen: { line } }) => (line === undefined ? [] : t(line))),
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

/** Returns the chosen side of a choice and the other one; null where the person has no choice. */
async function sidesOf({ isOn, on, off }: PrivacyChoice, link: OwnLink, context: Context) {
  const state = await isOn(link, context);
  if (state === null) return null;
  return state ? { chosen: on, other: off } : { chosen: off, other: on };
}

function createAction(choice: PrivacyChoice, isOn: boolean) {
  const { action, confirm } = isOn ? choice.on : choice.off;
  const press = onPress(async (context) => {
    const { hidden, now, t } = context;
    const link = await ownLink(context);
    await choice.set(isOn, context);
    if (confirm === undefined) return show(context);
    const start = isOn ? startText(link, hidden, now, t) : [];
    return { ephemeral: true, content: [confirm(escapeMarkdown(link.username), t), ...start].join('\n') };
  });
  return [action, press] as const;
}

const moments = ['since', 'proved', 'until', 'snoozedUntil', 'begun', 'at', 'madeAt', 'asOf'];

/** Times as readable dates. */
function withDates(key: string, value: unknown): unknown {
  if (!moments.includes(key)) return value;
  if (Array.isArray(value)) return value.map((item) => withDates(key, item));
  return typeof value === 'number' ? new Date(value).toISOString() : value;
}
