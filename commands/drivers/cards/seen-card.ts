import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import { hourOf, wallTime } from '../../../src/base/zone.ts';
import {
  coverageLines,
  knownTime,
  knownUntil,
  unseenLine,
} from '../../../src/cards/history/coverage-lines.ts';
import { buttonRow, type Card, createCard, refreshButton } from '../../../src/cards/kit/card.ts';
import { driverHeading } from '../../../src/cards/kit/driver.ts';
import { joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import { tellButtons } from '../../../src/cards/kit/tell-buttons.ts';
import { serverName } from '../../../src/cards/servers/server-lines.ts';
import type { DriverHistory, Session, UsualHours } from '../../../src/community/history/history.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { LiveServer } from '../../../src/service/models/live-status.ts';

interface SeenFacts {
  readonly driver: string;
  /** In-game name with its colour codes; null if none was seen. */
  readonly nickname: string | null;
  /** Null where the live files have not named the driver since the bot has watched. */
  readonly past: DriverHistory | null;
  /** In `zone`. */
  readonly usual: Pick<UsualHours, 'hours' | 'days'>;
  /** IANA: the reader's. */
  readonly zone: string;
  /** The driver's server by a current live file; null: none names the driver. */
  readonly online: LiveServer | null;
  /** Unknown where live files cannot be read now; else they name drivers or do not. */
  readonly live: 'named' | 'unnamed' | 'unknown';
  /** Servers without a live file: a profile may say that a driver is online who is in none. */
  readonly unseen: readonly string[];
  /** Servers whose live file does not show the present. */
  readonly unread: readonly LiveServer[];
  /** In unix milliseconds. */
  readonly now: number;
}

const QUARTER_MS = HOUR / 4;
const ONLINE_COLOUR = 0x2ecc71;
const OFFLINE_COLOUR = 0x80848e;

/** Card of a driver's current or last server, the last sessions, and the usual hours. */
export function seenCard(facts: SeenFacts, t: Translator): Card {
  const { driver, past, online, live, now } = facts;
  const sessions = past?.sessions ?? [];
  const names = { username: past?.driver ?? driver, nickname: facts.nickname };
  const { title, name } = driverHeading(names, t);
  const list = [
    ...(sessions.length === 0 ? [] : [`**${t('seen.sessions')}**`]),
    ...sessions.map((session) => sessionLine(session, t)),
  ];
  const content = {
    title,
    colour: online === null ? OFFLINE_COLOUR : ONLINE_COLOUR,
    lead: [
      name,
      whereabouts(facts, t),
      live === 'unnamed' ? t('past.noNamesNow') : null,
      live === 'named' && online === null ? unseenLine(facts.unseen, t) : null,
      labelledFact(t('seen.usual'), usualText(facts, t)),
      ...(past === null ? [] : coverageLines(past, t)),
    ],
    list,
    tail: knownUntil(past?.until, now, t),
    components: [
      buttonRow(
        { command: 'profile', action: 'overview', subject: driver, label: t('profile.menu'), emoji: '👤' },
        refreshButton({ command: 'seen', action: 'show', subject: driver }, t),
        ...(online === null ? tellButtons('driver', driver, t) : []),
      ),
    ],
  };
  return createCard(content, t);
}

function whereabouts({ past, online, unread, now }: SeenFacts, t: Translator): string {
  const current = past?.current ?? null;
  if (online !== null) return onServer(online, current?.server === online ? current : null, now, t);
  const last = current ?? past?.sessions[0] ?? null;
  if (last === null) return t('seen.neverHere');
  const ago = formatMoment(last.to, 'relative', t);
  // An outage is not a logout.
  if (unread.includes(last.server) && (current !== null || !last.endKnown))
    return t('seen.whenLastRead', { ago, server: serverName(last.server, t) });
  const values = { ago, server: serverName(last.server, t), duration: lasted(last, t) };
  return t(last.endKnown ? 'seen.last' : 'seen.lastKnown', values);
}

/** A time of day says since when only for as long as it cannot be of another day. In ms. */
const SAME_DAY_MS = 20 * HOUR;

/** "🟢 On **One** since 08:47"; the server alone where the session's beginning is not known. */
export function onServer(
  name: LiveServer,
  session: Pick<Session, 'from' | 'startKnown'> | null,
  now: number,
  t: Translator,
): string {
  const server = serverName(name, t);
  if (session === null || now - session.from > SAME_DAY_MS) return t('seen.online', { server });
  const time = (at: number): string => formatMoment(at, 'clock', t);
  if (session.startKnown) return t('seen.onlineSince', { server, time: time(session.from) });
  // Clocks are shown to the minute before.
  return t('seen.onlineAtLeast', { server, time: time(session.from + MINUTE - 1) });
}

function sessionLine(session: Session, t: Translator): string {
  const { from, server, duty } = session;
  const role = (key: 'police' | 'medic' | 'tow'): string | null =>
    (duty?.[key] ?? 0) < MINUTE
      ? null
      : t(`seen.role.${key}`, { duration: t.duration((duty?.[key] ?? 0) / 1000) });
  return joinParts(
    // Short, to fit into one line on a phone.
    `${formatMoment(from, 'date', t)} ${formatMoment(from, 'clock', t)}`,
    serverName(server, t),
    lasted(session, t),
    role('police'),
    role('medic'),
    role('tow'),
  );
}

/** How long, at least where an end is not known. */
function lasted({ from, to, startKnown, endKnown }: Session, t: Translator): string {
  return knownTime(to - from, startKnown && endKnown, t);
}

/** A driver seen on fewer days has no habits. */
const MIN_DAYS = 3;

/** The longest stretch of hours with at least half as many days as the best hour; null where there is none. */
function usualText({ usual: { hours, days }, zone, now }: SeenFacts, t: Translator): string | null {
  const most = Math.max(...hours);
  if (most < MIN_DAYS) return null;
  const isUsual = (hour: number): boolean => (hours[hour % 24] ?? 0) * 2 >= most;
  const stretches = hours.flatMap((_count, hour) => {
    if (!isUsual(hour) || isUsual(hour + 23)) return [];
    let length = 1;
    while (length < 24 && isUsual(hour + length)) length += 1;
    return [{ hour, length }];
  });
  const [longest] = stretches.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return null;
  // Discord shows a moment's hour in the reader's own time zone.
  const begin = lastBegin(longest.hour, zone, now);
  const from = formatMoment(begin, 'clock', t);
  const to = formatMoment(begin + longest.length * HOUR, 'clock', t);
  return t('seen.usualHours', { from, to, seen: most, count: days });
}

/** When that hour of the day last began in the zone. Zones differ from UTC by whole quarters of an hour. */
function lastBegin(hour: number, zone: string, now: number): number {
  let at = Math.floor(now / QUARTER_MS) * QUARTER_MS;
  const hourAt = (moment: number): number => hourOf(wallTime(zone, moment));
  while (hourAt(at) !== hour || hourAt(at - QUARTER_MS) === hour) at -= QUARTER_MS;
  return at;
}
