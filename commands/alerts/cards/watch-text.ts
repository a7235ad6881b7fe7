import { buttonRow } from '../../../src/cards/kit/card.ts';
import { compact } from '../../../src/cards/kit/lines.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import type { Watch, WatchTrouble } from '../models/watch.ts';
import { type News, newsText, wantedText } from './alert-text.ts';
import { resumeButton } from './watch-list-card.ts';

/** Facts that are true already: a garage may be full of worn cars. */
const MAX_TRUE_FACTS = 5;

/** Confirms that a person will get a message if a slot becomes free by then (unix milliseconds). */
export function confirmReminder(
  { id, server, until }: { readonly id: string; readonly server: string; readonly until: number },
  t: Translator,
) {
  const remove = { command: 'watch', action: 'stop', subject: id, label: t('watch.removeThis') };
  return {
    content: t('watch.slot.willAlert', {
      server: serverName(server, t),
      date: formatMoment(until, 'time', t),
    }),
    components: [buttonRow(remove)],
  };
}

/** The watch, how often it may alert, and what is true already. */
export function createdText(
  created: {
    readonly watch: Watch;
    /** True already when it is set; null where that is not known. */
    readonly already: readonly News[] | null;
    /** Only profiles say who is online, and they are looked up now and then. */
    readonly isSlow: boolean;
  },
  t: Translator,
): string {
  const { watch, already, isSlow } = created;
  const news = (already ?? []).map((one) => newsText(one, t));
  const factsText = news.slice(0, MAX_TRUE_FACTS).join(', ');
  const more = news.length > MAX_TRUE_FACTS ? ` ${t('card.more', { n: news.length - MAX_TRUE_FACTS })}` : '';
  return compact(
    t('watch.made', { what: `**${what(watch, t)}**` }),
    ...limits(watch, t),
    watch.atNight ? null : quietText(watch, t),
    isSlow ? t('watch.byProfile') : null,
    already === null ? t('watch.unknownNow') : null,
    news.length === 0 ? null : t('watch.trueNow', { news: `${factsText}${more}` }),
  ).join('\n');
}

function quietText({ zone, place }: Watch, t: Translator): string {
  if (zone !== null) return t('watch.quiet', { zone });
  return place.kind === 'direct'
    ? t('watch.anyHour', { button: t('timezone.button') })
    : t('watch.anyHourInChannel');
}

function limits({ place, condition: { kind } }: Watch, t: Translator): readonly string[] {
  const channel = place.kind === 'direct' ? '' : `<#${place.channel}>`;
  if (kind === 'outage')
    return [
      place.kind === 'direct' ? t('watch.outage.direct') : t('watch.outage.inChannel', { channel }),
      t('watch.outage.many'),
    ];
  return [place.kind === 'direct' ? t('watch.direct') : t('watch.inChannel', { channel })];
}

export function stoppedText(watches: readonly Watch[], t: Translator): string {
  return watches.map((watch) => t('watch.stopped', { what: what(watch, t) })).join('\n');
}

export function snoozedText(watches: readonly Watch[], t: Translator): string {
  return watches
    .map((watch) =>
      t('watch.snoozed', { date: formatMoment(watch.snoozedUntil ?? 0, 'time', t), what: what(watch, t) }),
    )
    .join('\n');
}

function what({ condition }: Watch, t: Translator): string {
  return wantedText(condition, t, escapeMarkdown);
}

/** Shown once to the maker of watches that had to be paused, or whose text Discord does not take. */
export function troubleMessage(why: WatchTrouble, t: Translator) {
  return {
    content: t(`watch.notified.${why}`),
    // Nothing brings a channel back, and a refused text pauses nothing.
    components: why === 'gone' || why === 'refused' ? [] : [buttonRow(resumeButton(t))],
  };
}
