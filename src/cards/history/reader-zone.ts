import type { Translator } from '../../i18n/translator.ts';
import { zonedFormats } from '../../i18n/zoned-formats.ts';
import type { Button } from '../kit/card.ts';

/** The time zone in which a reader sees hours and days. */
export interface ReaderZone {
  /** IANA: `Europe/Berlin`; UTC while none is known. */
  readonly name: string;
  /** Source of the zone: the person or the guild; null: nobody has set one. */
  readonly by: 'person' | 'guild' | null;
}

/** Names the time zone of the hours or days of a card, or of both. */
export function aboutZone({ name, by }: ReaderZone, of: 'hours' | 'days' | 'both', t: Translator): string {
  return by === null ? t(`zone.utc.${of}`) : t('zone.known', { zone: name });
}

/** Confirms a zone, with the city as typed, and its current time, by which a person sees whether it is theirs. */
export function zoneSaved(typed: string, zone: string, now: number, t: Translator): string {
  const isZone = typed.trim().toLowerCase() === zone.toLowerCase();
  const named = isZone ? zone : `${typed.trim()} (${zone})`;
  return t('timezone.done', { zone: named, time: zonedFormats(t.locale, zone).time(now) });
}

/** Confirms the zone of a guild with its current time. */
export function guildZoneSaved(zone: string, now: number, t: Translator): string {
  return t('settings.zoneSaved', { zone, time: zonedFormats(t.locale, zone).time(now) });
}

/** Opens the form of `/timezone`, for a person who has not named their own. */
export function zoneButton({ by }: Pick<ReaderZone, 'by'>, t: Translator): readonly Button[] {
  return by === 'person'
    ? []
    : [{ command: 'timezone', action: 'form', subject: '', label: t('timezone.button'), emoji: '🌐' }];
}
