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

/** Who has looked up what, by person and by guild. */
export interface Accounts {
  /** Null for a person without recent look-ups. */
  ofPerson(asker: Asker): Account | null;
  ofGuild(asker: Asker): Account | null;
  /** How many guilds have recent look-ups. */
  guilds(): number;
  /** Of all recent look-ups. */
  cost(): number;
  enter(charge: Charge): void;
  remove(charge: Charge): void;
  /** A request that was retried costs two. */
  addCost(charge: Charge): void;
  /** Forgets look-ups before that moment. */
  forget(before: number): void;
}

/** All direct messages together count as one guild. */
const DIRECT = 'direct';
/** Maximum look-ups remembered, whatever the budget. */
const REMEMBERED = 50_000;

const guildOf = ({ guildId }: Asker): string => guildId ?? DIRECT;

export function createAccounts(): Accounts {
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
    ofPerson: ({ personId }) => people.get(personId) ?? null,
    ofGuild: (asker) => guilds.get(guildOf(asker)) ?? null,
    guilds: () => guilds.size,
    cost: () => cost,
    enter(charge) {
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
    addCost(charge) {
      if (!all.has(charge)) return;
      charge.cost += 1;
      cost += 1;
      for (const [accounts, id] of keysOf(charge.asker)) {
        const account = accounts.get(id);
        if (account !== undefined) account.cost += 1;
      }
    },
    forget(before) {
      for (const charge of all) {
        if (charge.at > before && all.size < REMEMBERED) return;
        remove(charge);
      }
    },
  };
}
