/** The drivers of one server, sorted by duty. */
import type { Translator } from '../../i18n/translator.ts';
import type { LiveStatus } from '../../service/models/live-status.ts';
import { driverInLine, driverName } from '../kit/driver.ts';
import { fitLines } from '../kit/fit-lines.ts';
import { joined, said } from '../kit/lines.ts';
import { dutyRank, reportsDuty, setFlags, signsOf } from './duty.ts';

type LivePlayers = LiveStatus['players'];
type Player = LivePlayers[number];

const PLACE = 32;
const VIN = 8;
const NUMBER = 10;
/** Characters of the numbers of one duty. */
const GROUP = 300;

/** Those on duty first, then by name; without a name by number, last. */
export function sortedPlayers(players: LivePlayers, t: Translator): LivePlayers {
  const { compare } = new Intl.Collator(t.locale, { numeric: true });
  return players
    .map((player) => ({ player, rank: dutyRank(player), name: nameOf(player), number: numberOf(player) }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.name === null) - Number(b.name === null) ||
        compare(a.name ?? '', b.name ?? '') ||
        a.number - b.number,
    )
    .map(({ player }) => player);
}

/** Whether anybody can be told from the others by more than a number. */
export function namesAnybody(players: LivePlayers): boolean {
  return players.some((player) => nameOf(player) !== null);
}

/** "🚓🚨 **k3nny** · Safe Zone · AB12C". Who only drives is not bold, so that the eye finds the others. */
export function playerLine(player: Player, t: Translator): string {
  const { place, vin } = player;
  const who = nameOf(player) === null ? numberText(player, t) : driverInLine(player);
  const signs = signsOf(setFlags(player));
  return joined(signs === '' ? who : `${signs} **${who}**`, said(place ?? '', PLACE), said(vin ?? '', VIN));
}

/** "🚓 police: 12🚨 · 31": a line for each duty, where a number is all there is. Of players who are sorted. */
export function numberLines(players: LivePlayers, t: Translator): readonly string[] {
  const groups = Map.groupBy(players, (player) => setFlags(player)[0] ?? 'none');
  return [...groups].map(([duty, group]) => {
    const numbers = group.map((player) => numberText(player, t) + signsOf(setFlags(player).slice(1)));
    const list = fitLines(numbers, { characters: GROUP, between: ' · ' }, t);
    // "Driving" would be a guess where no duty is reported.
    return duty === 'none' && !reportsDuty(players) ? list : `**${t(`live.flag.${duty}`)}:** ${list}`;
  });
}

/** What the file reports about no driver, in one line; null for an empty server. */
export function unreported(players: LivePlayers, t: Translator): string | null {
  if (players.length === 0) return null;
  const what = joined(
    namesAnybody(players) ? null : t('live.unreported.names'),
    players.some(({ place }) => place !== null) ? null : t('live.unreported.places'),
    players.some(({ vin }) => vin !== null) ? null : t('live.unreported.cars'),
    reportsDuty(players) ? null : t('live.unreported.duty'),
  );
  return what === '' ? null : t('live.unreported.line', { what });
}

function nameOf({ username, nickname }: Player): string | null {
  return username === null && nickname === null ? null : driverName({ username, nickname });
}

function numberOf({ plid }: Player): number {
  return plid !== null && /^\d{1,9}$/.test(plid) ? Number(plid) : Number.MAX_SAFE_INTEGER;
}

/** Their number in the game. */
function numberText({ plid }: Player, t: Translator): string {
  return said(plid ?? '', NUMBER) || t('live.unnamed');
}
