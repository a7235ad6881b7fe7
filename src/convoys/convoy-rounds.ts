/** A convoy's own work: it reminds, tells its result once, and is there again a week later. */
import { bounded } from '../base/bounded.ts';
import { HOUR } from '../base/duration.ts';
import { each } from '../base/each.ts';
import { hourOf, wallTime, weekdayOf } from '../base/zone.ts';
import type { GuildDriver } from '../people/guild-drivers.ts';
import type { Convoy } from '../service/models/convoy.ts';
import type { History, Session } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import { liveServer } from '../service/models/live-status.ts';
import { attendance } from './attendance.ts';
import { isForgotten, isResultDue, newConvoyId, toRemind } from './decide.ts';
import { convoyKey, type StoredConvoys } from './stored-convoys.ts';

/** Reminders that need not be asked of the store again. */
const REMEMBERED = 10_000;
/** Sessions of a driver that are read: those of a convoy are among the newest. */
const SESSIONS = 20;

export function createConvoyRounds(parts: {
  readonly stored: StoredConvoys;
  readonly boards: { follow(id: string): Promise<boolean> };
  /** Of several processes with one store, at most one. */
  readonly holds: (guild: string) => boolean;
  readonly history: Pick<History, 'counts' | 'week' | 'driver' | 'namesDrivers'>;
  readonly driversIn: (guild: string) => Promise<ReadonlyMap<string, GuildDriver>>;
  /** At most once for each person and convoy, whatever becomes of it. Rejects where the store fails. */
  readonly remind: (person: string, convoy: Convoy) => Promise<void>;
  /** Keeps Discord's own event of it. Rejects where the store fails. */
  readonly keepEvent: (guild: string, convoy: Convoy) => Promise<void>;
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
}): { /** Rejects where the store fails; the next one goes on. */ round(): Promise<void> } {
  const { stored, boards, holds, history, driversIn, remind, keepEvent, now, random } = parts;
  const reminded = bounded<string, true>(REMEMBERED);

  async function resultOf(guild: string, { id, server, at, hours, zone }: Convoy) {
    const span = { from: at, to: at + hours * HOUR };
    const [drivers, signUps] = [await driversIn(guild), await stored.signUpsOf(guild, id)];
    const signedUp = signUps.flatMap(({ person, answer }) => {
      const driver = answer === null ? undefined : drivers.get(person);
      return driver === undefined ? [] : [{ person, ...driver }];
    });
    const sessionsOf = new Map<string, readonly Session[]>();
    for (const { username } of signedUp) {
      const past = await history.driver(username, SESSIONS);
      if (past !== null)
        sessionsOf.set(sameSpelling(username), [
          ...(past.current === null ? [] : [past.current]),
          ...past.sessions,
        ]);
    }
    const place = liveServer(server);
    if (place === null)
      return { there: [], hidden: 0, peak: null, known: false, holes: [span], usual: null };
    const counts = await history.counts(place, span);
    const week = await history.week(place, zone);
    const wall = wallTime(zone, at);
    const usual = week.days[weekdayOf(wall)]?.[hourOf(wall)]?.drivers ?? null;
    return attendance(
      { span, names: await history.namesDrivers(), counts, usual, signedUp, sessionsOf },
      server,
    );
  }

  async function workOn(guild: string, convoy: Convoy): Promise<void> {
    const key = convoyKey(guild, convoy);
    const due = toRemind(convoy, now() < convoy.at ? await stored.signUpsOf(guild, convoy.id) : [], now());
    for (const person of due) {
      if (reminded.get(`${key} ${person}`)) continue;
      await remind(person, convoy);
      reminded.set(`${key} ${person}`, true);
    }
    if (isResultDue(convoy, now())) {
      const result = await resultOf(guild, convoy);
      await stored.finish(guild, convoy.id, result, now(), newConvoyId(now(), random()));
      await boards.follow(key);
    }
    await keepEvent(guild, convoy);
    if (isForgotten(convoy, now())) await stored.drop(guild, convoy.id);
  }

  return {
    async round() {
      const all = [...(await stored.all())].flatMap(([guild, convoys]) =>
        convoys.map((convoy) => ({ guild, convoy })),
      );
      await each(all, async ({ guild, convoy }) => {
        if (holds(guild)) await workOn(guild, convoy);
      });
    },
  };
}
