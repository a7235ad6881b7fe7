/** The players of a live file, in the order in which cards list them. */
import type { Translator } from '../../i18n/translator.ts';
import type { Player } from '../../service/models/live-status.ts';
import { driverName } from '../kit/driver.ts';
import { dutyRank } from './duty.ts';

/** A player who has more than a number. */
export function isNamed({ username, nickname }: Player): boolean {
  return username !== null || nickname !== null;
}

/** Players on duty first, then by name; without a name by number, last. */
export function sortedPlayers(players: readonly Player[], t: Translator): readonly Player[] {
  const { compare } = new Intl.Collator(t.locale, { numeric: true });
  return players
    .map((player) => ({
      ...{ player, rank: dutyRank(player), number: numberOf(player) },
      name: isNamed(player) ? driverName(player) : null,
    }))
    .toSorted(
      (a, b) =>
        a.rank - b.rank ||
        Number(a.name === null) - Number(b.name === null) ||
        compare(a.name ?? '', b.name ?? '') ||
        a.number - b.number,
    )
    .map(({ player }) => player);
}

function numberOf({ plid }: Player): number {
  return plid !== null && /^\d{1,9}$/.test(plid) ? Number(plid) : Number.MAX_SAFE_INTEGER;
}
