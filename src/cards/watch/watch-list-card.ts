import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import { cut } from '../../text/cut.ts';
import { buttons, type Card, menu, type Row } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { joined, named } from '../kit/lines.ts';
import { type Wanted, wantedText } from './alert-text.ts';

export interface Listed {
  readonly id: string;
  readonly place:
    | { readonly kind: 'direct' }
    | { readonly kind: 'channel'; readonly channel: string; readonly role: string | null };
  readonly condition: Wanted;
  readonly atNight: boolean;
  /** Unix milliseconds; may be over. */
  readonly snoozedUntil: number | null;
  readonly paused: { readonly why: 'closed' | 'gone' | 'rights' } | null;
  readonly isForbidden: boolean;
}

/** Characters that Discord takes for a choice of a menu, and choices. */
const LABEL = 100;
const CHOICES = 25;

/**
 * A person's own watches and those of the guild, with a menu each to remove one; numbered, since the choices of a menu
 * cannot name a channel. `now` in unix milliseconds.
 */
export function watchListCard(
  { own, here }: { readonly own: readonly Listed[]; readonly here: readonly Listed[] },
  now: number,
  t: Translator,
): Card {
  const numbers = new Map([...own, ...here].map(({ id }, at) => [id, at + 1]));
  const section = (name: string, all: readonly Listed[]) =>
    all.length === 0
      ? []
      : [{ name, lines: all.map((watch) => `${numbers.get(watch.id)}. ${line(watch, now, t)}`) }];
  const body = {
    title: t('watch.list.title'),
    lead: own.length + here.length === 0 ? [t('watch.list.none')] : [],
    sections: [...section(t('watch.list.own'), own), ...section(t('watch.list.here'), here)],
  };
  const isAnyPaused = [...own, ...here].some(({ paused }) => paused !== null);
  return {
    embeds: [embed(body, t)],
    components: [
      ...remover('own', own, numbers, t),
      ...remover('here', here, numbers, t),
      ...(isAnyPaused ? [buttons(resumeButton(t))] : []),
    ],
  };
}

export function resumeButton(t: Translator) {
  return { command: 'watch', action: 'resume', subject: '', label: t('watch.resume'), emoji: '🔔' };
}

function line({ place, condition, atNight, ...state }: Listed, now: number, t: Translator): string {
  const { paused, isForbidden, snoozedUntil } = state;
  const until = snoozedUntil === null || snoozedUntil <= now ? null : timestamp(snoozedUntil, 'time');
  return joined(
    wantedText(condition, t, named),
    place.kind === 'channel' ? `<#${place.channel}>` : null,
    place.kind === 'channel' && place.role !== null
      ? t('watch.list.pinging', { role: `<@&${place.role}>` })
      : null,
    atNight ? t('watch.list.atNight') : null,
    until === null ? null : t('watch.list.snoozed', { when: until }),
    paused === null ? null : t(`watch.paused.${paused.why}`),
    isForbidden ? t('watch.paused.forbidden') : null,
  );
}

/** `which` makes the two menus of one message differ. */
function remover(
  which: 'own' | 'here',
  watches: readonly Listed[],
  numbers: ReadonlyMap<string, number>,
  t: Translator,
): readonly Row[] {
  if (watches.length === 0) return [];
  const choices = watches.slice(0, CHOICES).map(({ id, condition }) => ({
    label: cut(wantedText(condition, t), LABEL),
    description: `${numbers.get(id)}.`,
    value: id,
  }));
  return [menu({ command: 'watch', action: 'remove', subject: which }, t('watch.list.choose'), choices)];
}
