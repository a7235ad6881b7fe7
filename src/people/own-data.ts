import { DAY } from '../base/duration.ts';
import type { BoardSettings } from '../service/models/board.ts';
import type { Forgotten, OwnHistory } from '../service/models/own-data.ts';
import type { Watch } from '../service/models/watch.ts';
import type { Forgetting } from '../store/forget.ts';
import type { HiddenDrivers } from './hidden-drivers.ts';
import type { Link, Links } from './links.ts';
import type { Proofs } from './proofs.ts';
import type { createTimeZones } from './time-zones.ts';

/**
 * How long a link that is not proved has to stand before it can delete its driver's history, in ms. Until then the
 * driver's real owner can learn from `/link` that somebody else has it, and prove that it is theirs. Longer would keep
 * honest drivers waiting for little: who plans to harm can wait, too.
 */
const STANDING = 30 * DAY;

/** Everything stored under a person's account, and what history recorded about their driver. */
export function createOwnData(parts: {
  readonly states: Parameters<typeof storedData>[1];
  /** Deletes all that is stored under the account; resolves with the files that may still hold some of it. */
  readonly store: { forget(forgetting: readonly Forgetting[], personId: string): Promise<readonly string[]> };
  readonly forgetting: readonly Forgetting[];
  readonly hidden: Pick<HiddenDrivers, 'isFixed' | 'isHidden'>;
  readonly names: { forgetNickname(username: string): Promise<void> };
  /** Deletes all that history keeps of a driver; resolves with the files that may still hold some of it. */
  readonly forgetDriver: (username: string) => Promise<readonly string[]>;
}) {
  const { states, store, forgetting, hidden, names, forgetDriver } = parts;

  /** The person's own link counts, and no guild's correction: anyone can create a guild and be its administrator. */
  async function historyOf(personId: string, now: number): Promise<OwnHistory | null> {
    const link = await states.links.of(personId);
    if (link === null) return null;
    const { username } = link;
    const isShownByOperator = hidden.isFixed(username) && !hidden.isHidden(username);
    return { username, kept: isShownByOperator ? { why: 'operator' } : keptByAge(link, now) };
  }

  return {
    stored: (personId: string) => storedData(personId, states),
    /** Null: the person has linked no driver. */
    history: historyOf,
    /**
     * Deletes all that is stored under the account. `history`: that of the driver too, where it is not kept. Rejects
     * where the store itself fails.
     */
    async forget(
      personId: string,
      { history, now }: { readonly history: boolean; readonly now: number },
    ): Promise<Forgotten> {
      const own = await historyOf(personId, now);
      const isDeleted = history && own?.kept === null;
      if (isDeleted) await names.forgetNickname(own.username);
      const left = isDeleted ? await forgetDriver(own.username) : [];
      return {
        left: [...new Set([...left, ...(await store.forget(forgetting, personId))])],
        kept:
          own === null || isDeleted
            ? null
            : { username: own.username, isFixed: own.kept?.why === 'operator' },
      };
    },
  };
}

function keptByAge({ since, proved }: Link, now: number): OwnHistory['kept'] {
  if (proved !== null) return null;
  const until = since + STANDING;
  return now < until ? { why: 'young', until } : null;
}

/** Everything stored under a person's account. */
export async function storedData(
  personId: string,
  states: {
    readonly links: Pick<Links, 'of' | 'corrections'>;
    readonly proofs: Pick<Proofs, 'stored'>;
    readonly timeZones: Pick<ReturnType<typeof createTimeZones>, 'of'>;
    readonly watches: { of(personId: string): Promise<readonly Watch[]> };
    readonly roleRules: {
      about(personId: string): Promise<{ readonly known: number; readonly made: number } | null>;
    };
    readonly convoys: {
      about(
        personId: string,
      ): Promise<{ readonly made: number; readonly signedUp: number; readonly there: number } | null>;
    };
    readonly boards: { all(): Promise<ReadonlyMap<string, BoardSettings>> };
  },
) {
  const { links, proofs, timeZones, watches, boards, roleRules, convoys } = states;
  const own = [...(await boards.all()).values()].filter(({ madeBy }) => madeBy === personId);
  return {
    link: await links.of(personId),
    proof: await proofs.stored(personId),
    corrections: await links.corrections(personId),
    watches: await watches.of(personId),
    timeZone: await timeZones.of(personId),
    roles: await roleRules.about(personId),
    convoys: await convoys.about(personId),
    boards: own.map(({ guildId: guild, channelId: channel, madeAt: since }) => ({ guild, channel, since })),
  };
}
