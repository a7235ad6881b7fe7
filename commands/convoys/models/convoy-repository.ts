/** The convoys in the store. Whatever changes one is a single transaction, so that a kill leaves it done or not begun. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { BoardState } from '../../../src/cards/board/board.ts';
import { changeDocuments, type Transaction } from '../../../src/store/change.ts';
import {
  declareCollection,
  deriveFromCollection,
  personalExport,
  readDocument,
  readNaming,
} from '../../../src/store/collection.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { createSweep } from '../../../src/store/sweep.ts';
import { Convoy, Draft, type PastConvoy, SignUp } from './convoy.ts';
import {
  afterPress,
  findRefusal,
  isDraftOver,
  MAX_SIGN_UPS,
  makeRoom,
  type Press,
  phaseOf,
  weekAfter,
} from './decide.ts';
import { createPastConvoys, pastConvoyCollections, resultWithout } from './past-convoys.ts';

/** Convoys that a person has planned, signed up for, or been at. */
interface OwnConvoys {
  readonly made: readonly (Omit<Convoy, 'madeBy' | 'result'> & { readonly guild: string })[];
  readonly draft: Draft | null;
  readonly signedUp: readonly (ConvoyIdentity & Omit<SignUp, 'person'>)[];
  readonly there: readonly ConvoyIdentity[];
}

/** A convoy as its guests know it; null for what is no longer stored of it. */
interface ConvoyIdentity {
  readonly guild: string;
  readonly id: string;
  readonly title: string | null;
  readonly server: string | null;
  /** Unix milliseconds. */
  readonly at: number | null;
  readonly channel?: string;
}

/** By guild. Acting as if it held none would lose what people have signed up for. */
export const convoysByGuild = declareCollection({
  name: 'convoys',
  schema: z.array(Convoy),
  unreadable: 'reject',
  person: {
    // A convoy stays, without its maker.
    forget: (all, person) =>
      all.map((one) => ({
        ...one,
        madeBy: one.madeBy === person ? '' : one.madeBy,
        result: one.result && resultWithout(one.result, person),
      })),
    export: [
      personalExport({
        name: 'convoys',
        read: (documents, person): Promise<OwnConvoys | null> =>
          createConvoyRepository(documents).about(person),
        lines: ({ made, draft, signedUp, there }, t) => [
          t('convoy.privacy.stored', {
            made: made.length + (draft === null ? 0 : 1),
            signedUp: signedUp.length,
            there: there.length,
          }),
        ],
        question: (t) => t('convoy.privacy.forget'),
      }),
    ],
  },
});

/** Sign-ups and attendance are stored by {@link convoyKey}. */
const signUpsByKey = declareCollection({
  name: 'convoy-sign-ups',
  schema: z.array(SignUp).max(MAX_SIGN_UPS),
  unreadable: 'reject',
  person: {
    forget: (all, person) => all.filter((one) => one.person !== person),
    export: { partOf: 'convoys' },
  },
});
const cardsByKey = declareCollection({
  name: 'convoy-cards',
  schema: BoardState,
  unreadable: 'none',
  person: 'nobody',
});

/** How long a weekly event may have to be removed after its convoy is gone, in ms. */
const LEFT_EVENT_MS = 400 * DAY;

/** By person. */
const drafts = declareCollection({
  name: 'convoy-drafts',
  schema: Draft,
  unreadable: 'none',
  person: {
    forget: (draft, person, key) => (key === person ? null : draft),
    export: { partOf: 'convoys' },
  },
});

/** By guild: Discord's events of convoys that are no longer stored, and until when there may be one (unix milliseconds). */
const leftEventsByGuild = declareCollection({
  name: 'convoy-left-events',
  schema: z.array(z.object({ id: z.string(), until: z.number() })),
  unreadable: 'none',
  person: 'nobody',
});

export const convoyCollections = [
  convoysByGuild,
  signUpsByKey,
  cardsByKey,
  drafts,
  leftEventsByGuild,
  ...pastConvoyCollections,
] as const;

export function convoyKey(guild: string, { id }: Pick<Convoy, 'id'>): string {
  return `${guild}:${id}`;
}

function placeOf(key: string) {
  const [guild = '', id = ''] = key.split(':');
  return { guild, id };
}

export type ConvoyRepository = ReturnType<typeof createConvoyRepository>;

/** Rejects where the store fails. */
export function createConvoyRepository(documents: Documents) {
  const sweepDrafts = createSweep(documents, drafts, (draft, now) =>
    isDraftOver(draft, now) ? null : draft,
  );
  const all = deriveFromCollection(documents, convoysByGuild, (convoys) => convoys);
  const past = createPastConvoys(documents);

  /** `to`: what stands in its place; null: the same. Resolves with null where the guild has no such convoy. */
  const changeOne = <Outcome>(
    guild: string,
    id: string,
    to: (convoy: Convoy, transaction: Transaction) => Promise<readonly [readonly Convoy[] | null, Outcome]>,
  ): Promise<Outcome | null> =>
    changeDocuments(documents, async (transaction) => {
      const all = (await transaction.read(convoysByGuild, guild)) ?? [];
      const previous = all.find((one) => one.id === id);
      if (previous === undefined) return null;
      const [instead, outcome] = await to(previous, transaction);
      if (instead !== null) {
        const after = all.flatMap((one) => (one === previous ? instead : one));
        transaction.write(convoysByGuild, guild, after.length === 0 ? null : after);
      }
      return outcome;
    });

  /** With its sign-ups and what is known of its card. */
  const drop = (guild: string, id: string) =>
    changeOne(guild, id, async (convoy, transaction) => {
      await clear(transaction, guild, convoy);
      return [[], 'dropped'];
    });

  return {
    in: async (guild: string): Promise<readonly Convoy[]> =>
      (await readDocument(documents, convoysByGuild, guild)) ?? [],
    /** By guild; another object each time that one has changed. */
    all,
    /** As part of a transaction: the person is still to be told of the convoy as it is there. */
    async isWanted(
      transaction: Transaction,
      guild: string,
      convoy: Convoy,
      person: string,
    ): Promise<boolean> {
      const signUps = (await transaction.read(signUpsByKey, convoyKey(guild, convoy))) ?? [];
      const isAsked = signUps.some((one) => one.person === person && one.remind);
      return isAsked && (await this.isAsItWas(transaction, guild, convoy));
    },
    /** As part of a transaction: the convoy has the same maker, time and stage as there. */
    async isAsItWas(transaction: Transaction, guild: string, convoy: Convoy): Promise<boolean> {
      const all = (await transaction.read(convoysByGuild, guild)) ?? [];
      const { id, at, stage, madeBy } = convoy;
      return all.some(
        (one) => one.id === id && one.at === at && one.stage === stage && one.madeBy === madeBy,
      );
    },
    /** By key. */
    signUps: deriveFromCollection(documents, signUpsByKey, (all) => all),
    signUpsOf: async (guild: string, id: string): Promise<readonly SignUp[]> =>
      (await readDocument(documents, signUpsByKey, convoyKey(guild, { id }))) ?? [],

    draftOf: async (person: string, now: number): Promise<Draft | null> => {
      const draft = await readDocument(documents, drafts, person);
      return draft === null || isDraftOver(draft, now) ? null : draft;
    },
    /** In place of the person's earlier one. */
    putDraft: (person: string, draft: Draft) =>
      changeDocuments(documents, async (transaction) => transaction.write(drafts, person, draft)),
    /** Deletes drafts and results that are over. */
    async tidy(now: number): Promise<void> {
      await sweepDrafts(now);
      await past.tidy(now);
    },
    /** Does nothing where the person has another one by now. */
    dropDraft: (person: string, id: string) =>
      changeDocuments(documents, async (transaction) => {
        if ((await transaction.read(drafts, person))?.id === id) transaction.write(drafts, person, null);
      }),
    /**
     * Makes the person's draft a convoy that looks like that, with its maker signed up, or changes the convoy that it is about.
     * Null: the person has another draft by now.
     */
    announce: (person: string, draft: Draft, look: Pick<Convoy, 'locale' | 'colours'>, now: number) =>
      changeDocuments(documents, async (transaction) => {
        if (!isDeepStrictEqual(await transaction.read(drafts, person), draft)) return null;
        const { guild, channel, when: _when, madeAt: _madeAt, isZoned: _isZoned, at, ...planned } = draft;
        const storedConvoys = (await transaction.read(convoysByGuild, guild)) ?? [];
        const isChange = storedConvoys.some(({ id }) => id === draft.id);
        const { kept: all, dropped } = isChange
          ? { kept: storedConvoys, dropped: null }
          : makeRoom(storedConvoys, now);
        const refusal = findRefusal(draft, person, all, now);
        if (refusal !== null || at === null) return refusal ?? 'time';
        const previous = all.find(({ id }) => id === draft.id);
        // A time that nobody changes is typed again as whole minutes, perhaps in another zone.
        const isSame = previous !== undefined && Math.floor(previous.at / MINUTE) === Math.floor(at / MINUTE);
        const time = isSame ? previous : { at, zone: draft.zone, wall: undefined };
        const newFields = { channel, madeBy: person, madeAt: now, stage: 'open', since: now } as const;
        const convoy: Convoy = {
          ...newFields,
          ...look,
          result: null,
          event: null,
          ...previous,
          ...planned,
          description: planned.description,
          at: time.at,
          zone: time.zone,
          wall: time.wall,
        };
        const after =
          previous === undefined ? [...all, convoy] : all.map((one) => (one === previous ? convoy : one));
        if (dropped !== null) await clear(transaction, guild, dropped);
        transaction.write(convoysByGuild, guild, after);
        if (previous === undefined)
          transaction.write(signUpsByKey, convoyKey(guild, convoy), [signUpOfMaker(person)]);
        transaction.write(drafts, person, null);
        return { convoy, isNew: previous === undefined };
      }),

    /** `closed`: it is over or cancelled. `full`: no more people can sign up. Null: there is none. */
    press: (guild: string, id: string, person: string, press: Press, now: number) =>
      changeOne<'closed' | 'full' | { readonly convoy: Convoy; readonly signUps: readonly SignUp[] }>(
        guild,
        id,
        async (convoy, transaction) => {
          const phase = phaseOf(convoy, now);
          const isOpen = phase === 'coming' || (phase === 'running' && press !== 'remind');
          if (!isOpen) return [null, 'closed'];
          const key = convoyKey(guild, convoy);
          const previousSignUps = (await transaction.read(signUpsByKey, key)) ?? [];
          const after = afterPress(previousSignUps, person, press);
          if (after === null) return [null, 'full'];
          if (after !== previousSignUps) transaction.write(signUpsByKey, key, [...after]);
          return [null, { convoy, signUps: after }];
        },
      ),
    /** `closed`: it is over, or was cancelled before. The person who cancels knows it and gets no message about it. */
    cancel: (guild: string, id: string, person: string, now: number) =>
      changeOne<'cancelled' | 'closed'>(guild, id, async (convoy, transaction) => {
        if (convoy.stage !== 'open') return [null, 'closed'];
        const key = convoyKey(guild, convoy);
        const signUps = (await transaction.read(signUpsByKey, key)) ?? [];
        const isReminded = signUps.some((one) => one.person === person && one.remind);
        const after = isReminded ? afterPress(signUps, person, 'remind') : null;
        if (after !== null) transaction.write(signUpsByKey, key, [...after]);
        return [[{ ...convoy, stage: 'cancelled', since: now }], 'cancelled'];
      }),
    /**
     * Tells its result, of those who are still signed up, once; a weekly one is there again a week later, with its maker if
     * they were in. `nextId`: of that one; null: there is none.
     */
    finish: (
      guild: string,
      id: string,
      workedOut: NonNullable<Convoy['result']>,
      now: number,
      nextId: string | null,
    ) =>
      changeOne(guild, id, async (before, transaction) => {
        if (before.stage !== 'open') return [null, null];
        // A person may have been forgotten while the result was worked out.
        const signUps = (await transaction.read(signUpsByKey, convoyKey(guild, before))) ?? [];
        const attendees = workedOut.there.filter(({ person }) =>
          signUps.some((one) => one.person === person),
        );
        const result = { ...workedOut, there: attendees };
        const convoy: Convoy = { ...before, stage: 'over', since: now, result };
        const { title, server, at, channel } = convoy;
        await past.add(transaction, guild, { id, title, server, at, channel, result }, now);
        if (before.weekly && nextId !== null) {
          const isMakerIn = signUps.some((one) => one.person === before.madeBy && one.answer === 'in');
          if (isMakerIn)
            transaction.write(signUpsByKey, convoyKey(guild, { id: nextId }), [signUpOfMaker(before.madeBy)]);
          return [[convoy, nextOf(before, now, nextId)], convoy];
        }
        await leaveEvent(transaction, guild, before);
        return [[convoy], convoy];
      }),
    /** Null: there is none any more, and there may be another one. */
    tookEvent: (guild: string, id: string, event: Convoy['event']) =>
      changeOne(guild, id, async (convoy) => [[{ ...convoy, event }], 'taken']),
    /** By guild: Discord's events whose convoys are no longer stored. */
    leftEvents: deriveFromCollection(documents, leftEventsByGuild, (left) => left),
    /** There is no such event any more. */
    settleLeftEvent: (guild: string, eventId: string) =>
      changeDocuments(documents, async (transaction) => {
        const storedEvents = (await transaction.read(leftEventsByGuild, guild)) ?? [];
        const otherEvents = storedEvents.filter(({ id }) => id !== eventId);
        transaction.write(leftEventsByGuild, guild, otherEvents.length === 0 ? null : otherEvents);
      }),
    drop,
    /** Guilds with convoys or results. */
    guilds: async () => [...(await all()).keys(), ...(await past.guilds())],
    /** Removes a guild's convoys and results from before then (unix milliseconds). Resolves with their number. */
    async removeIn(guild: string, before: number): Promise<number> {
      const oldConvoys = ((await all()).get(guild) ?? []).filter(({ madeAt }) => madeAt < before);
      for (const { id } of oldConvoys) await drop(guild, id);
      return oldConvoys.length + (await past.removeIn(guild, before));
    },

    past: past.in,
    countOf: past.countOf,
    /** The data stored of a person, without that of others; null: none. */
    async about(person: string): Promise<OwnConvoys | null> {
      const [made, signUps, over, draft] = await Promise.all([
        readNaming(documents, convoysByGuild, person),
        readNaming(documents, signUpsByKey, person),
        past.naming(person),
        readDocument(documents, drafts, person),
      ]);
      const guilds = [...new Set([...signUps.keys()].map((key) => placeOf(key).guild))];
      const byGuild = new Map<string, readonly Convoy[]>();
      for (const guild of guilds)
        byGuild.set(guild, (await readDocument(documents, convoysByGuild, guild)) ?? []);
      const ownData = {
        made: [...made].flatMap(([guild, convoys]) => madeBy(person, guild, convoys)),
        draft,
        signedUp: [...signUps].flatMap(([key, list]) => {
          const { guild, id } = placeOf(key);
          const convoy = byGuild.get(guild)?.find((one) => one.id === id);
          return signUpsOf(person, list).map((own) => ({ guild, ...identityOf(convoy, id), ...own }));
        }),
        there: [...over].flatMap(([guild, list]) =>
          list.filter((one) => wasThere(person, one)).map((one) => ({ guild, ...identityOf(one, one.id) })),
        ),
      };
      const { made: planned, signedUp, there } = ownData;
      return draft === null && planned.length + signedUp.length + there.length === 0 ? null : ownData;
    },

    cardOf: (key: string): Promise<BoardState | null> => readDocument(documents, cardsByKey, key),
    /** Does nothing if the convoy is no longer there. */
    saveCard: (key: string, state: BoardState) =>
      changeDocuments(documents, async (transaction) => {
        const { guild, id } = placeOf(key);
        const all = await transaction.read(convoysByGuild, guild);
        if (all?.some((convoy) => convoy.id === id)) transaction.write(cardsByKey, key, state);
      }),
    /** Removes a convoy whose channel is gone for good. */
    async remove(key: string): Promise<void> {
      const { guild, id } = placeOf(key);
      await drop(guild, id);
    },
  };
}

function signUpOfMaker(person: string): SignUp {
  return { person, answer: 'in', remind: false };
}

function madeBy(person: string, guild: string, convoys: readonly Convoy[]) {
  return convoys
    .filter((one) => one.madeBy === person)
    .map(({ result: _result, madeBy: _madeBy, ...own }) => ({ guild, ...own }));
}

function signUpsOf(person: string, signUps: readonly SignUp[]) {
  return signUps.filter((one) => one.person === person).map(({ answer, remind }) => ({ answer, remind }));
}

function wasThere(person: string, { result }: PastConvoy): boolean {
  return result?.there.some((one) => one.person === person) ?? false;
}

/** Returns the fields that identify a convoy; null fields if it is no longer stored. */
function identityOf(convoy: Pick<PastConvoy, 'title' | 'server' | 'at' | 'channel'> | undefined, id: string) {
  const { title = null, server = null, at = null, channel } = convoy ?? {};
  return { id, title, server, at, ...(channel === undefined ? {} : { channel }) };
}

/** Removes what is stored of a convoy beside the convoy itself. */
async function clear(transaction: Transaction, guild: string, convoy: Convoy): Promise<void> {
  await leaveEvent(transaction, guild, convoy);
  transaction.write(signUpsByKey, convoyKey(guild, convoy), null);
  transaction.write(cardsByKey, convoyKey(guild, convoy), null);
}

/**
 * Keeps the id of an event that ends with its convoy, so that it can be removed later: Discord may be away now, or the bot no
 * longer in the server. One that is over has ended by itself, unless it repeats. The next week's convoy goes on with it.
 */
async function leaveEvent(transaction: Transaction, guild: string, convoy: Convoy): Promise<void> {
  const { id, event, weekly, stage, at, hours } = convoy;
  if (event === null || event.id === null || (stage === 'over' && !weekly)) return;
  const all = (await transaction.read(convoysByGuild, guild)) ?? [];
  if (all.some((other) => other.id !== id && other.event?.id === event.id)) return;
  const storedEvents = (await transaction.read(leftEventsByGuild, guild)) ?? [];
  const endsAt = weekly ? at + LEFT_EVENT_MS : at + hours * HOUR;
  const otherEvents = storedEvents.filter((one) => one.id !== event.id);
  transaction.write(leftEventsByGuild, guild, [...otherEvents, { id: event.id, until: endsAt }]);
}

function nextOf(before: Convoy, now: number, id: string): Convoy {
  // The role was pinged for all of them.
  return { ...before, ...weekAfter(before, now), id, madeAt: now, since: now, role: null };
}
