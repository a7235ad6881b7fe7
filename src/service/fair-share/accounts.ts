import type { Asker } from '../call.ts';

export interface Charge {
  readonly asker: Asker;
  /** Monotonic milliseconds. */
  readonly at: number;
  /** Its cost in requests. */
  cost: number;
}

/** The look-ups of one person or of one guild, oldest first, and what they cost. */
export interface Account {
  readonly charges: readonly Charge[];
  readonly cost: number;
}

/** All direct messages together count as one guild. */
const DIRECT = 'direct';
/** Maximum look-ups remembered, whatever the budget. */
const REMEMBERED = 50_000;

const guildOf = ({ guildId }: Asker): string => guildId ?? DIRECT;

/** Who has looked up what, by person and by guild. */
export function createAccounts() {
  // Oldest first.
  const all = new Set<Charge>();
  const people = new Map<string, { charges: Charge[]; cost: number }>();
  const guilds: typeof people = new Map();
  let cost = 0;

  const keysOf = (asker: Asker) =>
    [
      [people, asker.personId],
      [guilds, guildOf(asker)],
    ] as const;

  function remove(charge: Charge): void {
    if (!all.delete(charge)) return;
    cost -= charge.cost;
    for (const [accounts, id] of keysOf(charge.asker)) {
      const account = accounts.get(id);
      if (account === undefined) continue;
      account.charges.splice(account.charges.indexOf(charge), 1);
      account.cost -= charge.cost;
      if (account.charges.length === 0) accounts.delete(id);
    }
  }

  return {
    /** Null for a person without recent look-ups. */
    ofPerson: ({ personId }: Asker): Account | null => people.get(personId) ?? null,
    ofGuild: (asker: Asker): Account | null => guilds.get(guildOf(asker)) ?? null,
    /** How many guilds have recent look-ups. */
    guilds: () => guilds.size,
    /** Of all recent look-ups. */
    cost: () => cost,
    enter(charge: Charge): void {
      all.add(charge);
      cost += charge.cost;
      for (const [accounts, id] of keysOf(charge.asker)) {
        const account = accounts.get(id) ?? { charges: [], cost: 0 };
        account.charges.push(charge);
        account.cost += charge.cost;
        accounts.set(id, account);
      }
    },
    remove,
    /** A request that was retried costs two. */
    addCost(charge: Charge): void {
      if (!all.has(charge)) return;
      charge.cost += 1;
      cost += 1;
      for (const [accounts, id] of keysOf(charge.asker)) {
        const account = accounts.get(id);
        if (account !== undefined) account.cost += 1;
      }
    },
    /** Forgets look-ups before that moment. */
    forget(before: number): void {
      for (const charge of all) {
        if (charge.at > before && all.size < REMEMBERED) return;
        remove(charge);
      }
    },
  };
}
