/** A convoy's own work: it reminds, also that it is cancelled, tells its result once, and is there again a week later. */
import { bounded } from '../base/bounded.ts';
import { HOUR, MINUTE } from '../base/duration.ts';
import { each } from '../base/in-slices.ts';
import { hourOf, wallTime, weekdayOf } from '../base/zone.ts';
import type { GuildDriver } from '../people/guild-drivers.ts';
import type { Convoy } from '../service/models/convoy.ts';
import type { Counts, History, Session, Stretch } from '../service/models/history.ts';
import { liveServer } from '../service/models/live-status.ts';
import { isForgotten, isReminderDue, isResultDue, newConvoyId } from './decide.ts';
import { convoyKey, type StoredConvoys } from './stored-convoys.ts';

/** Reminders that need not be asked of the store again. */
const REMEMBERED = 10_000;
/** Reminders of one guild in a round: Discord opens a conversation for each. */
const TURN = 25;
/** Whoever was on the server for less only looked in, in ms. */
const THERE = 10 * MINUTE;
/** Holes that a result names; more would be a list. */
const HOLES = 20;

export function createConvoyRounds(parts: {
  readonly stored: StoredConvoys;
  readonly boards: { follow(id: string): Promise<boolean> };
  /** Of several processes with one store, at most one. */
  readonly holds: (guild: string) => boolean;
  /** What was made before then (unix milliseconds) is not of this stay of the bot. */
  readonly stayedSince: (guild: string) => number;
  readonly history: Pick<History, 'counts' | 'week' | 'sessions' | 'namesDrivers'>;
  readonly driversIn: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  /**
   * That it begins, or that it is cancelled: at most once for each person, convoy and time of it, whatever becomes of it. Rejects
   * where the store fails.
   */
  readonly remind: (person: string, convoy: Convoy) => Promise<void>;
  /** Keeps Discord's own event of it. Rejects where the store fails. */
  readonly keepEvent: (guild: string, convoy: Convoy) => Promise<void>;
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}): { /** Rejects where the store fails; the next one goes on. */ round(): Promise<void> } {
  const { stored, boards, holds, stayedSince, history, driversIn, remind, keepEvent, now, random } = parts;
  const reminded = bounded<string, true>(REMEMBERED);

  /** By what history recorded. */
  async function resultOf(guild: string, convoy: Convoy): Promise<NonNullable<Convoy['result']>> {
    const { id, server, at, hours, zone } = convoy;
    const span = { from: at, to: at + hours * HOUR };
    const place = liveServer(server);
    if (place === null) return { there: [], hidden: 0, peak: null, known: false, holes: [span], usual: null };
    const [drivers, signUps] = [await driversIn(guild), await stored.signUpsOf(guild, id)];
    const signedUp = signUps.flatMap(({ person, answer }) => {
      const driver = answer === null ? undefined : drivers.get(person);
      return driver === undefined ? [] : [{ person, ...driver }];
    });
    const visible = signedUp.filter(({ isHidden }) => !isHidden);
    const there: { person: string }[] = [];
    for (const { person, username } of visible)
      if (timeOn(place, span, await history.sessions(username, span)) >= THERE) there.push({ person });
    const counts = await history.counts(place, span);
    const week = await history.week(place, zone);
    const wall = wallTime(zone, at);
    return {
      there,
      hidden: signedUp.length - visible.length,
      peak: counts.points.length === 0 ? null : Math.max(...counts.points.map(({ most }) => most)),
      known: (await history.namesDrivers()) === true && counts.points.length > 0,
      holes: holesIn(counts, span).slice(0, HOLES),
      usual: week.days[weekdayOf(wall)]?.[hourOf(wall)]?.drivers ?? null,
    };
  }

  /** Those that are due, one after the other, as far as the turn goes. */
  async function remindIn(guild: string, convoys: readonly Convoy[]): Promise<void> {
    let left = TURN;
    await each(convoys, async (convoy) => {
      const isCancelled = convoy.stage === 'cancelled' && now() < convoy.at;
      if (!isCancelled && !isReminderDue(convoy, now())) return;
      for (const { person, remind: isWanted } of await stored.signUpsOf(guild, convoy.id)) {
        const key = `${convoyKey(guild, convoy)} ${isCancelled ? 'cancelled' : convoy.at} ${person}`;
        if (!isWanted || reminded.get(key) || left === 0) continue;
        left -= 1;
        await remind(person, convoy);
        reminded.set(key, true);
      }
    });
  }

  async function workOn(guild: string, convoy: Convoy): Promise<void> {
    if (isResultDue(convoy, now())) {
      const result = await resultOf(guild, convoy);
      await stored.finish(guild, convoy.id, result, now(), newConvoyId(now(), random()));
      await boards.follow(convoyKey(guild, convoy));
    }
    await keepEvent(guild, convoy);
    if (isForgotten(convoy, now())) await stored.drop(guild, convoy.id);
  }

  return {
    async round() {
      await stored.tidy(now());
      // Some were left while no process ran.
      await stored.removeBefore((guild) => (holds(guild) ? stayedSince(guild) : 0));
      const ours = [...(await stored.all())].filter(([guild]) => holds(guild));
      // Of a guild with hundreds of reminders no other one has to wait.
      const reminding = ours.map(([guild, convoys]) => remindIn(guild, convoys));
      const working = each(ours, ([guild, convoys]) =>
        each(convoys, async (convoy) => {
          if (holds(guild)) await workOn(guild, convoy);
        }),
      );
      const done = await Promise.allSettled([...reminding, working]);
      const failure = done.find(({ status }) => status === 'rejected');
      if (failure?.status === 'rejected') throw failure.reason;
    },
  };
}

/** How long the driver was there within the span, in ms. */
function timeOn(server: string, span: Stretch, sessions: readonly Session[]): number {
  return sessions
    .filter((one) => one.server === server)
    .reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, span.to) - Math.max(from, span.from)), 0);
}

/** When nothing was known, the beginning and the end among it. */
function holesIn({ holes, since, until }: Counts, { from, to }: Stretch): readonly Stretch[] {
  if (since === null || until === null) return [{ from, to }];
  const all = [{ from, to: since }, ...holes, { from: until, to }];
  return all.filter((one) => one.to - one.from >= MINUTE);
}
