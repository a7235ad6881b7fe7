import { z } from 'zod';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { UserError } from '../../base/errors.ts';
import { findZone, momentsOf, wallTime, zoneNames } from '../../base/zone.ts';
import type { ReaderZone } from '../../cards/history/reader-zone.ts';
import type { Context } from '../context.ts';
import { bigCities } from './cities.ts';
import { zonesMeantBy } from './zone-abbreviations.ts';

/** A time zone: by its name in any case, by its city where only one has that, or by a big city. An abbreviation is none. */
const TypedZone = z.string().transform((input, context) => {
  const zone = cityOf(input) ?? (zonesMeantBy(input) === null ? findZone(input.trim()) : null);
  if (zone !== null) return zone;
  context.addIssue({ code: 'custom', message: 'no such time zone' });
  return z.NEVER;
});

/** A zone as typed into a form; null where it stays empty. */
export function typedZone(input: string, t: Context['t']): string | null {
  const zone = input.trim() === '' ? null : TypedZone.safeParse(input).data;
  if (zone === undefined) throw new UserError(explainZone(input, t) ?? t('input.timezone'));
  return zone;
}

/** Stores the person's own time zone, and returns it. */
export async function saveTypedZone(
  typed: string,
  { store, person, t }: Pick<Context, 'store' | 'person' | 't'>,
): Promise<string> {
  const zone = typedZone(typed, t);
  if (zone === null) throw new UserError(t('input.timezone'));
  await store.timeZones.set(person.id, zone);
  return zone;
}

/** Says which zones an abbreviation may stand for; null for anything else. */
function explainZone(input: string, t: Context['t']): string | null {
  const zones = zonesMeantBy(input);
  if (zones === null || zones.length === 0) return null;
  return t('input.timezoneShort', {
    typed: input.trim(),
    zones: zones.map((zone) => `\`${zone}\``).join(', '),
  });
}

/** The time zone for a person: their own, else the guild's, else UTC. A language says nothing about where somebody is. */
export async function readerZone(context: Pick<Context, 'store' | 'person'>): Promise<ReaderZone> {
  const ownZone = await context.store.timeZones.of(context.person.id);
  return ownZone === null ? guildZone(context) : { name: ownZone, by: 'person' };
}

/** The time zone for a channel, whoever asks. */
export async function guildZone({ store, person }: Pick<Context, 'store' | 'person'>): Promise<ReaderZone> {
  const { timeZone } = await store.guildSettings.of(person.guildId);
  return timeZone === null ? { name: 'UTC', by: null } : { name: timeZone, by: 'guild' };
}

/** A moment (unix milliseconds) as it can be typed again: as clocks there show it, or as Discord does where they show it twice. */
export function typedMoment(at: number, zone: string): string {
  const minute = Math.floor(at / MINUTE) * MINUTE;
  const wall = wallTime(zone, minute);
  const isClear = momentsOf(zone, wall).length === 1;
  return isClear ? new Date(wall).toISOString().slice(0, 16).replace('T', ' ') : `<t:${minute / SECOND}:F>`;
}

/** Returns {@link typedMoment} with the name of the zone, which is the same moment for everybody. */
export function momentInZone(at: number, zone: string): string {
  const moment = typedMoment(at, zone);
  return moment.startsWith('<') ? moment : `${moment} ${zone}`;
}

function cityOf(input: string): string | null {
  const city = foldZone(input);
  const zones = zoneNames().filter((zone) => foldZone(zone).endsWith(`/${city}`));
  if (zones.length === 0) return bigCities().find(({ name }) => foldZone(name) === city)?.zone ?? null;
  return zones.length === 1 ? (zones[0] ?? null) : null;
}

/** `America/New_York` → `america/new york`, `Zürich` → `zurich`, `Łódź` → `lodz`. */
function foldZone(zone: string): string {
  const plain = zone.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
  return plain.replaceAll('ł', 'l').replaceAll('ı', 'i').replaceAll('_', ' ');
}
