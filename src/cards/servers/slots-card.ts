import { fitsCustomId } from '../kit/custom-id.ts';
import type { Answer } from '../../service/client.ts';
import type { Overview } from '../../service/models/models.ts';
import { cut } from '../../text/cut.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Words } from '../../i18n/translator.ts';
import { type Button, buttons, type Card, type Row } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { overviewLines, serverLabel, serverName } from './server-lines.ts';

type Server = Overview[number];

/** Characters of a button's label (field notes §3). */
const LABEL = 80;
/** No service has as many places; the sum of absurd figures would be no number. */
const MOST = 1e15;
/** Buttons of a row. */
const ROW = 5;
/** Rows for the bells: one of the five is for *Refresh*. */
const ROWS = 4;

/** Places left; null where the service does not tell. */
export function freePlaces({ online, guests, maxGuests }: Server): number | null {
  if (online === false) return 0;
  if (guests === null || maxGuests === null || maxGuests <= 0) return null;
  return Math.max(0, maxGuests - guests);
}

/** Whether it runs and has no place left. */
export function isFull(server: Server): boolean {
  return server.online !== false && freePlaces(server) === 0;
}

/** Where there is room: the fullest server that has some comes first, since that is where the others are. */
export function slotsCard(answer: Answer<Overview>, words: Words): Card {
  const servers = answer.record.toSorted((a, b) => rank(a) - rank(b) || shareTaken(b) - shareTaken(a));
  const body = {
    title: words.text('slots.title'),
    lead: [...oldData(answer, words), summary(servers, words)],
    list: each(servers, (server) => `${overviewLines(server, words)}\n`),
    sections: [asOf(answer, words)],
  };
  return { embeds: [embed(body, words)], components: controls(servers, words) };
}

/** What is promised to whoever waits for a place: a message, until then (unix milliseconds). */
export function promiseWords(server: string, until: number, words: Words): string {
  const when = timestamp(until, 'time') ?? words.text('card.momentUnknown');
  return words.text('slots.willTell', { server: serverName(server, words), when });
}

/** With room, full, untold, offline. */
function rank(server: Server): number {
  if (server.online === false) return 3;
  const free = freePlaces(server);
  return free === null ? 2 : free === 0 ? 1 : 0;
}

function shareTaken({ guests, maxGuests }: Server): number {
  return guests === null || maxGuests === null || maxGuests <= 0 ? 0 : guests / maxGuests;
}

function summary(servers: readonly Server[], words: Words): string {
  const free = servers.reduce((sum, server) => sum + (freePlaces(server) ?? 0), 0);
  if (servers.length === 0) return words.text('board.noServers');
  return free === 0 ? words.text('slots.none') : words.text('slots.free', { count: Math.min(free, MOST) });
}

function controls(servers: readonly Server[], words: Words): readonly Row[] {
  const bells = servers.filter(isFull).flatMap((server): Button[] => {
    const id = { command: 'slots', action: 'tell', subject: server.name ?? '' };
    if (server.name === null || !fitsCustomId(id)) return [];
    const label = words.text('slots.tell', { server: serverLabel(server.name, words) });
    return [{ ...id, label: cut(label, LABEL), emoji: '🔔' }];
  });
  const few = bells.slice(0, ROW * ROWS);
  const rows = Array.from({ length: Math.ceil(few.length / ROW) }, (_, row) =>
    buttons(...few.slice(row * ROW, (row + 1) * ROW)),
  );
  const refresh = {
    command: 'slots',
    action: 'refresh',
    subject: '',
    label: words.text('card.refresh'),
    emoji: '🔄',
  };
  return [...rows, buttons(refresh)];
}
