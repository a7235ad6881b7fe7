import type { Overview } from '../../service/models/models.ts';
import type { Words } from '../../i18n/translator.ts';

/** How many are driving, for the line below the bot's name; null for a service that does not answer. */
export function presenceText(overview: Overview | null, words: Words): string {
  if (overview === null) return words.text('presence.down');
  const open = overview.filter(({ online }) => online);
  const told = open.flatMap(({ guests, maxGuests }) => (guests === null ? [] : [{ guests, maxGuests }]));
  if (told.length === 0) return words.text(open.length === 0 ? 'presence.closed' : 'presence.untold');
  const n = told.reduce((sum, { guests }) => sum + guests, 0);
  const places = told.reduce((sum, { maxGuests }) => sum + (maxGuests ?? 0), 0);
  // Fewer places than drivers means that not every server told its places.
  return places < n || places === 0
    ? words.text('presence.driving', { n })
    : words.text('presence.drivingOf', { n, places });
}
