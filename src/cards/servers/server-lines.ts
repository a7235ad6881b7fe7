import { LiveServer, type LiveStatus, type Overview } from '../../service/models/models.ts';
import { cut } from '../../text/cut.ts';
import { plain } from '../../text/plain.ts';
import type { WordKey, Words } from '../../i18n/translator.ts';
import { gauge } from '../kit/bar.ts';
import { type Judged, type JudgedFacts, liveServer } from '../board/board-facts.ts';
import { dutyLine } from './duty.ts';
import type { Column } from '../kit/fit-lines.ts';
import { joined, said } from '../kit/lines.ts';

type Server = Overview[number];

/** What is known of one server: from the overview, and, where it has one, from the live file of the same name. */
interface Row {
  readonly name: string | null;
  readonly server: Server | null;
  /** `undefined` where the server has no live file, null where it has one that tells nothing. */
  readonly live: Judged<LiveStatus> | null | undefined;
}

/** The names that the interface uses (§4, rule 4, and §2.1). */
const names: ReadonlyMap<string, WordKey> = new Map([
  ['one', 'server.one'],
  ['two', 'server.two'],
  ['three', 'server.three'],
  ['four', 'server.four'],
  ['events', 'server.events'],
  ['training', 'server.training'],
]);

const NAME = 40;
/** Characters of a track's name, from what is wanted to what is taken when many servers have long ones. */
const TRACK = [48, 32, 16];

/** A server's name in the reader's language, else as the service writes it. */
export function serverName(name: string | null, words: Words): string {
  return knownName(name, words) ?? (said(name ?? '', NAME) || words.text('server.unnamed'));
}

/** The same without markdown, for places that know none, such as the label of a button. */
export function serverLabel(name: string | null, words: Words): string {
  return knownName(name, words) ?? (cut(plain(name ?? '').trim(), NAME) || words.text('server.unnamed'));
}

function knownName(name: string | null, words: Words): string | null {
  const key = names.get(name?.toLowerCase() ?? '');
  return key === undefined ? null : words.text(key);
}

/**
 * The servers, each in up to four lines, in the order in which the overview names them; behind them those that only
 * a live file tells of. Track names get shorter before a server has to be left out.
 */
export function serverLines(facts: JudgedFacts, room: Column, words: Words): readonly string[] {
  const rows = rowsOf(facts);
  const written = (track: number): readonly string[] => rows.map((row) => block(row, track, words));
  const fits = (blocks: readonly string[]): boolean => blocks.join(room.between).length <= room.characters;
  return TRACK.map(written).find(fits) ?? written(TRACK.at(-1) ?? 0);
}

function rowsOf({ overview, live }: JudgedFacts): readonly Row[] {
  const told = (overview?.record ?? []).map((server): Row => {
    const file = liveServer(server.name);
    return { name: server.name, server, live: file === null ? undefined : live[file] };
  });
  const named = new Set(told.map(({ name }) => liveServer(name)));
  const others = LiveServer.options.flatMap((name): Row[] =>
    live[name] === null || named.has(name) ? [] : [{ name, server: null, live: live[name] }],
  );
  return [...told, ...others];
}

/** One server as the overview tells it: its state and room, the track, and the drivers as a bar. */
export function overviewLines(server: Server, words: Words): string {
  return block({ name: server.name, server, live: undefined }, TRACK[0] ?? NAME, words);
}

function block({ name, server, live }: Row, track: number, words: Words): string {
  const title = `**${serverName(name, words)}**`;
  // What else is told of a server that is down is of the time before.
  if (server !== null && !server.online) return joined(title, words.text('server.offline'));
  const head = server === null ? title : joined(title, words.text('server.online'), room(server, words));
  const place = server?.trackName || server?.track || live?.record.track;
  const lines = [
    head,
    said(place ?? '', track),
    server === null ? connected(live ?? null, words) : drivers(server, words),
    live === undefined ? null : dutyLine(live, words),
  ];
  return lines.filter((line) => line !== null && line !== '').join('\n');
}

function room({ guests, maxGuests }: Server, words: Words): string | null {
  if (guests === null || maxGuests === null || maxGuests <= 0) return null;
  const n = maxGuests - guests;
  return n <= 0 ? words.text('server.full') : words.text('server.free', { n });
}

/** "▰▰▰▰▰▰▰▰▰▱ 38/40". */
function drivers({ guests, maxGuests }: Server, words: Words): string | null {
  if (guests === null) return null;
  if (maxGuests === null || maxGuests <= 0) return words.text('server.drivers', { count: guests });
  return `${gauge(guests / maxGuests)} ${words.number(guests)}/${words.number(maxGuests)}`;
}

/** Where the overview says nothing, the live file still lists who is connected. */
function connected(live: Judged<LiveStatus> | null, words: Words): string | null {
  if (live === null || live.old) return null;
  return words.text('server.drivers', { count: live.record.players.length });
}
