/** People's requests about convoys. */

import { createMutex } from '../../base/mutex.ts';
import { toComparableText } from '../../command-kit/option.ts';
import type { Access } from '../../service/models/board.ts';
import { visibleName } from '../../text/plain.ts';
import { type Convoy, type Draft, LONGEST } from './convoy.ts';
import type { Audience } from './convoy-events.ts';
import type { createConvoyMessages } from './convoy-messages.ts';
import { type ConvoyRepository, convoyKey } from './convoy-repository.ts';
import type { DraftEvent } from './convoy-texts.ts';
import { assignPlaces, newConvoyId, type Press, phaseOf } from './decide.ts';
import { readWhen } from './when.ts';

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
    follow(id: string): Promise<boolean>;
  };
  readonly access: (guild: string, channel: string) => Access;
  /** A text: why they are not known. */
  readonly rightsOf: (asker: ConvoyAsker) => Promise<PersonRights | string>;
  /** The asker may view that channel of the guild; false where that is not known. */
  readonly mayView: (asker: ConvoyAsker, channel: string) => boolean;
  readonly audienceOf: (guild: string, channel: string) => Audience;
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
  const { ping, changed, random } = parts;
  // Thirty people press at once; of as many transactions, each would begin again for each other.
  const inTurn = createMutex();

  async function find({ guild }: ConvoyAsker, id: string): Promise<Convoy | undefined> {
    return (await stored.in(guild)).find((one) => one.id === id);
  }

  /** Null for a person who may make what the draft says, or change what it is about. */
  async function refusalOf(
    asker: ConvoyAsker,
    { id, channel, role }: Pick<Draft, 'id' | 'channel' | 'role'>,
  ): Promise<
    Exclude<Access, { readonly kind: 'open' }> | 'not-allowed' | 'no-send' | 'no-ping' | 'lost' | null
  > {
    const there = await find(asker, id);
    const rights = await rightsOf(asker);
    if (typeof rights === 'string') return 'lost';
    const isOwn = there === undefined || there.madeBy === asker.id;
    const may = isOwn ? rights.isPlanner || rights.may('CreateEvents') : rights.may('ManageEvents');
    if (!may) return 'not-allowed';
    const open = access(asker.guild, there?.channel ?? channel);
    if (there === undefined && open.kind !== 'open') return open;
    const isHeard = rights.mayIn(there?.channel ?? channel, 'SendMessages');
    if (isHeard !== true) return isHeard === null ? 'lost' : 'no-send';
    if (role === null || there !== undefined) return null;
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

  return {
    /**
     * Convoys of the guild that are to come or run, in the order of their times, and the last ten with how many came: those in
     * channels that the asker may view.
     */
    async list(asker: ConvoyAsker, now: number) {
      const { guild } = asker;
      const coming = (await stored.in(guild)).filter(
        (one) => ['coming', 'running'].includes(phaseOf(one, now)) && mayView(asker, one.channel),
      );
      const counted = coming.map(async (convoy) => {
        const { inside, maybe } = assignPlaces(convoy, await stored.signUpsOf(guild, convoy.id));
        return { convoy, inside: inside.length, maybe: maybe.length };
      });
      const past = (await stored.past(guild))
        .filter(({ channel }) => channel !== undefined && mayView(asker, channel))
        .slice(0, 10);
      return { coming: (await Promise.all(counted)).toSorted((a, b) => a.convoy.at - b.convoy.at), past };
    },
    /**
     * Returns the open convoys that the person may view and change and that match `called`, with their numbers among all of
     * them in the order of their times. A convoy matches by its id, its whole title, its number, both as they are listed, or the
     * start of its title; the person's own always may be changed.
     */
    async changeable(asker: ConvoyAsker, called: string, now: number) {
      const open = (await stored.in(asker.guild)).filter((one) =>
        ['coming', 'running'].includes(phaseOf(one, now)),
      );
      const isOwn = ({ madeBy }: Convoy): boolean => madeBy === asker.id;
      const rights = open.every(isOwn) ? '' : await rightsOf(asker);
      const mayAll = typeof rights !== 'string' && rights.may('ManageEvents');
      const all = open
        .filter((one) => isOwn(one) || (mayAll && mayView(asker, one.channel)))
        .toSorted((a, b) => a.at - b.at)
        .map((convoy, index) => ({ convoy, number: index + 1 }));
      const wanted = toComparableText(called);
      const ways: readonly ((one: (typeof all)[number]) => boolean)[] = [
        ({ convoy: { id, title } }) => id === called || toComparableText(title) === wanted,
        ({ number }) => String(number) === wanted,
        // A copied line of the choices, with the time behind the title or without it.
        ({ number, convoy: { title } }) =>
          wanted === toComparableText(`${number} ${title}`) ||
          wanted.startsWith(toComparableText(`${number} ${title} ·`)),
        ({ convoy: { title } }) => toComparableText(title).startsWith(wanted),
      ];
      return ways.map((way) => all.filter(way)).find((found) => found.length > 0) ?? [];
    },
    draftOf,
    /**
     * Keeps what was typed, for the person to announce it or to change it. `about`: the draft or the convoy that it changes;
     * null for a new one. The other fields are as they were, or usual. `problem`: no time that a convoy can begin.
     */
    async plan(
      asker: ConvoyAsker,
      typed: Pick<Draft, 'title' | 'when' | 'server' | 'hours' | 'places' | 'weekly' | 'role'>,
      {
        about,
        channel,
        locale,
        zone,
        now,
      }: { readonly about: string | null; readonly channel: string } & Parameters<typeof readWhen>[1],
    ) {
      const id = about ?? newConvoyId(now, random());
      const title = cleanTitle(typed.title);
      const refusal = await refusalOf(asker, { id, channel, role: typed.role });
      if (refusal !== null) return { refusal };
      const read = readWhen(typed.when, { locale, zone, now });
      const at = 'at' in read ? read.at : null;
      const earlier = await draftOf(asker, now);
      const before = earlier?.id === id ? earlier : await find(asker, id);
      const eventForAll = before?.eventForAll ?? false;
      const draft = { ...typed, title, id, guild: asker.guild, channel, madeAt: now, at, zone, eventForAll };
      await stored.putDraft(asker.id, draft);
      return { ...(await preview(asker, draft)), problem: 'problem' in read ? read.problem : null };
    },
    /** The draft with or without an event that the whole server sees. Null: the person has no such draft any more. */
    async chooseEvent(asker: ConvoyAsker, id: string, eventForAll: boolean, now: number) {
      const draft = await draftOf(asker, now);
      if (draft?.id !== id) return null;
      const chosen = { ...draft, eventForAll };
      await stored.putDraft(asker.id, chosen);
      return { ...(await preview(asker, chosen)), problem: null };
    },
    /** `look`: of a new one. Null: the person has no such draft any more. */
    async announce(asker: ConvoyAsker, id: string, look: Pick<Convoy, 'locale' | 'colours'>, now: number) {
      const draft = await draftOf(asker, now);
      if (draft?.id !== id) return null;
      const refusal = await refusalOf(asker, draft);
      if (refusal !== null) return { refusal };
      const done = await stored.announce(asker.id, draft, look, now);
      if (done === null) return null;
      if (typeof done === 'string') return { refusal: done };
      const posted = await boards.follow(convoyKey(asker.guild, done.convoy));
      changed();
      if (done.isNew && done.convoy.role !== null) await ping(asker.guild, done.convoy);
      return { ...done, posted };
    },
    dropDraft: ({ id: person }: ConvoyAsker, id: string) => stored.dropDraft(person, id),
    /** Null: there is no such convoy. */
    async press(asker: ConvoyAsker, id: string, press: Press, now: number) {
      const key = convoyKey(asker.guild, { id });
      const done = await inTurn(key, () => stored.press(asker.guild, id, asker.id, press, now));
      if (done === null || typeof done === 'string') return done;
      cards.took(key, done);
      boards.changed(key);
      return { ...done, ...standing(done, asker.id, now) };
    },
    async cancel(asker: ConvoyAsker, id: string, now: number) {
      const there = await find(asker, id);
      if (there === undefined) return null;
      if (there.madeBy !== asker.id) {
        if (!mayView(asker, there.channel)) return null;
        const rights = await rightsOf(asker);
        if (typeof rights === 'string') return 'lost';
        if (!rights.may('ManageEvents')) return 'not-allowed';
      }
      const done = await stored.cancel(asker.guild, id, now);
      await boards.follow(convoyKey(asker.guild, there));
      changed();
      return done;
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
  const own = signUps.find((one) => one.person === person);
  const behind = waiting.indexOf(person) + 1;
  const state = inside.includes(person)
    ? 'in'
    : behind > 0
      ? 'waiting'
      : own?.answer === 'maybe'
        ? 'maybe'
        : 'out';
  const remind = own?.remind === true && now < convoy.at;
  return { state, behind, remind, count: inside.length } as const;
}

/** As names of drivers are: without controls and invisible letters, which would turn or empty the line it stands in. */
function cleanTitle(title: string): string {
  const oneLine = title.replace(/\s+/g, ' ').trim().slice(0, LONGEST.title);
  return visibleName(oneLine.replaceAll('^', '^^'))?.replace(/\s+/g, ' ').trim() ?? '–';
}
