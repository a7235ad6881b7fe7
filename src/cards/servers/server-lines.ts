import { formatTimestamp } from '../../i18n/timestamp.ts';
import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Judged, JudgedFacts } from '../../service/models/facts.ts';
import {
  drivingPlayers,
  LiveServer,
  type LiveStatus,
  liveServer,
  type Player,
} from '../../service/models/live-status.ts';
import type { OverviewServer } from '../../service/models/overview.ts';
import { cutText } from '../../text/cut.ts';
import { escapeGameText } from '../../text/names.ts';
import { toPlainText } from '../../text/plain.ts';
import { shareGauge } from '../kit/bar.ts';
import { fitLines, type Lines, linePerRow } from '../kit/fit-lines.ts';
import { compact, joinParts } from '../kit/lines.ts';
import { dutyGap, isNamed, RECENT_MS, shortCounts } from './duty.ts';

/** One server's facts: from the overview, and from its live file if it has one. */
interface ServerRow {
  readonly name: string | null;
  readonly server: OverviewServer | null;
  /** `undefined`: the server has no live file; null: it has one that is unreadable or gone. */
  readonly live: Judged<LiveStatus> | null | undefined;
  /** The service has no live file of it, while it has others. */
  readonly isWithoutFile?: boolean;
  /** True if the overview is old. */
  readonly isOld?: boolean;
}

/** The servers that the service is known to have, by its names. */
export const serverNames = {
  one: 'server.one',
  two: 'server.two',
  three: 'server.three',
  four: 'server.four',
  events: 'server.events',
  training: 'server.training',
} as const satisfies Readonly<Record<string, TextKey>>;

const names: ReadonlyMap<string, TextKey> = new Map(Object.entries(serverNames));

const MAX_NAME_LENGTH = 40;
/** Characters of a line that lists several servers. */
const MAX_LINE_LENGTH = 160;
/** Maximum characters of a track's name: the preferred one first, shorter ones if there are many long names. */
const TRACK = [48, 32, 16];

/** A server's name in the viewer's language, else as the service writes it. */
export function serverName(name: string | null, t: Translator): string {
  return knownName(name, t) ?? (escapeGameText(name ?? '', MAX_NAME_LENGTH) || t('server.unnamed'));
}

/** Returns the server's name without markdown, for places such as button labels. */
export function serverLabel(name: string | null, t: Translator): string {
  return (
    knownName(name, t) ?? (cutText(toPlainText(name ?? '').trim(), MAX_NAME_LENGTH) || t('server.unnamed'))
  );
}

function knownName(name: string | null, t: Translator): string | null {
  const key = names.get(name?.toLowerCase() ?? '');
  return key === undefined ? null : t(key);
}

/**
 * The servers with drivers, each in two lines, in the overview's order; then the empty ones in one line, and
 * those that are offline in another, and last of which of them it is not known who is on duty. So a server keeps its place
 * while people come and go, and the busy ones are seen first. Track names are shortened before a server is left out.
 * `withNames`: duties stand beside the names of drivers, where a file has them.
 */
export function serverLines(
  facts: JudgedFacts,
  withNames: boolean,
  characters: number,
  t: Translator,
): readonly string[] {
  const { busy = [], empty = [], offline = [] } = Object.groupBy(rowsOf(facts), kindOf);
  const rest = compact(emptyLine(empty, t), offlineLine(offline, facts, t), ...dutyGaps(busy, t));
  const writeLines = (track: number): readonly string[] => [
    ...busy.map((row) => {
      const players = playersOf(row) ?? [];
      return block(row, track, withNames && players.some(isNamed) ? null : shortCounts(players, t), t);
    }),
    ...(rest.length === 0 ? [] : [rest.join('\n')]),
  ];
  const variants = TRACK.map(writeLines);
  return variants.find((lines) => lines.join('\n').length <= characters) ?? variants.at(-1) ?? [];
}

/** Busy is also a server that does not say how many drive: it may have some. */
function kindOf({ server, live }: ServerRow): 'busy' | 'empty' | 'offline' {
  if (server?.online === false) return 'offline';
  const connected = playersOf({ live })?.length ?? null;
  const drivers = server === null ? connected : server.guests;
  return drivers === 0 && (connected ?? 0) === 0 ? 'empty' : 'busy';
}

/** The players in its live file; null where that is missing or old. */
export function playersOf({ live }: Pick<ServerRow, 'live'>): readonly Player[] | null {
  return !live || live.isStale ? null : live.record.players;
}

/** How many drive on a server: by its live file, else as many as the overview says are on it. Null where that is not known. */
export function driversOf(row: Pick<ServerRow, 'server' | 'live'>): number | null {
  const players = playersOf(row);
  return players === null ? (row.server?.guests ?? null) : drivingPlayers(players).length;
}

/** "❔ duty unknown since 08:53: **Two** · **Three**", each text once; without the servers where it is so of all. */
function dutyGaps(rows: readonly ServerRow[], t: Translator): readonly string[] {
  const withFile = rows.flatMap(({ name, live, isWithoutFile = false }) =>
    live === undefined ? [] : [{ server: `**${serverName(name, t)}**`, live, isWithoutFile }],
  );
  const gaps = Map.groupBy(withFile, ({ live, isWithoutFile }) =>
    isWithoutFile ? t('duty.noFile') : dutyGap(live, t),
  );
  return [...gaps].flatMap(([gap, of]) => {
    if (gap === null) return [];
    const servers = of.map(({ server }) => server).join(' · ');
    return [of.length === withFile.length ? gap : t('card.labelled', { label: gap, value: servers })];
  });
}

function emptyLine(rows: readonly ServerRow[], t: Translator): string | null {
  const servers = linePerRow(rows, ({ name, server }) => {
    const free = server === null ? null : freeSlots(server);
    const title = `**${serverName(name, t)}**`;
    return free === null || free === 0 ? title : `${title} ${t('server.free', { count: free })}`;
  });
  return rows.length === 0 ? null : t('server.empty', { servers: inLine(servers, t) });
}

function offlineLine(
  rows: readonly ServerRow[],
  { offlineSince, overview }: Pick<JudgedFacts, 'offlineSince' | 'overview'>,
  t: Translator,
): string | null {
  const servers = linePerRow(rows, ({ name }) => {
    const offlineFrom = offlineSince?.get(liveServer(name) ?? name ?? '');
    const isRecent = offlineFrom !== undefined && (overview?.asOf ?? offlineFrom) - offlineFrom < RECENT_MS;
    const date = formatTimestamp(offlineFrom ?? null, isRecent ? 'clock' : 'date');
    const server = `**${serverName(name, t)}**`;
    return date === null
      ? server
      : t(isRecent ? 'server.offlineSinceTime' : 'server.offlineSinceDay', { server, date });
  });
  return rows.length === 0 ? null : t('server.down', { servers: inLine(servers, t, 2 * MAX_LINE_LENGTH) });
}

function inLine(entries: Lines, t: Translator, characters = MAX_LINE_LENGTH): string {
  return fitLines(entries, { characters, between: ' · ' }, t);
}

export function rowsOf({ overview, live, withoutFile = [] }: JudgedFacts): readonly ServerRow[] {
  const reported = (overview?.record ?? []).map((server): ServerRow => {
    const file = liveServer(server.name);
    const isOld = overview?.isStale === true;
    const isWithoutFile = file !== null && withoutFile.includes(file);
    return { name: server.name, server, live: file === null ? undefined : live[file], isWithoutFile, isOld };
  });
  const reportedNames = new Set(reported.map(({ name }) => liveServer(name)));
  const otherRows = LiveServer.options.flatMap((name): ServerRow[] =>
    live[name] === null || reportedNames.has(name) ? [] : [{ name, server: null, live: live[name] }],
  );
  return [...reported, ...otherRows];
}

/** One server from the overview: drivers as a bar, then state and free slots, and its track. */
export function overviewLines(server: OverviewServer, t: Translator): string {
  return block({ name: server.name, server, live: undefined }, TRACK[0] ?? MAX_NAME_LENGTH, null, t);
}

/** "**One** ▰▰▰▰▰▰▰▰▰▱ 38/40", and below it "🟢 2 free · South City Long · 🚓 1". */
function block(
  { name, server, live, isOld = false }: ServerRow,
  track: number,
  counts: string | null,
  t: Translator,
): string {
  const title = `**${serverName(name, t)}**`;
  // Other data of an offline server is from before.
  if (server?.online === false) return joinParts(title, t('server.offline'));
  const place = escapeGameText(trackOf(server, live?.record.track), track);
  const duty = joinParts(counts, labelled(name, live, t));
  const slotsText = server && freeSlotsText(server, t, isOld);
  const lines =
    server === null
      ? [joinParts(title, connected({ live }, t), place, duty)]
      : server.guests === null
        ? [joinParts(title, slotsText), joinParts(place, duty)]
        : [withDrivers(title, server.guests, slotsOf(server), t), joinParts(slotsText, place, duty)];
  return lines.filter((line) => line !== '').join('\n');
}

/** Returns the track by the overview, else by the live file: the one rule for all cards. */
export function trackOf(server: OverviewServer | null, inFile: string | null | undefined): string {
  return server?.trackName || server?.track || inFile || '';
}

/**
 * Names the other server by whose name a server's live file calls itself; null where it does not. Each server has its file at
 * an address of its own, which is what was asked for; from outside nobody can tell whether that or the label is wrong.
 */
export function otherLabel(
  server: LiveServer,
  { server: label }: Pick<LiveStatus, 'server'>,
  t: Translator,
): string | null {
  const other = liveServer(toPlainText(label ?? '').trim());
  return other === null || other === server ? null : t('live.labelled', { server: serverName(other, t) });
}

function labelled(name: string | null, live: ServerRow['live'], t: Translator): string | null {
  const server = liveServer(name);
  return server === null || !live || live.isStale ? null : otherLabel(server, live.record, t);
}

/** Slots left; null where the service does not say. */
export function freeSlots(server: OverviewServer): number | null {
  const { online, guests } = server;
  if (online === false) return 0;
  const slots = slotsOf(server);
  return guests === null || slots === null ? null : Math.max(0, slots - guests);
}

/** How many it has; null where the service does not say. No server has none. */
export function slotsOf({ maxGuests }: Pick<OverviewServer, 'maxGuests'>): number | null {
  return maxGuests === null || maxGuests <= 0 ? null : maxGuests;
}

/** "🟢 2 free": the sign repeats the words, to be seen at a glance; nothing old has one. */
export function freeSlotsText(server: OverviewServer, t: Translator, isOld = false): string {
  const count = freeSlots(server);
  if (count === null) return t(server.online === null ? 'server.unknown' : 'server.online');
  const [sign, text] = count === 0 ? ['🔴', t('server.full')] : ['🟢', t('server.free', { count })];
  return isOld ? text : `${sign} ${text}`;
}

function withDrivers(title: string, guests: number, slots: number | null, t: Translator): string {
  if (slots === null) return joinParts(title, t('server.drivers', { count: guests }));
  return `${title} ${shareGauge(guests / slots)}\u00a0${t.number(guests)}/${t.number(slots)}`;
}

/** Counts the drivers in the live file, for a server that the overview does not count. */
function connected(row: Pick<ServerRow, 'live'>, t: Translator): string {
  const count = driversOf({ server: null, ...row });
  return count === null ? '❔' : t('server.drivers', { count });
}
