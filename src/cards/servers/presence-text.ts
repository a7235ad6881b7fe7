import type { Translator } from '../../i18n/translator.ts';
import type { Overview } from '../../service/models/overview.ts';

/** How many are driving, for the line below the bot's name; null for a service that does not answer. */
export function presenceText(overview: Overview | null, t: Translator): string {
  if (overview === null) return t('presence.down');
  const open = overview.filter(({ online }) => online);
  const reported = open.flatMap(({ guests, maxGuests }) => (guests === null ? [] : [{ guests, maxGuests }]));
  if (reported.length === 0) return t(open.length === 0 ? 'presence.closed' : 'presence.missing');
  const n = reported.reduce((sum, { guests }) => sum + guests, 0);
  const places = reported.reduce((sum, { maxGuests }) => sum + (maxGuests ?? 0), 0);
  // Fewer places than drivers means that not every server told its places.
  return places < n || places === 0 ? t('presence.driving', { n }) : t('presence.drivingOf', { n, places });
}
