import { buttonRow, type Card, createCard, menuRow } from '../../../src/cards/kit/card.ts';
import { joinParts } from '../../../src/cards/kit/lines.ts';
import { pageButtons, pageLabel, pageOf } from '../../../src/cards/kit/paging.ts';
import { formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import type { Watch } from '../models/watch.ts';
import { reminderText, wantedText } from './alert-text.ts';

/** `isForbidden`: no alerts about that driver any more. */
interface ListedWatch extends Watch {
  readonly isForbidden: boolean;
}

/** Watches on one page: as many lines as a description holds, even where each is as long as can be. */
const ROWS_A_PAGE = 15;

/**
 * A page of a person's own watches and then those of the guild, with a menu to choose one; numbered, since two may read
 * the same in a menu. `now` in unix milliseconds; `wanted`: the page, from 0.
 */
export function watchListCard(
  { own, here }: { readonly own: readonly ListedWatch[]; readonly here: readonly ListedWatch[] },
  { now, wanted = 0 }: { readonly now: number; readonly wanted?: number },
  t: Translator,
): Card {
  const all = [...own, ...here];
  const numbers = new Map(all.map(({ id }, at) => [id, at + 1]));
  const page = pageOf(all, ROWS_A_PAGE, wanted);
  const onPage = (watches: readonly ListedWatch[]) => watches.filter((watch) => page.rows.includes(watch));
  const part = (name: string, watches: readonly ListedWatch[]) =>
    watches.length === 0
      ? []
      : ['', `**${name}**`, ...watches.map((watch) => `${numbers.get(watch.id)}. ${line(watch, now, t)}`)];
  const controls = [
    ...pageButtons(page, { command: 'watch', action: 'page', subject: '' }, t),
    ...(all.some(({ paused }) => paused !== null) ? [resumeButton(t)] : []),
  ];
  const content = {
    title: t('watch.list.title'),
    lead: [all.length === 0 ? t('watch.list.none') : null, pageLabel(page, t)],
    list: [...part(t('watch.list.own'), onPage(own)), ...part(t('watch.list.here'), onPage(here))].slice(1),
    components: [
      ...(page.rows.length === 0
        ? []
        : [
            menuRow(
              { command: 'watch', action: 'one', number: page.page, subject: '' },
              t('watch.list.choose'),
              page.rows.map(({ id, condition }) => ({
                label: wantedText(condition, t),
                description: `${numbers.get(id)}.`,
                value: id,
              })),
            ),
          ]),
      ...(controls.length === 0 ? [] : [buttonRow(...controls)]),
    ],
  };
  return createCard(content, t);
}

/** A watch of the list, with buttons for what can be done with it. `page`: of the list, to which the last of them leads back. */
export function watchCard(
  watch: ListedWatch,
  { now, page }: { readonly now: number; readonly page: number },
  t: Translator,
): Card {
  const id = { command: 'watch', subject: watch.id };
  const row = buttonRow(
    ...(watch.paused === null ? [{ ...id, action: 'snooze', label: t('watch.snooze') }] : [resumeButton(t)]),
    { ...id, action: 'remove', number: page, label: t('watch.removeThis'), danger: true },
    { ...id, action: 'page', number: page, subject: '', label: t('card.back') },
  );
  const list = [line(watch, now, t)];
  return createCard({ title: t('watch.list.title'), lead: [], list, components: [row] }, t);
}

export function resumeButton(t: Translator) {
  return { command: 'watch', action: 'resume', subject: '', label: t('watch.resume'), emoji: '🔔' };
}

function line(watch: ListedWatch, now: number, t: Translator): string {
  const reminder = reminderText(watch, t);
  if (reminder !== null) return reminder;
  const { place, condition, atNight, ...state } = watch;
  const { paused, isForbidden, snoozedUntil } = state;
  const snoozeEnd =
    snoozedUntil === null || snoozedUntil <= now ? null : formatTimestamp(snoozedUntil, 'time');
  return joinParts(
    wantedText(condition, t, escapeMarkdown),
    place.kind === 'channel' ? `<#${place.channel}>` : null,
    place.kind === 'channel' && place.role !== null
      ? t('watch.list.pinging', { role: `<@&${place.role}>` })
      : null,
    atNight ? t('watch.list.atNight') : null,
    snoozeEnd && t('watch.list.snoozed', { date: snoozeEnd }),
    paused && t(`watch.paused.${paused.why}`),
    isForbidden ? t('watch.paused.forbidden') : null,
  );
}
