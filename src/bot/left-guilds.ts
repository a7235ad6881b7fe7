/** Belongings of servers that the bot has left. They stay for a while, since a bot is often removed to be invited again. */
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { forEachYielding } from '../base/for-each-yielding.ts';
import type { Log } from '../base/log.ts';
import type { Connection } from '../discord/connection.ts';
import type { Belongings } from '../features/feature.ts';
import { GONE_KEPT_MS } from '../messages/boards/live-boards.ts';
import { changeDocuments } from '../store/change.ts';
import { declareCollection, readAll } from '../store/collection.ts';
import type { Documents } from '../store/documents.ts';
import { claimCleaning, type OwnApplication, ownsStore } from '../store/owner.ts';

/** A day's share of all servers that are cleaned: one for so many. */
const SERVERS_PER_CLEANING = 5;

/** By guild: since when the bot is missing from it, in unix milliseconds. */
export const leftGuilds = declareCollection({
  name: 'left-guilds',
  schema: z.number(),
  unreadable: 'none',
  person: 'nobody',
});

/**
 * Returns a check of all servers, to be called now and then. The first check that misses the bot in a server notes that. What
 * belongs to the server is deleted after {@link GONE_KEPT_MS} without the bot, unless Discord says by then that it is a member.
 */
export function createLeftGuilds(parts: {
  readonly documents: Documents;
  /** By kind, as the log names it. */
  readonly belongings: Readonly<Record<string, Belongings>>;
  readonly connection: Pick<Connection, 'stayedSince' | 'hasLeft' | 'isClockRight'>;
  /** True in at most one of several processes with one store. */
  readonly holds: (guild: string) => boolean;
  readonly application: OwnApplication;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}): () => Promise<void> {
  const { documents, belongings, connection, holds, application, clock, log } = parts;
  let isWarned = false;

  /** Reads what each server has, as kinds. `failure`: why a kind could not be read; null: all were. */
  async function readOwners() {
    const owners = new Map<string, string[]>();
    let failure: Error | null = null;
    for (const [kind, { guilds }] of Object.entries(belongings))
      try {
        for (const guild of new Set(await guilds())) owners.set(guild, [...(owners.get(guild) ?? []), kind]);
      } catch (error) {
        failure = new Error(`the servers of ${kind} cannot be read`, { cause: error });
      }
    return { owners, failure };
  }

  const setLeft = (guild: string, leftAt: number | null): Promise<void> =>
    changeDocuments(documents, async (transaction) => transaction.write(leftGuilds, guild, leftAt));

  async function noteLeft(guild: string, kinds: readonly string[]): Promise<void> {
    await setLeft(guild, clock.now());
    const until = new Date(clock.now() + GONE_KEPT_MS).toISOString();
    log.info(
      { guild, kinds, until },
      'the bot is no longer in a server: what belongs to it is deleted then, unless the bot is invited again',
    );
  }

  async function clean(guild: string, leftAt: number): Promise<void> {
    const counts: Record<string, number> = {};
    // The middle of the absence: no clock is so wrong that something of the new stay is older.
    for (const [kind, { removeIn }] of Object.entries(belongings))
      counts[kind] = await removeIn(guild, leftAt + GONE_KEPT_MS / 2);
    await setLeft(guild, null);
    log.info({ guild, ...counts }, 'deleted what belonged to a server that the bot has left');
  }

  return async () => {
    // Times of this machine and of Discord are compared, and the result cannot be undone.
    if ((await connection.isClockRight()) !== true) return;
    const { owners, failure } = await readOwners();
    const isMember = (guild: string): boolean => Number.isFinite(connection.stayedSince(guild) ?? Number.NaN);
    const isOwn = (failure === null && owners.size === 0) || owners.keys().some(isMember);
    if (!(await ownsStore(documents, application, isOwn))) {
      if (!isWarned)
        log.warn(
          'the bot is in no server of the store, which does not name its application: nothing is deleted',
        );
      isWarned = true;
      return;
    }
    const leftTimes = await readAll(documents, leftGuilds);
    const most = Math.max(1, Math.floor(owners.size / SERVERS_PER_CLEANING));
    let mayClean = true;

    await forEachYielding(new Set([...owners.keys(), ...leftTimes.keys()]), async (guild) => {
      const since = connection.stayedSince(guild);
      if (since === null || !holds(guild)) return;
      const kinds = owners.get(guild);
      const leftAt = leftTimes.get(guild) ?? null;
      const isLeft = since === Number.POSITIVE_INFINITY;
      if (leftAt === null) {
        if (isLeft) await noteLeft(guild, kinds ?? []);
      } else if (kinds === undefined) {
        if (failure === null) await setLeft(guild, null);
      } else if (Math.min(clock.now(), since) - leftAt < GONE_KEPT_MS) {
        if (isLeft) return;
        await setLeft(guild, null);
        log.info({ guild, kinds }, 'the bot is in a server again: what belongs to it stays');
      } else if (mayClean && (!isLeft || (await connection.hasLeft(guild)))) {
        mayClean = await claimCleaning(documents, application.id, most, clock.now());
        if (mayClean) await clean(guild, leftAt);
      }
    });
    if (failure !== null) throw failure;
  };
}
