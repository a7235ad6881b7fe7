import { z } from 'zod';
import { zoneNamed } from '../../base/zone.ts';
import type { ReaderZone } from '../../cards/history/reader-zone.ts';
import { defaultZone } from '../../i18n/default-zone.ts';
import type { Context } from '../context.ts';
import type { TextOption } from '../option.ts';

/** A time zone: by its name in any case, or by its city where only one has that. */
const Zone = z.string().transform((typed, context) => {
  const zone = zoneNamed(typed.trim()) ?? cityOf(typed);
  if (zone !== null) return zone;
  context.addIssue({ code: 'custom', message: 'no such time zone' });
  return z.NEVER;
});

export const timeZoneOption = {
  kind: 'text',
  description: 'history.options.timezone',
  required: false,
  schema: Zone,
  wrong: 'input.timezone',
  complete(typed, { t }) {
    const wanted = folded(typed);
    return [defaultZone(t.locale), ...Intl.supportedValuesOf('timeZone')]
      .filter((zone) => folded(zone).includes(wanted))
      .map((zone) => ({ name: zone, value: zone }));
  },
} as const satisfies TextOption;

/**
 * The time zone for a person: the one asked for now, which is kept, for their alerts too; else the one chosen earlier, or
 * that of the language.
 */
export async function readerZone(
  asked: string | null,
  { store: { timeZones }, watches, person: { id, locale } }: Pick<Context, 'store' | 'watches' | 'person'>,
): Promise<ReaderZone> {
  if (asked !== null) {
    await timeZones.set(id, asked);
    await watches.moveTo(id, asked);
    return { name: asked, by: 'new' };
  }
  const chosen = await timeZones.of(id);
  return chosen === null ? { name: defaultZone(locale), by: 'language' } : { name: chosen, by: 'choice' };
}

function cityOf(typed: string): string | null {
  const city = `/${folded(typed)}`;
  const found = Intl.supportedValuesOf('timeZone').filter((zone) => folded(zone).endsWith(city));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `America/New_York` → `america/new york`, `Zürich` → `zurich`. */
function folded(zone: string): string {
  return zone.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase().replaceAll('_', ' ');
}
