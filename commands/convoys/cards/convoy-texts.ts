/** Texts about convoys beside their cards: a draft, and the list. */

import { SECOND } from '../../../src/base/duration.ts';
import {
  type ActionRow,
  buttonRow,
  type Card,
  channelRow,
  createCard,
  menuRow,
} from '../../../src/cards/kit/card.ts';
import type { CustomId } from '../../../src/cards/kit/custom-id.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { compact, joinParts } from '../../../src/cards/kit/lines.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown, plainChatName } from '../../../src/text/names.ts';
import type { Convoy, Draft, PastConvoy } from '../models/convoy.ts';
import { splitWhen } from '../models/convoy-window.ts';
import type { readWhen } from '../models/when.ts';
import { nameMoment } from '../models/when-suggestions.ts';
import { descriptionLines, MAX_NAMES, planLines, signUpRow } from './convoy-card.ts';

/**
 * Discord's event of a draft. `no-right`: the bot may make none. `open`: everyone may view the channel, so there is one, which
 * shows nothing that they do not see. `closed`: not everyone may, so there is none. `for-all`: not everyone may, and the person
 * wants one all the same.
 */
export type DraftEvent = 'no-right' | 'open' | 'closed' | 'for-all';

/** The reason why a convoy cannot begin at the typed time. */
type TimeProblem = Extract<ReturnType<typeof readWhen>, { readonly problem: unknown }>['problem'];

/** Buttons of a row. */
const MAX_BUTTONS = 5;

const eventTexts = {
  'no-right': 'convoy.preview.noEvent',
  closed: 'convoy.preview.closed',
  'for-all': 'convoy.preview.forAll',
} as const;

/** Before anything is public. `problem`: why its time is none. `meanings`: the moments among which the person chooses. */
export function draftCard(
  {
    draft,
    problem,
    meanings,
    isChange,
    event,
  }: {
    readonly draft: Draft;
    readonly problem: TimeProblem | null;
    readonly meanings: readonly number[];
    readonly isChange: boolean;
    readonly event: DraftEvent;
  },
  t: Translator,
): Card {
  const { id: subject, title, at, zone, channel, role, weekly, isZoned = true } = draft;
  // Within backticks only backticks need to be escaped.
  const when = plainChatName(draft.when).replaceAll('`', 'ˋ');
  // A day was chosen, and is not what cannot be read.
  const typedWhen = problem === 'unread' ? (splitWhen(when)?.time ?? when) : when;
  const button = { command: 'convoy', subject };
  const lead =
    at === null
      ? [problem && t(`convoy.problem.${problem}`, { when: typedWhen, zone })]
      : [
          isChange ? t('convoy.preview.change') : t('convoy.preview.new', { channel: `<#${channel}>` }),
          ...planLines({ ...draft, at, madeBy: null }, t),
          ...descriptionLines(draft),
          isZoned || weekly ? t('convoy.preview.zone', { when, zone }) : null,
          role === null || isChange ? null : t('convoy.preview.ping', { role: `<@&${role}>` }),
          event === 'open' ? null : t(eventTexts[event]),
        ];
  const announce = {
    ...button,
    action: 'announce',
    label: t(isChange ? 'convoy.button.save' : 'convoy.button.announce'),
  };
  // The other fields of each form are read again.
  const form = { action: 'form', subject: `${subject},` };
  const row = compact(
    at === null ? null : announce,
    { ...form, command: 'convoy edit', label: t('convoy.button.change') },
    at === null ? null : { ...form, command: 'convoy more', label: t('convoy.button.more') },
    { ...button, action: 'drop', label: t('convoy.button.drop') },
  );
  const rest = compact(
    at !== null && event === 'closed'
      ? { ...button, action: 'event', label: t('convoy.button.event'), emoji: '📢' }
      : null,
    at !== null && event === 'for-all'
      ? { ...button, action: 'eventless', label: t('convoy.button.noEvent') }
      : null,
    // The window asks for a time zone only once, and may have been given another place's.
    { ...form, command: 'convoy zone', label: t('timezone.button'), emoji: '🌐' },
  );
  const choices = meanings.slice(0, MAX_BUTTONS).map((meaning) => ({
    command: 'convoy',
    action: 'at',
    subject: `${subject},${meaning / SECOND}`,
    label: nameMoment(meaning, { locale: t.locale, zone }),
  }));
  const components = compact(
    choices.length === 0 ? null : buttonRow(...choices),
    // A convoy stays in its channel.
    at === null || isChange ? null : channelRow({ ...button, action: 'channel' }, t('convoy.channel')),
    buttonRow(...row),
    buttonRow(...rest),
  );
  return createCard({ title: `🚗 ${title}`, lead, components }, t);
}

/** A convoy with buttons for whoever may change it. `silent`: people who have not signed up. */
export function manageCard(
  { convoy, silent }: { readonly convoy: Convoy; readonly silent: readonly string[] },
  t: Translator,
): Card {
  const { id: subject, title, weekly } = convoy;
  const form = { action: 'form', subject: `${subject},` };
  const button = { command: 'convoy', subject };
  const rest = silent.length - MAX_NAMES;
  const mentions = silent.slice(0, MAX_NAMES).map((person) => `<@${person}>`);
  const people = compact(...mentions, rest > 0 ? `+${t.number(rest)}` : null).join(' · ');
  const lead = [
    ...planLines({ ...convoy, madeBy: null }, t),
    silent.length === 0 ? null : t('convoy.manage.silent', { people }),
  ];
  const row = compact(
    { ...form, command: 'convoy edit', label: t('convoy.button.change') },
    { ...form, command: 'convoy more', label: t('convoy.button.more') },
    // The next week's comes by itself.
    weekly ? null : { ...button, action: 'again', label: t('convoy.button.again'), emoji: '🔁' },
    { ...button, action: 'cancel', label: t('convoy.cancel.stop'), danger: true },
  );
  return createCard({ title: `⚙️ ${title}`, lead, components: [buttonRow(...row)] }, t);
}

/** Convoys among which a person chooses. `id`: of the menu. */
export function convoyMenu(
  convoys: readonly Pick<Convoy, 'id' | 'title' | 'at'>[],
  id: CustomId,
  zone: string,
  t: Translator,
): ActionRow {
  const choices = convoys.map(({ id: value, title, at }) => ({
    value,
    label: title,
    description: nameMoment(at, { locale: t.locale, zone }),
  }));
  return menuRow(id, t('convoy.which'), choices);
}

/** A convoy that was chosen in the list, to sign up for. Who comes stands on its card, which is kept right. */
export function chosenConvoyCard(
  { convoy, isRunning }: { readonly convoy: Convoy; readonly isRunning: boolean },
  t: Translator,
): Card {
  const lead = [...planLines(convoy, t), ...descriptionLines(convoy), `<#${convoy.channel}>`];
  const row = signUpRow({ convoy, phase: isRunning ? 'running' : 'coming' }, t);
  return createCard({ title: `🚗 ${convoy.title}`, lead, components: [row] }, t);
}

/** The next convoys, of which one can be chosen, and the last ones with how many came. `zone`: of the reader. */
export function convoyListCard(
  {
    coming,
    past,
  }: {
    readonly coming: readonly {
      readonly convoy: Convoy;
      readonly isRunning: boolean;
      readonly inside: number;
      readonly maybe: number;
    }[];
    readonly past: readonly PastConvoy[];
  },
  zone: string,
  t: Translator,
): Card {
  const convoys = coming.map(({ convoy }) => convoy);
  const menu = { command: 'convoy', action: 'show', subject: '' };
  const list = linePerRow(coming, ({ convoy: { title, at, server, channel }, isRunning, inside, maybe }) =>
    joinParts(
      `${formatMoment(at, 'date', t)} ${formatMoment(at, 'clock', t)} **${escapeMarkdown(title)}**`,
      isRunning ? `🟢 ${t('convoy.list.running')}` : null,
      serverName(server, t),
      t('convoy.in', { count: inside }),
      maybe === 0 ? null : t('convoy.maybe', { count: maybe }),
      `<#${channel}>`,
    ),
  );
  const pastLines = linePerRow(past, ({ title, at, result }) =>
    joinParts(
      `${formatMoment(at, 'date', t)} ${escapeMarkdown(title)}`,
      result?.known ? t('convoy.came', { count: result.there.length }) : null,
    ),
  );
  return createCard(
    {
      title: t('convoy.list.title'),
      lead: [coming.length === 0 ? t('convoy.list.none') : null],
      list,
      sections: past.length === 0 ? [] : [{ name: t('convoy.list.past'), lines: pastLines }],
      components: convoys.length === 0 ? [] : [convoyMenu(convoys, menu, zone, t)],
    },
    t,
  );
}

/** To everyone who wants to be reminded. */
export function reminderText({ title, at, server }: Convoy, t: Translator): string {
  return t('convoy.reminder', {
    title: escapeMarkdown(title),
    clock: formatMoment(at, 'clock', t),
    in: formatMoment(at, 'relative', t),
    server: serverName(server, t),
  });
}

/** To those who want to be reminded of one that will not begin. */
export function cancelledText({ title, at }: Convoy, t: Translator): string {
  return t('convoy.cancelledReminder', {
    title: escapeMarkdown(title),
    when: formatMoment(at, 'weekday', t),
  });
}

/** `role`: pinged by it. */
export function pingText({ title, at, role }: Convoy & { readonly role: string }, t: Translator): string {
  return t('convoy.ping', {
    role: `<@&${role}>`,
    title: escapeMarkdown(title),
    when: formatMoment(at, 'weekday', t),
  });
}

/** To its maker: Discord does not accept the text of its event. */
export function eventRefusedText({ title, event }: Convoy, t: Translator): string {
  const key = event === null ? 'convoy.notified.eventRefused' : 'convoy.notified.eventUnchanged';
  return t(key, { title: escapeMarkdown(title) });
}

/** To its maker: Discord does not accept its card, or the ping for it. */
export function refusedText({ title, channel }: Convoy, t: Translator): string {
  return t('convoy.notified.text', { title: escapeMarkdown(title), channel: `<#${channel}>` });
}

/** To its maker: Discord's event of it was deleted by hand. */
export function eventGoneText({ title }: Convoy, t: Translator): string {
  return t('convoy.notified.event', { title: escapeMarkdown(title) });
}

/** The message to a convoy's maker when its card in that channel cannot go on. */
export function cardPausedText(
  channelId: string,
  why: 'rights' | 'channel' | 'unwanted',
  t: Translator,
): string {
  return t(`convoy.notified.${why === 'rights' ? 'refused' : why}`, { channel: `<#${channelId}>` });
}
