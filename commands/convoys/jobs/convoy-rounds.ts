/** A convoy's own work: it reminds, also that it is cancelled, tells its result once, and is there again a week later. */

import { createBoundedMap } from '../../../src/base/bounded.ts';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import { forEachInSlices, forEachYielding } from '../../../src/base/for-each-yielding.ts';
import { createMutex } from '../../../src/base/mutex.ts';
import type { Runs } from '../../../src/base/runs.ts';
import { sumBy } from '../../../src/base/sum-by.ts';
import { hourOf, wallTime, weekdayOf } from '../../../src/base/zone.ts';
import type { GuildDriver } from '../../../src/community/accounts/guild-drivers.ts';
import {
  type Counts,
  type History,
  overlapOf,
  type Session,
  type Stretch,
} from '../../../src/community/history/history.ts';
import { liveServer } from '../../../src/service/models/live-status.ts';
import type { Convoy } from '../models/convoy.ts';
import { type ConvoyRepository, convoyKey } from '../models/convoy-repository.ts';
import { isForgotten, isPingDue, isReminderDue, isResultDue, newConvoyId } from '../models/decide.ts';

/** Reminders that need not be asked of the store again. */
const MAX_REMEMBERED = 10_000;
/** Time on the server from which a person took part, in ms. */
const MIN_ATTENDANCE_MS = 10 * MINUTE;
/** Holes that a result names; more would be a list. */
const MAX_HOLES = 20;

export function createConvoyRounds(parts: {
  readonly stored: ConvoyRepository;
  readonly boards: { syncMessage(id: string): Promise<boolean> };
  /** The bot is in the guild. True in at most one of several processes with one store. */
  readonly holds: (guild: string) => boolean;
  readonly history: Pick<History, 'counts' | 'week' | 'sessions' | 'namesDrivers'>;
  readonly driversIn: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  /**
   * Tells the person that it begins, or that it is cancelled: at most once for each person, convoy and time of it. Resolves
   * with whether that is over; false: it is to be tried again. Rejects where the store fails.
   */
  readonly remind: (person: string, guild: string, convoy: Convoy) => Promise<boolean>;
  /** Pings the role of a new convoy in the same way. */
  readonly ping: (guild: string, convoy: Convoy) => Promise<boolean>;
  /** Keeps Discord's own event of it. Rejects where the store fails. */
  readonly keepEvent: (guild: string, convoy: Convoy) => Promise<void>;
  /** Removes Discord's events whose convoys are no longer stored. Rejects where the store fails. */
  readonly removeLeftEvents: () => Promise<void>;
  /** The wall clock is not hours away from Discord's, as far as that is known. */
  readonly isClockRight: () => Promise<boolean>;
  /** The channel was deleted; false where that is not known. */
  readonly isGone: (guild: string, channel: string) => boolean;
  /** Unix milliseconds by Discord's clock. */
  readonly now: () => number;
  /** How far the clock of this machine, which dates history, is ahead of Discord's, in ms. */
  readonly clockSkew: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Work for one guild never waits for that of another. */
  readonly runs: Runs;
}): {
  /** Begins what is due, which goes on by itself. Rejects where the store fails; the next one goes on. */
  round(): Promise<void>;
} {
  const { stored, boards, holds, history, driversIn, remind, ping } = parts;
  const { keepEvent, removeLeftEvents, isClockRight, isGone, now, clockSkew, random, runs } = parts;
  const reminded = createBoundedMap<string, true>(MAX_REMEMBERED);
  // History is asked by one guild after the other: it is the store that answers, and no server can be slow.
  const inTurn = createMutex();

  /** Attendance as history recorded it, by the clock of this machine. */
  async function resultOf(guild: string, convoy: Convoy): Promise<NonNullable<Convoy['result']>> {
    const { id, server, at, hours, zone } = convoy;
    const skew = clockSkew();
    const span = { from: at + skew, to: at + hours * HOUR + skew };
    const place = liveServer(server);
    if (place === null)
      return { there: [], hidden: 0, peak: null, known: false, holes: [shift(span, -skew)], usual: null };
    const [drivers, signUps] = [await driversIn(guild), await stored.signUpsOf(guild, id)];
    const signedUp = signUps.flatMap(({ person, answer }) => {
      const driver = answer === null ? undefined : drivers.get(person);
      return driver === undefined ? [] : [{ person, ...driver }];
    });
    const visible = signedUp.filter(({ isHidden }) => !isHidden);
    const attendees: { person: string }[] = [];
    for (const { person, username } of visible)
      if (timeOn(place, span, await history.sessions(username, span)) >= MIN_ATTENDANCE_MS)
        attendees.push({ person });
    const counts = await history.counts(place, span);
    const week = await history.week(place, zone);
    const wall = wallTime(zone, at);
    return {
      there: attendees,
      hidden: signedUp.length - visible.length,
      peak: counts.points.length === 0 ? null : Math.max(...counts.points.map(({ most }) => most)),
      known: (await history.namesDrivers()) === true && counts.points.length > 0,
      holes: holesIn(counts, span)
        .slice(0, MAX_HOLES)
        .map((hole) => shift(hole, -skew)),
      usual: week.days[weekdayOf(wall)]?.[hourOf(wall)]?.drivers ?? null,
    };
  }

  /** Sends what is due, one message after the other, until it does not matter any more. */
  async function remindIn(guild: string, convoys: readonly Convoy[]): Promise<void> {
    await forEachYielding(convoys, async (convoy) => {
      const isCancelled = convoy.stage === 'cancelled';
      const isDue = (): boolean =>
        holds(guild) && !runs.isStopped() && (isCancelled ? now() < convoy.at : isReminderDue(convoy, now()));
      if (!isDue()) return;
      for (const { person, remind: isWanted } of await stored.signUpsOf(guild, convoy.id)) {
        const key = `${convoyKey(guild, convoy)} ${isCancelled ? 'cancelled' : convoy.at} ${person}`;
        if (!isWanted || reminded.get(key) || !isDue()) continue;
        if (await remind(person, guild, convoy)) reminded.set(key, true);
      }
    });
  }

  async function pingIn(guild: string, convoys: readonly Convoy[]): Promise<void> {
    for (const convoy of convoys) {
      const key = `${convoyKey(guild, convoy)} ping`;
      if (!isPingDue(convoy, now()) || reminded.get(key)) continue;
      if (await ping(guild, convoy)) reminded.set(key, true);
    }
  }

  async function workOn(guild: string, convoy: Convoy): Promise<void> {
    if (isResultDue(convoy, now())) {
      const result = await inTurn('result', () => resultOf(guild, convoy));
      // Nobody could see the card of the next week.
      const nextId = isGone(guild, convoy.channel) ? null : newConvoyId(now(), random());
      await stored.finish(guild, convoy.id, result, now(), nextId);
      await boards.syncMessage(convoyKey(guild, convoy));
    }
    await keepEvent(guild, convoy);
    if (isForgotten(convoy, now())) await stored.drop(guild, convoy.id);
  }

  return {
    async round() {
      // A wrong clock would end and delete convoys for good.
      if (!(await isClockRight())) return;
      await stored.tidy(now());
      const ours = [...(await stored.all())].filter(([guild]) => holds(guild));
      await forEachInSlices(ours, async ([guild, convoys]) => {
        runs.start(`reminders ${guild}`, () => remindIn(guild, convoys));
        runs.start(`pings ${guild}`, () => pingIn(guild, convoys));
        // Results and events do not wait for reminders.
        runs.start(`work ${guild}`, () =>
          forEachYielding(convoys, async (convoy) => {
            if (holds(guild)) await workOn(guild, convoy);
          }),
        );
      });
      runs.start('left events', removeLeftEvents);
    },
  };
}

function shift({ from, to }: Stretch, ms: number): Stretch {
  return { from: from + ms, to: to + ms };
}

/** How long the driver was there within the span, in ms. */
function timeOn(server: string, span: Stretch, sessions: readonly Session[]): number {
  return sumBy(
    sessions.filter((one) => one.server === server),
    (one) => overlapOf(one, span),
  );
}

/** When nothing was known, the beginning and the end among it. */
function holesIn({ holes, since, until }: Counts, { from, to }: Stretch): readonly Stretch[] {
  if (since === null || until === null) return [{ from, to }];
  const all = [{ from, to: since }, ...holes, { from: until, to }];
  return all.filter((one) => one.to - one.from >= MINUTE);
}
