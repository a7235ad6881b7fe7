/** The convoys in the store. Whatever changes one is a single transaction, so that a kill leaves it done or not begun. */
import { z } from 'zod';
import { BoardState } from '../service/models/board.ts';
import { Convoy, Draft, PastConvoy, SignUp } from '../service/models/convoy.ts';
import { assertFence, type Fence } from '../shards/fence.ts';
import { change, type Transaction } from '../store/change.ts';
import { collection, derived, readDocument } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { type Forgetting, forgetting } from '../store/forget.ts';
import {
  afterPress,
  isDraftOver,
  isForgotten,
  MOST_SIGN_UPS,
  type Press,
  phaseOf,
  refusalOf,
  withResult,
} from './decide.ts';
import { weekLater } from './when.ts';

/** By guild. Acting as if it held none would lose what people have signed up for. */
const convoysByGuild = collection({ name: 'convoys', schema: z.array(Convoy), unreadable: 'reject' });

/** These two by {@link convoyKey}. */
const signUpsByKey = collection({
  name: 'convoy-sign-ups',
  schema: z.array(SignUp).max(MOST_SIGN_UPS),
  unreadable: 'reject',
});
const cardsByKey = collection({ name: 'convoy-cards', schema: BoardState, unreadable: 'none' });

/** By person. */
const drafts = collection({ name: 'convoy-drafts', schema: Draft, unreadable: 'none' });

/** By guild, newest first. */
const results = collection({ name: 'convoy-results', schema: z.array(PastConvoy), unreadable: 'none' });

export function convoyKey(guild: string, { id }: Pick<Convoy, 'id'>): string {
  return `${guild}:${id}`;
}

const guildOf = (key: string): string => key.split(':')[0] ?? '';

export type StoredConvoys = ReturnType<typeof createStoredConvoys>;

/** Rejects where the store fails. */
export function createStoredConvoys(documents: Documents) {
  /** Resolves with null where the guild has no such convoy. */
  const changeOne = <Outcome>(
    guild: string,
    id: string,
    to: (convoy: Convoy, transaction: Transaction) => Promise<readonly [Convoy | null, Outcome]>,
  ): Promise<Outcome | null> =>
    change(documents, async (transaction) => {
      const all = (await transaction.read(convoysByGuild, guild)) ?? [];
      const before = all.find((one) => one.id === id);
      if (before === undefined) return null;
      const [convoy, outcome] = await to(before, transaction);
      if (convoy !== before)
        write(
          transaction,
          guild,
          all.flatMap((one) => (one === before ? (convoy ?? []) : one)),
        );
      return outcome;
    });

  /** With its sign-ups and what is known of its card. */
  const drop = (guild: string, id: string, fence?: Fence) =>
    changeOne(guild, id, async (_convoy, transaction) => {
      if (fence !== undefined) await assertFence(transaction, fence);
      transaction.write(signUpsByKey, convoyKey(guild, { id }), null);
      transaction.write(cardsByKey, convoyKey(guild, { id }), null);
      return [null, 'dropped'];
    });

  return {
    in: async (guild: string): Promise<readonly Convoy[]> =>
      (await readDocument(documents, convoysByGuild, guild)) ?? [],
    /** By guild; another object each time that one has changed. */
    all: derived(documents, convoysByGuild, (all) => all),
    /** By key. */
    signUps: derived(documents, signUpsByKey, (all) => all),
    signUpsOf: async (guild: string, id: string): Promise<readonly SignUp[]> =>
      (await readDocument(documents, signUpsByKey, convoyKey(guild, { id }))) ?? [],

    draftOf: async (person: string, now: number): Promise<Draft | null> => {
      const draft = await readDocument(documents, drafts, person);
      return draft === null || isDraftOver(draft, now) ? null : draft;
    },
    /** In place of the person's earlier one; null: none any more. */
    putDraft: (person: string, draft: Draft | null) =>
      change(documents, async (transaction) => transaction.write(drafts, person, draft)),
    /** Makes the person's draft a convoy, or changes the one that it is about. Null: there is no draft. */
    announce: (person: string, look: Pick<Convoy, 'locale' | 'colours'>, now: number) =>
      change(documents, async (transaction) => {
        const draft = await transaction.read(drafts, person);
        if (draft === null) return null;
        const { guild, when: _, ...planned } = draft;
        const all = (await transaction.read(convoysByGuild, guild)) ?? [];
        const refusal = refusalOf(draft, person, all, now);
        if (refusal !== null || planned.at === null) return refusal ?? 'time';
        const before = all.find(({ id }) => id === draft.id);
        const made = { madeBy: person, madeAt: now, stage: 'open', since: now } as const;
        const { madeBy, madeAt, stage, since, result, event, channel } = before ?? {
          ...{ result: null, event: null },
          ...made,
          channel: draft.channel,
        };
        const kept = { madeBy, madeAt, stage, since, result, event, channel };
        const convoy: Convoy = { ...planned, ...look, ...kept, at: planned.at };
        write(
          transaction,
          guild,
          before === undefined ? [...all, convoy] : all.map((one) => (one === before ? convoy : one)),
        );
        transaction.write(drafts, person, null);
        return { convoy, isNew: before === undefined };
      }),

    /** `closed`: it is over or cancelled. `full`: no more people can sign up. Null: there is none. */
    press: (guild: string, id: string, person: string, press: Press, now: number) =>
      changeOne<'closed' | 'full' | { readonly convoy: Convoy; readonly signUps: readonly SignUp[] }>(
        guild,
        id,
        async (convoy, transaction) => {
          const phase = phaseOf(convoy, now);
          if (phase !== 'coming' && phase !== 'running') return [convoy, 'closed'];
          const key = convoyKey(guild, convoy);
          const before = (await transaction.read(signUpsByKey, key)) ?? [];
          const after = afterPress(before, person, press);
          if (after === null) return [convoy, 'full'];
          if (after !== before) transaction.write(signUpsByKey, key, [...after]);
          return [convoy, { convoy, signUps: after }];
        },
      ),
    /** `closed`: it is over, or was cancelled before. */
    cancel: (guild: string, id: string, now: number) =>
      changeOne<'cancelled' | 'closed'>(guild, id, async (convoy) =>
        convoy.stage === 'open'
          ? [{ ...convoy, stage: 'cancelled', since: now }, 'cancelled']
          : [convoy, 'closed'],
      ),
    /** Tells its result, once; a weekly one is there again a week later. `nextId`: of that one. */
    finish: (guild: string, id: string, result: NonNullable<Convoy['result']>, now: number, nextId: string) =>
      change(documents, async (transaction) => {
        const all = (await transaction.read(convoysByGuild, guild)) ?? [];
        const before = all.find((one) => one.id === id);
        if (before?.stage !== 'open') return null;
        const convoy: Convoy = { ...before, stage: 'over', since: now, result };
        const next = before.weekly ? [nextOf(before, now, nextId)] : [];
        write(transaction, guild, [...all.map((one) => (one === before ? convoy : one)), ...next]);
        const earlier = (await transaction.read(results, guild)) ?? [];
        const { title, server, at } = convoy;
        transaction.write(results, guild, [...withResult(earlier, { id, title, server, at, result }, now)]);
        return convoy;
      }),
    tookEvent: (guild: string, id: string, event: NonNullable<Convoy['event']>) =>
      changeOne(guild, id, async (convoy) => [{ ...convoy, event }, 'taken']),
    /** The convoys of a guild that are no longer kept. */
    async tidy(guild: string, now: number): Promise<void> {
      const all = (await readDocument(documents, convoysByGuild, guild)) ?? [];
      for (const convoy of all) if (isForgotten(convoy, now)) await drop(guild, convoy.id);
    },
    /** The guild was left. */
    async removeIn(guild: string): Promise<void> {
      const all = (await readDocument(documents, convoysByGuild, guild)) ?? [];
      for (const { id } of all) await drop(guild, id);
      await change(documents, async (transaction) => transaction.write(results, guild, null));
    },

    past: async (guild: string): Promise<readonly PastConvoy[]> =>
      (await readDocument(documents, results, guild)) ?? [],
    /** At how many convoys each person was, in all guilds. */
    counts: derived(documents, results, (all) => {
      const counts = new Map<string, number>();
      for (const { result } of [...all.values()].flat())
        for (const { person } of result?.there ?? []) counts.set(person, (counts.get(person) ?? 0) + 1);
      return counts;
    }),
    /** The data stored of a person; null: none. */
    async about(person: string) {
      const [all, signUps, counts, draft] = await Promise.all([
        ...([this.all(), this.signUps(), this.counts()] as const),
        readDocument(documents, drafts, person),
      ]);
      const own = [...all.values()].flat().filter(({ madeBy }) => madeBy === person);
      const made = own.length + (draft === null ? 0 : 1);
      const signedUp = [...signUps.values()].flat().filter((one) => one.person === person).length;
      const there = counts.get(person) ?? 0;
      return made + signedUp + there === 0 ? null : { made, signedUp, there };
    },

    cardOf: (key: string): Promise<BoardState | null> => readDocument(documents, cardsByKey, key),
    /** Does nothing if the convoy is no longer there. Rejects where another process holds its shard by now. */
    saveCard: (key: string, state: BoardState, fence: Fence) =>
      change(documents, async (transaction) => {
        const [, all] = await Promise.all([
          assertFence(transaction, fence),
          transaction.read(convoysByGuild, guildOf(key)),
        ]);
        if (all?.some((convoy) => convoyKey(guildOf(key), convoy) === key))
          transaction.write(cardsByKey, key, state);
      }),
    /** Its channel is gone for good. Rejects where another process holds its shard by now. */
    async remove(key: string, fence: Fence): Promise<void> {
      await drop(guildOf(key), key.slice(guildOf(key).length + 1), fence);
    },
  };
}

function write(transaction: Transaction, guild: string, all: readonly Convoy[]): void {
  transaction.write(convoysByGuild, guild, all.length === 0 ? null : [...all]);
}

/** After a pause of the bot, the weeks that are over are left out. */
function nextOf(before: Convoy, now: number, id: string): Convoy {
  let at = weekLater(before.at, before.zone);
  while (at <= now) at = weekLater(at, before.zone);
  // The role was pinged for all of them.
  return { ...before, id, at, madeAt: now, since: now, role: null };
}

/** A person's convoys stay without their maker, and lists and results without the person. */
export const convoysForgetting: readonly Forgetting[] = [
  forgetting(convoysByGuild, (all, person) =>
    all.map((one) => ({
      ...one,
      madeBy: one.madeBy === person ? '' : one.madeBy,
      result: one.result && without(one.result, person),
    })),
  ),
  forgetting(signUpsByKey, (all, person) => all.filter((one) => one.person !== person)),
  forgetting(drafts, (draft, person, key) => (key === person ? null : draft)),
  forgetting(results, (all, person) =>
    all.map((one) => ({ ...one, result: one.result && without(one.result, person) })),
  ),
];

function without(result: NonNullable<Convoy['result']>, person: string): typeof result {
  return { ...result, there: result.there.filter((one) => one.person !== person) };
}
