/** The rules of each guild, and who has a role by them. */
import { z } from 'zod';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
  readNaming,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { Rule } from './rule.ts';

/**
 * A member and the role of a rule, as far as the bot knows.
 * - `member`: they have not earned it, as far as is known.
 * - `giving`, `taking`: it is being done, and is done again after a kill. `held`: the bot gave it.
 * - `theirs`: they had it before, so the bot never takes it. `refused`: somebody took it away by hand.
 */
export const Holder = z.object({
  state: z.enum(['member', 'giving', 'held', 'taking', 'theirs', 'refused']),
  /** When they joined the guild, as Discord writes it: another time is another stay. */
  joined: z.string(),
});
export type Holder = z.output<typeof Holder>;

export type Holders = Readonly<Record<string, Holder>>;

/** Rules of one guild. */
const MAX_RULES = 20;
/** People whom one rule gives its role; each takes about 80 bytes. */
export const MAX_HOLDERS = 5000;

/** Rules that know a person as a member of their guild, and those that the person has made. */
interface OwnRules {
  readonly known: readonly (Holder & { readonly guild: string; readonly role: string })[];
  readonly made: readonly (Omit<Rule, 'madeBy'> & { readonly guild: string })[];
}

export const rulesByGuild = declareCollection({
  name: 'role-rules',
  schema: z
    .array(Rule.nullable().catch(null))
    .transform((rules): readonly Rule[] => rules.filter((rule) => rule !== null)),
  unreadable: 'none',
  person: {
    // A rule stays, without its maker.
    forget: (rules, personId) =>
      rules.some(({ madeBy }) => madeBy === personId)
        ? rules.map((rule) => (rule.madeBy === personId ? { ...rule, madeBy: '' } : rule))
        : rules,
    export: [
      personalExport({
        name: 'roles',
        read: (documents, personId): Promise<OwnRules | null> => createRoleRules(documents).about(personId),
        lines: ({ known, made }, t) => [t('roles.stored.rules', { known: known.length, made: made.length })],
        question: (t) => t('roles.stored.question'),
      }),
    ],
  },
});

/** By guild and role, then by person. Where it cannot be read, whoever has the role keeps it. */
const holdersByRule = declareCollection({
  name: 'role-holders',
  schema: z.record(z.string(), Holder),
  unreadable: 'none',
  person: {
    forget: (holders, personId) =>
      Object.hasOwn(holders, personId) ? omitHolders(holders, [personId]) : holders,
    export: { partOf: 'role-rules' },
  },
});

export const roleCollections = [rulesByGuild, holdersByRule] as const;

export type RoleRules = ReturnType<typeof createRoleRules>;

/** Rejects where the store fails. A rule that cannot be read is left out. */
export function createRoleRules(documents: Documents) {
  const keyOf = (guild: string, role: string): string => `${guild} ${role}`;
  const ruleOf = (key: string) => {
    const [guild = '', role = ''] = key.split(' ');
    return { guild, role };
  };

  const all = deriveFromCollection(documents, rulesByGuild, (byGuild) => byGuild);

  /** Also deletes the holders of rules that are gone then. Resolves with the number of those rules. */
  const changeIn = (guild: string, to: (rules: readonly Rule[]) => readonly Rule[]): Promise<number> =>
    changeDocuments(documents, async (transaction) => {
      const previousRules = (await transaction.read(rulesByGuild, guild)) ?? [];
      const after = to(previousRules);
      transaction.write(rulesByGuild, guild, after.length === 0 ? null : after);
      const removedRules = previousRules.filter(({ role }) => !after.some((rule) => rule.role === role));
      for (const { role } of removedRules) transaction.write(holdersByRule, keyOf(guild, role), null);
      return removedRules.length;
    });

  return {
    /** By guild, as they were made. The same map until one of them changes. */
    all,
    of: async (guild: string) => (await readDocument(documents, rulesByGuild, guild)) ?? [],
    /** Replaces the rule of that role; who has it stays. `full`: the guild has {@link MAX_RULES}. */
    put: (guild: string, rule: Rule) =>
      changeDocuments(documents, async (transaction) => {
        const rules = (await transaction.read(rulesByGuild, guild)) ?? [];
        const otherRules = rules.filter(({ role }) => role !== rule.role);
        if (otherRules.length >= MAX_RULES) return 'full';
        transaction.write(rulesByGuild, guild, [...otherRules, Rule.parse(rule)]);
        return 'added';
      }),
    /** Changes a rule as it is now; null: removes it. Nothing where it is gone. */
    update: (guild: string, role: string, to: (rule: Rule) => Rule | null) =>
      changeIn(guild, (rules) => rules.flatMap((rule) => (rule.role === role ? (to(rule) ?? []) : rule))),
    /** False: there was none. */
    remove: async (guild: string, role: string) =>
      (await changeIn(guild, (rules) => rules.filter((rule) => rule.role !== role))) > 0,
    /** As part of a transaction: the rule has the same maker, who may have been forgotten. */
    async isMadeBy(transaction: Transaction, guild: string, { role, madeBy }: Pick<Rule, 'role' | 'madeBy'>) {
      const rules = (await transaction.read(rulesByGuild, guild)) ?? [];
      return rules.some((rule) => rule.role === role && rule.madeBy === madeBy);
    },
    guilds: async () => (await all()).keys(),
    /** Rules that were made before then (unix milliseconds). Resolves with their number. */
    removeIn: (guild: string, before: number) =>
      changeIn(guild, (rules) => rules.filter(({ since }) => since >= before)),
    /** The rules that know a person as a member, and those that the person has made; null: none. */
    async about(person: string): Promise<OwnRules | null> {
      const rules = [...(await readNaming(documents, rulesByGuild, person))];
      const holders = [...(await readNaming(documents, holdersByRule, person))];
      const memberships = holders.flatMap(([key, { [person]: holder }]) =>
        holder === undefined ? [] : [{ ...ruleOf(key), ...holder }],
      );
      const ownRules = rules.flatMap(([guild, all]) =>
        all.filter(({ madeBy }) => madeBy === person).map(({ madeBy: _, ...rule }) => ({ guild, ...rule })),
      );
      return memberships.length + ownRules.length === 0 ? null : { known: memberships, made: ownRules };
    },
    holders: async (guild: string, role: string): Promise<Holders> =>
      (await readDocument(documents, holdersByRule, keyOf(guild, role))) ?? {},
    /**
     * Null: no holder any more. At most {@link MAX_HOLDERS}; does nothing where the rule is gone. `mayAdd`: the person may be
     * stored anew.
     */
    setHolders: (
      guild: string,
      role: string,
      changes: Readonly<Record<string, Holder | null>>,
      mayAdd: (person: string) => boolean = () => true,
    ) =>
      changeDocuments(documents, async (transaction) => {
        const rules = (await transaction.read(rulesByGuild, guild)) ?? [];
        if (!rules.some((rule) => rule.role === role)) return;
        const previousHolders = (await transaction.read(holdersByRule, keyOf(guild, role))) ?? {};
        const added = Object.entries(changes).flatMap(([person, holder]) =>
          holder === null || !(Object.hasOwn(previousHolders, person) || mayAdd(person))
            ? []
            : [[person, holder] as const],
        );
        const after = [...Object.entries(omitHolders(previousHolders, Object.keys(changes))), ...added].slice(
          0,
          MAX_HOLDERS,
        );
        transaction.write(
          holdersByRule,
          keyOf(guild, role),
          after.length === 0 ? null : Object.fromEntries(after),
        );
      }),
  };
}

function omitHolders(holders: Holders, persons: readonly string[]): Holders {
  return Object.fromEntries(Object.entries(holders).filter(([person]) => !persons.includes(person)));
}
