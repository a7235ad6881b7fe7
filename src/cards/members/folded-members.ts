import type { Translator } from '../../i18n/translator.ts';
import type { ChatStatus } from '../../service/models/chat-status.ts';
import type { Judged } from '../../service/models/facts.ts';
import type { LiveServer, LiveStatus } from '../../service/models/live-status.ts';
import { each, fitLines } from '../kit/fit-lines.ts';
import { dutySign } from '../servers/duty.ts';
import { driversAmong } from './drivers-among.ts';
import { memberName } from './member-list.ts';

/** So few are all named, whether they drive or not. */
const FEW = { members: 10, room: { characters: 600, between: ' · ' } };
/** Otherwise those who drive: about four lines on a phone. */
const ROOM = { characters: 140, entries: 12, between: ' · ' };

/**
 * "🚓 Sgt Miller · 🚗 Pampa · +29 more": those on duty in the game, then those who drive, and all the others where there
 * are few; otherwise they are a number, and nothing where nobody drives.
 */
export function foldedMembers(
  { members }: ChatStatus,
  live: Readonly<Record<LiveServer, Judged<LiveStatus> | null>>,
  t: Translator,
): readonly string[] {
  const collator = new Intl.Collator(t.locale);
  const players = new Map(driversAmong(members, live).map(({ member, player }) => [member, player]));
  const rows = members
    .map((member) => ({ member, sign: signOf(players.get(member)) }))
    .toSorted((a, b) => a.sign.rank - b.sign.rank || collator.compare(a.member.username, b.member.username));
  const isFew = members.length <= FEW.members;
  const named = isFew ? rows : rows.filter(({ sign }) => sign.text !== '');
  if (named.length === 0) return [];
  const names = each(named, ({ member, sign }) => sign.text + memberName(member));
  // The others have no names here, but they count.
  const all = { length: members.length, [Symbol.iterator]: () => names[Symbol.iterator]() };
  return [fitLines(all, isFew ? FEW.room : ROOM, (left) => t('card.more', { n: left }))];
}

function signOf(player: LiveStatus['players'][number] | undefined) {
  if (player === undefined) return { text: '', rank: 2 };
  const duty = dutySign(player);
  return { text: `${duty ?? '🚗'}\u00a0`, rank: duty === null ? 1 : 0 };
}
