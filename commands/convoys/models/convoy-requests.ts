/** People's requests about convoys. */

import { MINUTE } from '../../../src/base/duration.ts';
import { createMutex } from '../../../src/base/mutex.ts';
import type { Access } from '../../../src/cards/board/board.ts';
import { typedMoment } from '../../../src/command-kit/command-options/time-zone.ts';
import { toComparableText } from '../../../src/command-kit/option.ts';
import type { GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import { visibleName } from '../../../src/text/plain.ts';
import type { DraftEvent } from '../cards/convoy-texts.ts';
import type { Audience } from '../jobs/convoy-events.ts';
import type { createConvoyMessages } from '../jobs/convoy-messages.ts';
import {
  type Convoy,
  DEFAULT_HOURS,
  type Draft,
  MAX_DESCRIPTION_LINES,
  MAX_LENGTHS,
  type PastConvoy,
} from './convoy.ts';
import { type ConvoyRepository, convoyKey } from './convoy-repository.ts';
import { assignPlaces, newConvoyId, type Press, phaseOf, quotaRefusal } from './decide.ts';
import { type Reader, readWhen } from './when.ts';

/** The person who asks, in which guild. */
interface ConvoyAsker {
  readonly id: string;
  readonly guild: string;
  /** As Discord names them with the question, without everyone's; absent: none. */
  readonly roles?: readonly string[];
}

/** A person's rights, from one reading. */
interface PersonRights {
  /** In the guild itself, whatever a channel adds. */
  may(right: 'CreateEvents' | 'ManageEvents' | 'MentionEveryone'): boolean;
  /** The person has the role that the guild's settings name for this. */
  readonly isPlanner: boolean;
  /** In a channel, where the bot writes what they have typed. Null: the bot does not know it. */
  mayIn(channel: string, right: 'SendMessages' | 'MentionEveryone'): boolean | null;
}

/** Rejects where the store fails. */
export type ConvoyRequests = ReturnType<typeof createConvoyRequests>;

export function createConvoyRequests(parts: {
  readonly stored: ConvoyRepository;
  readonly cards: Pick<ReturnType<typeof createConvoyMessages>, 'took'>;
  readonly boards: {
    changed(id: string): void;
    syncMessage(id: string): Promise<boolean>;
  };
  readonly access: (guild: string, channel: string) => Access;
  /** A text: why they are not known. */
  readonly rightsOf: (asker: ConvoyAsker) => Promise<PersonRights | string>;
  /** The asker may view that channel of the guild; false where that is not known. */
  readonly mayView: (asker: ConvoyAsker, channel: string) => boolean;
  readonly audienceOf: (guild: string, channel: string) => Audience;
  readonly driversIn: (guild: string) => Promise<ReadonlyMap<string, Pick<GuildDriver, 'isHidden'>>>;
  /** The bot itself may make Discord's events there. */
  readonly mayMakeEvents: (guild: string) => boolean;
  /** Pings the role of a new one, once. Never rejects. */
  readonly ping: (guild: string, convoy: Convoy) => Promise<unknown>;
  /** There is something to do for a convoy. */
  readonly changed: () => void;
  /** 0 to 1. */
  readonly random: () => number;
}) {
  const { stored, cards, boards, access, rightsOf, mayView, audienceOf, mayMakeEvents } = parts;
  const { driversIn, ping, changed, random } = parts;
  // Thirty people press at once; of as many transactions, each would begin again for each other.
  const inTurn = createMutex();

  async function find({ guild }: ConvoyAsker, id: string): Promise<Convoy | undefined> {
    return (await stored.in(guild)).find((one) => one.id === id);
  }

  /** Null for a person who may make what the draft says, or change what it is about. */
  async function rightsRefusal(
    asker: ConvoyAsker,
    { id, channel, role }: Pick<Draft, 'id' | 'channel' | 'role'>,
  ): Promise<
    Exclude<Access, { readonly kind: 'open' }> | 'not-allowed' | 'no-send' | 'no-ping' | 'lost' | null
  > {
    const existing = await find(asker, id);
    const rights = await rightsOf(asker);
    if (typeof rights === 'string') return 'lost';
    const isOwn = existing === undefined || existing.madeBy === asker.id;
    const may = isOwn ? rights.isPlanner || rights.may('CreateEvents') : rights.may('ManageEvents');
    if (!may) return 'not-allowed';
    const botAccess = access(asker.guild, existing?.channel ?? channel);
    if (existing === undefined && botAccess.kind !== 'open') return botAccess;
    const maySend = rights.mayIn(existing?.channel ?? channel, 'SendMessages');
    if (maySend !== true) return maySend === null ? 'lost' : 'no-send';
    if (role === null || existing !== undefined) return null;
    return rights.may('MentionEveryone') && rights.mayIn(channel, 'MentionEveryone') === true
      ? null
      : 'no-ping';
  }

  async function draftOf({ id, guild }: ConvoyAsker, now: number): Promise<Draft | null> {
    const draft = await stored.draftOf(id, now);
    return draft?.guild === guild ? draft : null;
  }

  /** A draft as it is shown before it is public. A convoy stays in its channel, whatever channel the draft was made in. */
  async function preview(asker: ConvoyAsker, draft: Draft) {
    const existing = await find(asker, draft.id);
    const audience = audienceOf(asker.guild, existing?.channel ?? draft.channel);
    const event: DraftEvent = !mayMakeEvents(asker.guild)
      ? 'no-right'
      : audience === 'everyone'
        ? 'open'
        : draft.eventForAll === true
          ? 'for-all'
          : 'closed';
    return { draft, isChange: existing !== undefined, event };
  }

  /** Reads the time of a draft again for a person who now has another time zone. A convoy's unchanged time stays. */
  async function replan(asker: ConvoyAsker, draft: Draft, { locale, zone, now }: Reader) {
    const existing = await find(asker, draft.id);
    const isUnchanged = existing !== undefined && isSameMinute(existing.at, draft.at);
    const reading = isUnchanged
      ? { at: existing.at, isZoned: true }
      : readWhen(draft.when, { locale, zone, now: draft.madeAt });
    const when = isUnchanged ? typedMoment(existing.at, zone) : draft.when;
    const next = { ...draft, ...timeOf(reading), zone, when };
    await stored.putDraft(asker.id, next);
    return { ...(await preview(asker, next)), ...problemOf(reading, now) };
  }

  /** The last ten convoys in channels that the asker may view. */
  async function lastConvoys(asker: ConvoyAsker): Promise<readonly PastConvoy[]> {
    return (await stored.past(asker.guild))
      .filter(({ channel }) => channel !== undefined && mayView(asker, channel))
      .slice(0, 10);
  }

  /**
   * Returns the open convoys that the person may view and change, in the order of their times: the one with that id, those with
   * that title, or else those whose title begins like this. The person's own always may be changed.
   */
  async function changeable(asker: ConvoyAsker, called: string, now: number): Promise<readonly Convoy[]> {
    const open = (await stored.in(asker.guild)).filter((one) => isOpen(one, now));
    const isOwn = ({ madeBy }: Convoy): boolean => madeBy === asker.id;
    const rights = open.every(isOwn) ? '' : await rightsOf(asker);
    const mayAll = typeof rights !== 'string' && rights.may('ManageEvents');
    const all = open
      .filter((one) => isOwn(one) || (mayAll && mayView(asker, one.channel)))
      .toSorted((a, b) => a.at - b.at);
    const query = toComparableText(called);
    const exact = all.filter(({ id, title }) => id === called || toComparableText(title) === query);
    return exact.length > 0 ? exact : all.filter(({ title }) => toComparableText(title).startsWith(query));
  }

  return {
    /**
     * Convoys of the guild that are to come or run, in the order of their times, and the last ten with how many came: those in
     * channels that the asker may view.
     */
    async list(asker: ConvoyAsker, now: number) {
      const { guild } = asker;
      const coming = (await stored.in(guild)).filter(
        (one) => isOpen(one, now) && mayView(asker, one.channel),
      );
      const counted = coming.map(async (convoy) => {
        const { inside, maybe } = assignPlaces(convoy, await stored.signUpsOf(guild, convoy.id));
        const isRunning = phaseOf(convoy, now) === 'running';
        return { convoy, isRunning, inside: inside.length, maybe: maybe.length };
      });
      const past = await lastConvoys(asker);
      return { coming: (await Promise.all(counted)).toSorted((a, b) => a.convoy.at - b.convoy.at), past };
    },
    changeable,
    draftOf,
    /** Returns another id for each draft. */
    newDraftId: (now: number): string => newConvoyId(now, random()),
    /** The reason, as far as it is known before anything is typed, why such a draft could not be announced. Null: none. */
    async refusalOf(asker: ConvoyAsker, draft: Pick<Draft, 'id' | 'channel' | 'role'>) {
      const refusal = await rightsRefusal(asker, draft);
      if (refusal !== null) return refusal;
      const all = await stored.in(asker.guild);
      return all.some(({ id }) => id === draft.id) ? null : quotaRefusal(asker.id, all);
    },
    /**
     * Keeps what was typed, for the person to announce it or to change it, even if it is refused now. `about`: the draft or the
     * convoy that it changes; null for a new one. What is not typed is as it was, or usual. `problem`: no time at which a
     * convoy can begin.
     */
    async plan(
      asker: ConvoyAsker,
      typed: Partial<
        Pick<Draft, 'title' | 'description' | 'when' | 'server' | 'hours' | 'places' | 'weekly' | 'role'>
      >,
      {
        about,
        channel,
        locale,
        zone,
        now,
      }: { readonly about: string | null; readonly channel: string } & Reader,
    ) {
      const id = about ?? newConvoyId(now, random());
      const earlierDraft = await draftOf(asker, now);
      const earlier = earlierDraft?.id === id ? earlierDraft : null;
      const existing = await find(asker, id);
      const plan = { ...planOf(earlier ?? existing ?? newPlan), ...typed };
      const title = plan.title === '' ? '' : cleanTitle(plan.title);
      const texts = { title, description: cleanDescription(plan.description ?? '') };
      // Once announced, the role was pinged or is not.
      const role = existing === undefined ? plan.role : existing.role;
      const earlierWhen = earlier?.when ?? (existing === undefined ? '' : typedMoment(existing.at, zone));
      const when = typed.when ?? earlierWhen;
      // "in 2 h" still means the same moment if the person only changes the title.
      const isUnchanged = earlier?.when === when && earlier.zone === zone;
      const madeAt = isUnchanged ? earlier.madeAt : now;
      const reading = readWhen(when, { locale, zone, now: madeAt });
      const place = { id, guild: asker.guild, channel };
      const draft = { ...plan, ...texts, ...place, ...timeOf(reading), when, role, madeAt, zone };
      await stored.putDraft(asker.id, draft);
      const refusal = await rightsRefusal(asker, draft);
      if (refusal !== null) return { refusal };
      return { ...(await preview(asker, draft)), ...problemOf(reading, now) };
    },
    /**
     * The draft as it reads in the person's time zone now, or at the meaning of its time that they chose, in unix milliseconds.
     * Null: the person has no such draft any more.
     */
    async readAgain(asker: ConvoyAsker, id: string, reader: Reader, chosenAt: number | null) {
      const draft = await draftOf(asker, reader.now);
      if (draft?.id !== id) return null;
      const when = chosenAt === null ? draft.when : typedMoment(chosenAt, reader.zone);
      return replan(asker, { ...draft, when }, reader);
    },
    /** The draft in another channel, or with or without an event that the whole server sees. Null: the person has no such draft. */
    async adjust(
      asker: ConvoyAsker,
      id: string,
      change: { readonly channel: string } | { readonly eventForAll: boolean },
      now: number,
    ) {
      const draft = await draftOf(asker, now);
      if (draft?.id !== id) return null;
      const newDraft = { ...draft, ...change };
      const refusal = await rightsRefusal(asker, newDraft);
      if (refusal !== null) return { refusal };
      await stored.putDraft(asker.id, newDraft);
      return { ...(await preview(asker, newDraft)), problem: null, meanings: [] };
    },
    /**
     * A convoy that the person may change, with the people who have not signed up, of those who want a reminder or were at one of
     * the last convoys. For a person who may not change it, its maker alone. Null: it is over, cancelled or gone.
     */
    async manage(
      asker: ConvoyAsker,
      id: string,
      now: number,
    ): Promise<
      { readonly convoy: Convoy; readonly silent: readonly string[] } | { readonly madeBy: string } | null
    > {
      const convoy = await find(asker, id);
      if (convoy === undefined || !isOpen(convoy, now)) return null;
      if ((await changeable(asker, id, now)).length === 0) return { madeBy: convoy.madeBy };
      const [signUps, past, drivers] = await Promise.all([
        stored.signUpsOf(asker.guild, id),
        lastConvoys(asker),
        driversIn(asker.guild),
      ]);
      const answered = new Set(signUps.flatMap(({ person, answer }) => (answer === null ? [] : person)));
      const there = past.flatMap(({ result }) => result?.there ?? []);
      const people = new Set([...signUps, ...there].map(({ person }) => person));
      const silent = [...people].filter(
        (person) => !answered.has(person) && drivers.get(person)?.isHidden !== true,
      );
      return { convoy, silent };
    },
    /** `look`: of a new one. Null: the person has no such draft any more. */
    async announce(
      asker: ConvoyAsker,
      id: string,
      { locale, colours, zone }: Pick<Convoy, 'locale' | 'colours' | 'zone'>,
      now: number,
    ) {
      const draft = await draftOf(asker, now);
      if (draft?.id !== id || draft.title === '' || draft.server === '') return null;
      // The person has seen another time than the one that they mean.
      if (draft.zone !== zone && (draft.isZoned !== false || draft.weekly))
        return { replanned: await replan(asker, draft, { locale, zone, now }) };
      const refusal = await rightsRefusal(asker, draft);
      if (refusal !== null) return { refusal };
      const outcome = await stored.announce(asker.id, draft, { locale, colours }, now);
      if (outcome === null) return null;
      if (typeof outcome === 'string') return { refusal: outcome };
      const isPosted = await boards.syncMessage(convoyKey(asker.guild, outcome.convoy));
      changed();
      if (outcome.isNew && outcome.convoy.role !== null) await ping(asker.guild, outcome.convoy);
      return { ...outcome, isPosted };
    },
    dropDraft: ({ id: person }: ConvoyAsker, id: string) => stored.dropDraft(person, id),
    /** Null: there is no such convoy. */
    async press(asker: ConvoyAsker, id: string, press: Press, now: number) {
      const key = convoyKey(asker.guild, { id });
      const pressed = await inTurn(key, () => stored.press(asker.guild, id, asker.id, press, now));
      if (pressed === null || typeof pressed === 'string') return pressed;
      cards.took(key, pressed);
      boards.changed(key);
      return { ...pressed, ...standing(pressed, asker.id, now) };
    },
    async cancel(asker: ConvoyAsker, id: string, now: number) {
      const existing = await find(asker, id);
      if (existing === undefined) return null;
      if (existing.madeBy !== asker.id) {
        if (!mayView(asker, existing.channel)) return null;
        const rights = await rightsOf(asker);
        if (typeof rights === 'string') return 'lost';
        if (!rights.may('ManageEvents')) return 'not-allowed';
      }
      const result = await stored.cancel(asker.guild, id, asker.id, now);
      await boards.syncMessage(convoyKey(asker.guild, existing));
      changed();
      return result;
    },
    /** How many convoys the person was at. */
    count: stored.countOf,
  };
}

/** A person's own state: their place among those who wait, from 1. */
function standing(
  { convoy, signUps }: { readonly convoy: Convoy; readonly signUps: Parameters<typeof assignPlaces>[1] },
  person: string,
  now: number,
) {
  const { inside, waiting } = assignPlaces(convoy, signUps);
  const ownSignUp = signUps.find((one) => one.person === person);
  const waitingNumber = waiting.indexOf(person) + 1;
  const state = inside.includes(person)
    ? 'in'
    : waitingNumber > 0
      ? 'waiting'
      : ownSignUp?.answer === 'maybe'
        ? 'maybe'
        : 'out';
  const remind = ownSignUp?.remind === true && now < convoy.at;
  return { state, behind: waitingNumber, remind, count: inside.length } as const;
}

/** Coming or under way. */
function isOpen(convoy: Convoy, now: number): boolean {
  return ['coming', 'running'].includes(phaseOf(convoy, now));
}

/** The usual values of a new one, which is typed with a title and a server. */
const newPlan = { title: '', server: '', hours: DEFAULT_HOURS, places: null, weekly: false, role: null };

type Plan = Pick<
  Draft,
  'title' | 'description' | 'server' | 'hours' | 'places' | 'weekly' | 'role' | 'eventForAll'
>;

/** The decisions of people about a convoy, beside its time and its channel. */
function planOf(planned: Plan): Plan {
  const { title, description, server, hours, places, weekly, role, eventForAll = false } = planned;
  return { title, description, server, hours, places, weekly, role, eventForAll };
}

function timeOf(reading: ReturnType<typeof readWhen>): Pick<Draft, 'at' | 'isZoned'> {
  return 'at' in reading ? { at: reading.at, isZoned: reading.isZoned } : { at: null, isZoned: true };
}

/** Null: a convoy can begin then. */
function problemOf(reading: ReturnType<typeof readWhen>, now: number) {
  if ('problem' in reading) return { meanings: [], ...reading };
  return { problem: reading.at <= now ? 'past' : null, meanings: [] } as const;
}

function isSameMinute(one: number, other: number | null): boolean {
  return other !== null && Math.floor(one / MINUTE) === Math.floor(other / MINUTE);
}

function cleanTitle(title: string): string {
  return cleanLine(title.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTHS.title)) ?? '–';
}

/** Returns the visible lines, with at most one empty line between two of them. Undefined: none. */
function cleanDescription(text: string): string | undefined {
  const lines = text.slice(0, MAX_LENGTHS.description).split(/\r\n|[\n\r\v\f\u2028\u2029]/);
  const visible = lines.map((line) => cleanLine(line) ?? '').join('\n');
  const paragraphs = visible.replace(/\n{3,}/g, '\n\n').trim();
  return paragraphs.split('\n').slice(0, MAX_DESCRIPTION_LINES).join('\n').trim() || undefined;
}

/** Cleaned as names of drivers are: without controls and invisible letters, which would turn or empty its line. */
function cleanLine(text: string): string | null {
  return visibleName(text.trim().replaceAll('^', '^^'))?.replace(/\s+/g, ' ').trim() ?? null;
}
