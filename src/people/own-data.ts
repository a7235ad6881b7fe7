import { DAY } from '../base/duration.ts';
import type { Forgetting } from '../store/forget.ts';
import type { Link } from './drivers.ts';
import type { HiddenDrivers } from './hidden-drivers.ts';
import { type PersonalStates, storedData } from './stored-data.ts';

/**
 * How long a link that is not proved has to stand before it can delete its driver's history, in ms. Until then the
 * driver's real owner can learn from `/link` that somebody else has it, and prove that it is theirs. Longer would keep
 * honest drivers waiting for little: who plans to harm can wait, too.
 */
const STANDING = 30 * DAY;

/** Why a driver's history outlasts the account's data. Times in unix milliseconds. */
type Kept =
  | { readonly why: 'young'; readonly until: number }
  /** The operator has decided that nobody can hide or delete this driver. */
  | { readonly why: 'operator' };

/** What history recorded about the driver whom a person has linked. */
interface OwnHistory {
  readonly username: string;
  /** Null: it can be deleted. */
  readonly kept: Kept | null;
}

interface Forgotten {
  /** The files that could not be changed. */
  readonly left: readonly string[];
  /** The driver whose history is still there; null: there is none. */
  readonly kept: { readonly username: string; readonly isFixed: boolean } | null;
}

/** Everything stored under a person's account, and what history recorded about their driver. */
export interface OwnData {
  stored(personId: string): ReturnType<typeof storedData>;
  /** Null: the person has linked no driver. */
  history(personId: string, now: number): Promise<OwnHistory | null>;
  /**
   * Deletes all that is stored under the account. `history`: that of the driver too, where it is not kept. Rejects
   * where the store itself fails.
   */
  forget(personId: string, asked: { readonly history: boolean; readonly now: number }): Promise<Forgotten>;
}

export function createOwnData(parts: {
  readonly states: PersonalStates;
  /** Deletes all that is stored under the account; resolves with the files that may still hold some of it. */
  readonly store: { forget(forgetting: readonly Forgetting[], personId: string): Promise<readonly string[]> };
  readonly forgetting: readonly Forgetting[];
  readonly hidden: Pick<HiddenDrivers, 'isFixed' | 'isHidden'>;
  readonly names: { forgetNickname(username: string): Promise<void> };
  /** Deletes all that history keeps of a driver; resolves with the files that may still hold some of it. */
  readonly forgetDriver: (username: string) => Promise<readonly string[]>;
}): OwnData {
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
    stored: (personId) => storedData(personId, states),
    history: historyOf,
    async forget(personId, { history, now }) {
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

function keptByAge({ since, proved }: Link, now: number): Kept | null {
  if (proved !== null) return null;
  const until = since + STANDING;
  return now < until ? { why: 'young', until } : null;
}
