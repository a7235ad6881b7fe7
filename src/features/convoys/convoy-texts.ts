/** Texts about convoys beside their cards: a draft, and the list. */

import { SECOND } from '../../base/duration.ts';
import { type Button, buttonRow, type Card, createCard } from '../../cards/kit/card.ts';
import { linePerRow } from '../../cards/kit/fit-lines.ts';
import { compact, escapeMarkdown, joinParts, plainChatName } from '../../cards/kit/lines.ts';
import { serverName } from '../../cards/servers/server-lines.ts';
import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { Convoy, Draft, PastConvoy } from './convoy.ts';
import { descriptionLines, planLines } from './convoy-card.ts';
import type { readWhen } from './when.ts';

/**
 * Discord's event of a draft. `no-right`: the bot may make none. `open`: everyone may view the channel, so there is one.
 * `closed`: not everyone may, so there is none. `for-all`: not everyone may, and the person wants one all the same.
 */
export type DraftEvent = 'no-right' | 'open' | 'closed' | 'for-all';

/** The reason why a convoy cannot begin at the typed time. */
type TimeProblem = Extract<ReturnType<typeof readWhen>, { readonly problem: unknown }>['problem'];

/** Buttons of a row. */
const MAX_BUTTONS = 5;

const eventTexts = {
  'no-right': 'convoy.preview.noEvent',
  open: 'convoy.preview.event',
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
  more: readonly Button[],
  t: Translator,
): Card {
  const { id: subject, title, at, zone, channel, role, weekly, isZoned = true } = draft;
  // Within backticks only backticks need to be escaped.
  const when = plainChatName(draft.when).replaceAll('`', 'ˋ');
  const button = { command: 'convoy', subject };
  const lead =
    at === null
      ? [problem && t(`convoy.problem.${problem}`, { when, zone })]
      : [
          isChange ? t('convoy.preview.change') : t('convoy.preview.new', { channel: `<#${channel}>` }),
          ...planLines({ ...draft, at, madeBy: null }, t),
          ...descriptionLines(draft),
          isZoned || weekly ? t('convoy.preview.zone', { when, zone }) : null,
          role === null || isChange ? null : t('convoy.preview.ping', { role: `<@&${role}>` }),
          t(eventTexts[event]),
        ];
  const announce = {
    ...button,
    action: 'announce',
    label: t(isChange ? 'convoy.button.save' : 'convoy.button.announce'),
  };
  const row = compact(
    at === null ? null : announce,
    // The other fields of its form are read again.
    { command: 'convoy edit', action: 'form', subject: `${subject},`, label: t('convoy.button.change') },
    { ...button, action: 'drop', label: t('convoy.button.drop') },
    at !== null && event === 'closed'
      ? { ...button, action: 'event', label: t('convoy.button.event'), emoji: '📢' }
      : null,
    at !== null && event === 'for-all'
      ? { ...button, action: 'eventless', label: t('convoy.button.noEvent') }
      : null,
  );
  const choices = meanings.slice(0, MAX_BUTTONS).map((meaning) => ({
    ...{ command: 'convoy', action: 'at', subject: `${subject},${meaning / SECOND}` },
    label: zonedFormats(t.locale, zone).moment(meaning),
  }));
  const components = [...(choices.length === 0 ? [] : [buttonRow(...choices)]), buttonRow(...row, ...more)];
  return createCard({ title: `🚗 ${title}`, lead, components }, t);
}

/** Convoys that a person may have meant, a line each with its number; at most ten. */
export function convoyChoices(
  matches: readonly { readonly convoy: Pick<Convoy, 'title' | 'at'>; readonly number: number }[],
  t: Translator,
): string {
  return matches
    .slice(0, 10)
    .map(({ convoy: { title, at }, number }) =>
      joinParts(`**${t.number(number)}** ${escapeMarkdown(title)}`, formatMoment(at, 'weekday', t)),
    )
    .join('\n');
}

/** The next convoys, and the last ones with how many came. */
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
  t: Translator,
): Card {
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
