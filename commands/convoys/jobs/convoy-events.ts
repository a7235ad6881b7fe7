/** Discord's own events of convoys, so that Discord reminds, too: made, changed and removed as the convoys are. */
import { createBoundedMap } from '../../../src/base/bounded.ts';
import { doublePause, HOUR, MINUTE } from '../../../src/base/duration.ts';
import type { EventPlan, ScheduledEvents } from '../../../src/discord/send/scheduled-events.ts';
import type { Convoy } from '../models/convoy.ts';
import { type ConvoyRepository, convoyKey } from '../models/convoy-repository.ts';
import { phaseOf } from '../models/decide.ts';

/** The members who may view a channel; null where that is not known. */
export type Audience = 'everyone' | 'some' | 'nobody' | null;

/** Interval between two looks whether an event is still there, in ms. */
const CHECK_INTERVAL_MS = HOUR;
/** Pauses after each kind of failure, in ms. A text is not tried again: each attempt may alarm moderators. */
const PAUSE_MS = { lost: MINUTE, content: Number.POSITIVE_INFINITY };
/** Pauses after refusals in a row, in ms. */
const REFUSED_PAUSE_MS = { first: MINUTE, longest: HOUR };
/** Events and convoys about which something is remembered. */
const MAX_REMEMBERED = 10_000;

export function createConvoyEvents(parts: {
  readonly stored: Pick<ConvoyRepository, 'cardOf' | 'tookEvent' | 'leftEvents' | 'settleLeftEvent'>;
  readonly events: ScheduledEvents;
  /** The bot is in that guild and may make events there. */
  readonly may: (guild: string) => boolean;
  readonly audienceOf: (guild: string, channel: string) => Audience;
  /** Tells its maker, once, that the event was deleted by hand. Rejects where the store fails. */
  readonly tellGone: (guild: string, convoy: Convoy) => Promise<void>;
  /** Tells its maker, once for each text, that Discord does not accept it. Rejects where the store fails. */
  readonly tellRefused: (guild: string, convoy: Convoy) => Promise<void>;
  readonly now: () => number;
}) {
  const { stored, events, may, audienceOf, tellGone, tellRefused, now } = parts;
  const lookedAt = createBoundedMap<string, number>(MAX_REMEMBERED);
  const failures = createBoundedMap<
    string,
    { readonly about: string; readonly at: number; readonly pauseMs: number; readonly refusals: number }
  >(MAX_REMEMBERED);

  /** Exactly this has failed a while ago. */
  function isPaused(key: string, about: string): boolean {
    const last = failures.get(key);
    return last?.about === about && Math.abs(now() - last.at) < last.pauseMs;
  }

  function pause(key: string, about: string, answer: 'lost' | 'refused' | 'content'): void {
    const last = failures.get(key);
    const refusals = last?.about === about ? last.refusals : 0;
    const pauseMs = answer === 'refused' ? doublePause(REFUSED_PAUSE_MS, refusals) : PAUSE_MS[answer];
    failures.set(key, { about, at: now(), pauseMs, refusals: answer === 'refused' ? refusals + 1 : 0 });
  }

  /** True: there is no such event any more. */
  async function isRemoved(guild: string, id: string): Promise<boolean> {
    const removal = `remove ${id}`;
    if (isPaused(removal, removal)) return false;
    const answer = await events.remove(guild, id);
    // The event stands there until it is removed, so each refusal is tried again.
    if (typeof answer === 'object' || answer === 'gone') return true;
    pause(removal, removal, answer === 'lost' ? 'lost' : 'refused');
    return false;
  }

  async function planFor(guild: string, convoy: Convoy): Promise<EventPlan | null> {
    const cardId = (await stored.cardOf(convoyKey(guild, convoy)))?.posted ?? null;
    return cardId === null ? null : planOf(guild, convoy, cardId);
  }

  /** A process may have been killed, or Discord's answer lost, after the event was made. */
  async function findOfCancelled(guild: string, convoy: Convoy): Promise<void> {
    const plan = may(guild) ? await planFor(guild, convoy) : null;
    if (plan === null) return;
    const eventTexts = aboutOf(plan);
    const key = `find ${convoyKey(guild, convoy)}`;
    if (isPaused(key, eventTexts)) return;
    const answer = await events.find(guild, plan);
    if (typeof answer === 'string' && answer !== 'gone') return pause(key, eventTexts, answer);
    const event = { id: answer === 'gone' ? null : answer.id, about: eventTexts };
    await stored.tookEvent(guild, convoy.id, event);
    if (event.id !== null && (await isRemoved(guild, event.id)))
      await stored.tookEvent(guild, convoy.id, { id: null, about: eventTexts });
  }

  async function sync(guild: string, convoy: Convoy): Promise<void> {
    const { id, event } = convoy;
    const plan = await planFor(guild, convoy);
    if (plan === null) return;
    const eventTexts = aboutOf(plan);
    const key = convoyKey(guild, convoy);
    const began = now();
    const isOutdated = event?.about !== eventTexts;
    if (isPaused(key, eventTexts)) return;
    if (
      event?.id != null &&
      !isOutdated &&
      Math.abs(began - (lookedAt.get(event.id) ?? 0)) < CHECK_INTERVAL_MS
    )
      return;
    const answer =
      event?.id == null
        ? await events.make(guild, plan)
        : await events[isOutdated ? 'change' : 'look'](guild, event.id, plan);
    if (typeof answer === 'string' && answer !== 'gone') {
      if (answer === 'content') await tellRefused(guild, convoy);
      return pause(key, eventTexts, answer);
    }
    if (answer === 'gone') {
      if (event === null) return pause(key, eventTexts, 'refused');
      await tellGone(guild, convoy);
      await stored.tookEvent(guild, id, { id: null, about: eventTexts });
      return;
    }
    failures.delete(key);
    lookedAt.set(answer.id, began);
    if (answer.id !== event?.id || isOutdated)
      await stored.tookEvent(guild, id, { id: answer.id, about: eventTexts });
  }

  return {
    /** Rejects where the store fails. */
    async keep(guild: string, convoy: Convoy): Promise<void> {
      const { id, event, channel, eventForAll = false } = convoy;
      // For good: it was deleted by hand.
      if (event?.id === null) return;
      const phase = phaseOf(convoy, now());
      const audience = audienceOf(guild, channel);
      const isTold = audience === 'everyone' || (audience === 'some' && eventForAll);
      if (phase === 'cancelled') {
        if (event === null) await findOfCancelled(guild, convoy);
        else if (await isRemoved(guild, event.id)) await stored.tookEvent(guild, id, { ...event, id: null });
      } else if (phase === 'coming' || phase === 'running') {
        // The channel was closed or deleted since. Once it is open again, there is a new event.
        if (audience !== null && !isTold && event !== null && (await isRemoved(guild, event.id)))
          await stored.tookEvent(guild, id, null);
        if (phase === 'coming' && isTold && may(guild)) await sync(guild, convoy);
      }
    },
    /** Removes events whose convoys are no longer stored, in these guilds. Rejects where the store fails. */
    async removeLeft(isOurs: (guild: string) => boolean): Promise<void> {
      const ours = [...(await stored.leftEvents())].filter(([guild]) => isOurs(guild));
      const work = ours.map(async ([guild, all]) => {
        for (const { id, until } of all)
          if (now() >= until || (may(guild) && (await isRemoved(guild, id))))
            await stored.settleLeftEvent(guild, id);
      });
      const failure = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
    },
  };
}

function planOf(guild: string, { title, at, hours, weekly, channel }: Convoy, messageId: string): EventPlan {
  const location = `https://discord.com/channels/${guild}/${channel}/${messageId}`;
  return { name: title, from: at, to: at + hours * HOUR, location, weekly };
}

/** Returns the texts of an event as one string, to tell whether the event has to be changed. */
function aboutOf({ name, from, to, location, weekly }: EventPlan): string {
  return [from, to, weekly, location, name].join(' ');
}
