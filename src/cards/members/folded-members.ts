import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { Judged } from '../../service/models/facts.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import { each, fitLines } from '../kit/fit-lines.ts';
import { dutySign } from '../servers/duty.ts';
import { colouredNames } from './coloured-names.ts';
import { type DrivingMember, driversAmong } from './drivers-among.ts';
import { memberName } from './member-list.ts';

/** The names of a folded list: about four lines on a phone. */
const ROOM = { characters: 140, entries: 12, between: ' · ' };
/** About two, where two more have them in colours. All of them fit, so that none is there in colours alone. */
const BESIDE_COLOURS = { characters: 240, entries: 4, between: ' · ' };

/**
 * "🚓 Sgt Miller · 🚗 Pampa · +29 more": those on duty in the game, then those who drive; none where nobody does. The
 * rest is a number. `inColours`: below them the same names as in the game.
 */
export function foldedMembers(
  { members }: ChatStatus,
  live: Readonly<Record<LiveServer, Judged<LiveStatus> | null>>,
  inColours: boolean,
  t: Translator,
): readonly string[] {
  const collator = new Intl.Collator(t.locale);
  const drivers = driversAmong(members, live).toSorted(
    (a, b) => rank(a) - rank(b) || collator.compare(a.member.username, b.member.username),
  );
  if (drivers.length === 0) return [];
  const names = each(
    drivers,
    ({ member, player }) => `${dutySign(player) ?? '🚗'}\u00a0${memberName(member)}`,
  );
  // The others have no names here, but they count.
  const all = { length: members.length, [Symbol.iterator]: () => names[Symbol.iterator]() };
  const block = inColours ? colouredNames(drivers.slice(0, BESIDE_COLOURS.entries), t) : [];
  const room = block.length === 0 ? ROOM : BESIDE_COLOURS;
  return [fitLines(all, room, (left) => t('card.more', { n: left })), ...block];
}

function rank({ player }: DrivingMember): number {
  return dutySign(player) === null ? 1 : 0;
}
