/**
 * Sessions of one driver as text, and back. A row is in whole seconds: from the chunk's start to the beginning, then to the
 * end; the server's place in the list; flags; the seconds not played; police, medic, tow. Zeros at the end are left out.
 */
import { SECOND } from '../base/duration.ts';
import type { Session } from '../service/models/history.ts';
import { LiveServer } from '../service/models/live-status.ts';
import type { Chunk } from '../store/history-chunks.ts';
import { OwnRows } from './driver-rows.ts';

const START_UNKNOWN = 1;
const END_UNKNOWN = 2;
const WITH_DUTY = 4;

/** Oldest first; `driver` as last spelled. An unreadable chunk is null. */
export function readSessions({ start, text }: Pick<Chunk, 'start' | 'text'>) {
  const parsed = OwnRows.safeParse(text).data;
  if (parsed === undefined) return null;
  return { driver: parsed.driver, sessions: parsed.rows.map((row) => session(row, start)) };
}

function session(row: readonly (number | null)[], start: number): Session {
  // A number that was stored wrongly is never below zero.
  const number = (place: number): number => Math.max(0, row[place] ?? 0);
  const [offset, length, flags] = [number(0), number(1), number(3)];
  const from = start + offset * SECOND;
  const duty = { police: number(5) * SECOND, medic: number(6) * SECOND, tow: number(7) * SECOND };
  return {
    from,
    to: from + length * SECOND,
    server: LiveServer.options[number(2)] ?? 'one',
    played: Math.max(0, length - number(4)) * SECOND,
    duty: (flags & WITH_DUTY) === 0 ? null : duty,
    startKnown: (flags & START_UNKNOWN) === 0,
    endKnown: (flags & END_UNKNOWN) === 0,
  };
}

/** The chunk's text with sessions of a driver added, at least one, which begin within its time. */
export function addSessions(
  text: string | undefined,
  start: number,
  added: readonly { readonly driver: string; readonly session: Session }[],
): string {
  const rows = OwnRows.safeParse(text).data?.rows ?? [];
  return JSON.stringify({
    driver: added.at(-1)?.driver,
    rows: [...rows, ...added.map(({ session: each }) => rowOf(each, start))],
  });
}

/** Stored sessions are exact to the second. */
export function isStored({ server, from }: Session, stored: readonly Session[]): boolean {
  return stored.some((one) => one.server === server && Math.abs(one.from - from) < SECOND);
}

function rowOf(
  { from, to, server, played, duty, startKnown, endKnown }: Session,
  start: number,
): readonly number[] {
  const seconds = (ms: number): number => Math.round(ms / SECOND);
  const flags =
    (startKnown ? 0 : START_UNKNOWN) + (endKnown ? 0 : END_UNKNOWN) + (duty === null ? 0 : WITH_DUTY);
  const row = [
    seconds(from - start),
    seconds(to - from),
    LiveServer.options.indexOf(server),
    flags,
    seconds(to - from - played),
    ...[duty?.police ?? 0, duty?.medic ?? 0, duty?.tow ?? 0].map(seconds),
  ];
  while (row.at(-1) === 0) row.pop();
  return row;
}
