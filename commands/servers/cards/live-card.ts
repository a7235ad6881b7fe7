import { sumBy } from '../../../src/base/sum-by.ts';
import { cutCell, inGame, listBlock, ROW_WIDTH, widthOf } from '../../../src/cards/kit/block.ts';
import { buttonRow, type Card, createCard } from '../../../src/cards/kit/card.ts';
import { driverMenu, namesCell, shortNameInLine } from '../../../src/cards/kit/driver.ts';
import { fitLines, type Lines } from '../../../src/cards/kit/fit-lines.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { joinParts } from '../../../src/cards/kit/lines.ts';
import { pageOf, turnsAndRefresh } from '../../../src/cards/kit/paging.ts';
import { slotButtons } from '../../../src/cards/kit/tell-buttons.ts';
import {
  coverageGap,
  dutyCounts,
  dutyCoverage,
  isNamed,
  setFlags,
  signsOf,
  sortedPlayers,
} from '../../../src/cards/servers/duty.ts';
import { jobSections } from '../../../src/cards/servers/jobs.ts';
import { backFromLive, type LiveView, liveSubject } from '../../../src/cards/servers/live-buttons.ts';
import {
  freeSlots,
  freeSlotsText,
  otherLabel,
  serverLabel,
  serverName,
  slotsOf,
  trackOf,
} from '../../../src/cards/servers/server-lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { type Answer, orFrozen } from '../../../src/service/models/dated.ts';
import { sameSpelling } from '../../../src/service/models/identifiers.ts';
import { drivingPlayers, type LiveStatus, type Player } from '../../../src/service/models/live-status.ts';
import type { OverviewServer } from '../../../src/service/models/overview.ts';
import { escapeGameText } from '../../../src/text/names.ts';

/** Drivers of a page: as many lines as a phone shows at once. */
const PAGE_SIZE = 15;
const MAX_TRACK_LENGTH = 32;
/** Columns of the parts of a row; a name has at least so many. */
const MIN_NAME_WIDTH = 12;
const MAX_PLACE_WIDTH = 14;
const MAX_VIN_WIDTH = 8;
const MAX_NUMBER_WIDTH = 10;
/** Stands at the reader's own row. */
const OWN_MARK = '👤';
/** Characters of the numbers of one duty. */
const MAX_GROUP_LENGTH = 300;

/**
 * Everyone connected to one server, sorted by duty, and what the service does not report about them. A file that stands still
 * is marked as old.
 */
export function liveCard(
  answer: Answer<LiveStatus>,
  view: LiveView & {
    /** The server as the overview has it now; null where that is not known. */
    readonly listed: OverviewServer | null;
    /** The page, from 0. */
    readonly wanted: number;
    /** Unix milliseconds. */
    readonly now: number;
    /** Login name of the reader's own driver, whose row gets a mark. */
    readonly own?: string | null;
  },
  t: Translator,
): Card {
  const { server, from, listed, wanted, now, own = null } = view;
  const dated = orFrozen(answer, now);
  const { players, track } = answer.record;
  const coverage = dutyCoverage(answer.record);
  const isRunning = listed?.online === true && slotsOf(listed) !== null && dated.stale === null;
  const counted = listed && { ...listed, guests: players.length };
  const full =
    isRunning && counted !== null && freeSlots(counted) === 0
      ? slotButtons(counted.name, serverLabel(server, t), t)
      : [];
  const sorted = sortedPlayers(players, t);
  const namedPlayers = sorted.filter(isNamed);
  const page = pageOf(namedPlayers, PAGE_SIZE, wanted);
  const nameless = namedPlayers.length === 0 ? 0 : sorted.length - namedPlayers.length;
  const watching = players.length - drivingPlayers(players).length;
  const row = buttonRow(
    ...backFromLive({ server, from }, t),
    ...turnsAndRefresh(page, { command: 'live', subject: liveSubject({ server, from }) }, t),
  );
  const content = {
    title: t('live.title', { server: serverName(server, t) }),
    lead: [
      oldData(dated, t),
      otherLabel(server, answer.record, t),
      joinParts(
        `**${t('statusLine.driving', { n: players.length - watching })}**`,
        isRunning && counted !== null ? freeSlotsText(counted, t) : null,
        watching === 0 ? null : t('live.watching', { n: watching }),
        nameless === 0 ? null : t('live.nameless', { n: nameless }),
      ),
      escapeGameText(trackOf(listed, track), MAX_TRACK_LENGTH) || null,
      coverage === 'none'
        ? null
        : joinParts(dutyCounts([answer.record], t), coverageGap(answer.record, t)) || null,
      unreported(answer.record, t),
    ],
    // Numbers alone are so short that all fit on one page.
    list: namedPlayers.length === 0 ? numberLines(sorted, coverage, t) : nameBlock(page.rows, own, t),
    sections: jobSections(answer.record, sorted, (player) => nameInLine(player, t), t),
    tail: asOf(answer, t),
    components: [row, ...(full.length === 0 ? [] : [buttonRow(...full)]), ...driverMenu(page.rows, t)],
  };
  return createCard(content, t);
}

/** "k3nny 🚓🚨 Safe Zone AB12C" in columns, as wide as a phone shows. */
function nameBlock(players: readonly Player[], own: string | null, t: Translator): Lines {
  const rows = players.map((player) => ({
    player,
    signs: (isDriver(player, own) ? OWN_MARK : '') + signsOf(setFlags(player)),
    place: cutCell(inGame(player.place ?? ''), MAX_PLACE_WIDTH),
    vin: cutCell(inGame(player.vin ?? ''), MAX_VIN_WIDTH),
  }));
  const widths = (['signs', 'place', 'vin'] as const).map((column) =>
    Math.max(...rows.map((row) => widthOf(row[column]))),
  );
  const widthBehind = sumBy(widths, (width) => (width === 0 ? 0 : width + 1));
  const most = Math.max(MIN_NAME_WIDTH, ROW_WIDTH - widthBehind);
  return listBlock(
    [
      { cell: ({ player }) => namesCell(player, most) },
      { before: ' ', cell: ({ signs }) => signs },
      { most: MAX_PLACE_WIDTH, cell: ({ place }) => place },
      { cell: ({ vin }) => vin },
    ],
    rows,
    t,
  );
}

/** "🚓 police: 12🚨 · 31": a line for each duty, where a number is all there is. Of players who are sorted. */
function numberLines(
  players: readonly Player[],
  coverage: ReturnType<typeof dutyCoverage>,
  t: Translator,
): readonly string[] {
  const groups = Map.groupBy(players, (player) => setFlags(player)[0] ?? 'none');
  return [...groups].map(([duty, group]) => {
    const numbers = group.map((player) => numberText(player, t) + signsOf(setFlags(player).slice(1)));
    const list = fitLines(numbers, { characters: MAX_GROUP_LENGTH, between: ' · ' }, t);
    // "Driving" would be a guess where not all duty is reported.
    return duty === 'none' && coverage !== 'all' ? list : `**${t(`live.flag.${duty}`)}:** ${list}`;
  });
}

/** The figures that the file reports of no driver, in one line; null for an empty server. */
function unreported({ players, duty }: LiveStatus, t: Translator): string | null {
  if (players.length === 0) return null;
  const what = joinParts(
    players.some(isNamed) ? null : t('live.unreported.names'),
    players.some(({ place }) => place !== null) ? null : t('live.unreported.places'),
    players.some(({ vin }) => vin !== null) ? null : t('live.unreported.cars'),
    dutyCoverage({ duty }) === 'none' ? t('live.unreported.duty') : null,
  );
  return what === '' ? null : t('live.unreported.line', { what });
}

/** Tells whether the player has that login name; nobody has null. */
export function isDriver({ username }: Player, own: string | null): boolean {
  return username !== null && own !== null && sameSpelling(username) === sameSpelling(own);
}

function nameInLine(player: Player, t: Translator): string {
  return isNamed(player) ? shortNameInLine(player) : numberText(player, t);
}

/** Their number in the game. */
function numberText({ plid }: Player, t: Translator): string {
  return escapeGameText(plid ?? '', MAX_NUMBER_WIDTH) || t('live.unnamed');
}
