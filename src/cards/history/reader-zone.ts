import type { Translator } from '../../i18n/translator.ts';

/** The time zone in which a reader sees hours and days. */
export interface ReaderZone {
  /** IANA: `Europe/Berlin`. */
  readonly name: string;
  /** `language`: assumed from the reader's language; `new`: chosen just now. */
  readonly by: 'language' | 'choice' | 'new';
}

/** Which time zone the hours of a card are in, and how to change it. */
export function aboutZone({ name, by }: ReaderZone, t: Translator): string {
  return t(`zone.${by}`, { zone: name });
}
