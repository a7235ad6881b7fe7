import type { BoardSettings } from '../service/models/board.ts';
import type { Watch } from '../service/models/watch.ts';
import type { Links } from './links.ts';
import type { Proofs } from './proofs.ts';
import type { TimeZones } from './time-zones.ts';

/** Where something is stored under a person's account. */
export interface PersonalStates {
  readonly links: Pick<Links, 'of' | 'corrections'>;
  readonly proofs: Pick<Proofs, 'stored'>;
  readonly timeZones: Pick<TimeZones, 'of'>;
  readonly watches: { of(personId: string): Promise<readonly Watch[]> };
  readonly roleRules: {
    about(personId: string): Promise<{ readonly known: number; readonly made: number } | null>;
  };
  readonly boards: { all(): Promise<ReadonlyMap<string, BoardSettings>> };
}

/** Everything stored under a person's account. */
export async function storedData(
  personId: string,
  { links, proofs, timeZones, watches, boards, roleRules }: PersonalStates,
) {
  const own = [...(await boards.all()).values()].filter(({ madeBy }) => madeBy === personId);
  return {
    link: await links.of(personId),
    proof: await proofs.stored(personId),
    corrections: await links.corrections(personId),
    watches: await watches.of(personId),
    timeZone: await timeZones.of(personId),
    roles: await roleRules.about(personId),
    boards: own.map(({ guildId: guild, channelId: channel, madeAt: since }) => ({ guild, channel, since })),
  };
}
