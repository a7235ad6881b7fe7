import { DAY } from '../base/duration.ts';
import type { BoardSettings } from '../service/models/board.ts';
import type { Forgotten, OwnHistory, StoredData } from '../service/models/own-data.ts';
import { placeKey, type Watch } from '../service/models/watch.ts';
import type { Forgetter } from '../store/forget.ts';
import type { HiddenDrivers } from './hidden-drivers.ts';
import type { Link, Links } from './links.ts';
import type { ProfileLooks } from './profile-looks.ts';
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
  /** Deletes all that is stored under the account. */
  readonly forgetter: Pick<Forgetter, 'forget' | 'search'>;
  readonly hidden: Pick<HiddenDrivers, 'isFixed' | 'isHidden'>;
  readonly names: { forgetNickname(username: string): Promise<void> };
  /** Deletes all that history keeps of a driver; resolves with the files that may still hold some of it. */
  readonly forgetDriver: (username: string) => Promise<readonly string[]>;
}) {
  const { states, forgetter, hidden, names, forgetDriver } = parts;

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
    /** The same for an account about which nothing is stored: backups may hold what was deleted earlier. */
    search: forgetter.search,
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
      await forgetter.forget(personId);
      return {
        left,
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

/** Everything stored under a person's account: `/privacy` names it, and its file has all of it. */
export async function storedData(
  personId: string,
  states: {
    readonly links: Pick<Links, 'of' | 'corrections'>;
    readonly proofs: Pick<Proofs, 'stored'>;
    readonly timeZones: Pick<ReturnType<typeof createTimeZones>, 'of'>;
    readonly profileLooks: Pick<ProfileLooks, 'isPicture'>;
    readonly watches: {
      of(personId: string): Promise<readonly Watch[]>;
      statesAt(places: ReadonlySet<string>): Promise<ReadonlyMap<string, object>>;
    };
    readonly alertData: {
      sentTo(personId: string): Promise<StoredData['sent']>;
      pauseOf(personId: string): Promise<StoredData['pauseNotice']>;
    };
    readonly roleRules: { about(personId: string): Promise<StoredData['roles']> };
    readonly roleFigures: { of(personId: string): Promise<StoredData['figures']> };
    readonly convoys: { about(personId: string): Promise<StoredData['convoys']> };
    readonly boards: { all(): Promise<ReadonlyMap<string, BoardSettings>> };
  },
): Promise<StoredData> {
  const { links, proofs, timeZones, profileLooks, watches, alertData } = states;
  const { boards, roleRules, roleFigures, convoys } = states;
  const ownBoards = [...(await boards.all()).values()].filter(({ madeBy }) => madeBy === personId);
  const ownWatches = await watches.of(personId);
  const watchStates = await watches.statesAt(new Set(ownWatches.map(placeKey)));
  return {
    link: await links.of(personId),
    proof: await proofs.stored(personId),
    corrections: await links.corrections(personId),
    watches: ownWatches.map((watch) => ({ ...watch, state: watchStates.get(watch.id) ?? null })),
    sent: await alertData.sentTo(personId),
    pauseNotice: await alertData.pauseOf(personId),
    timeZone: await timeZones.of(personId),
    profileAsPicture: (await profileLooks.isPicture(personId)) || null,
    roles: await roleRules.about(personId),
    figures: await roleFigures.of(personId),
    convoys: await convoys.about(personId),
    boards: ownBoards.map(({ guildId: guild, channelId: channel, madeAt: since }) => ({
      ...{ guild, channel, since },
    })),
  };
}
