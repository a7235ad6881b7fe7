import { z } from 'zod';
import { MOST_PER_PLACE, MOST_WATCHES, pauses, placeKey, Watch, type Watches } from '../../alerts/watches.ts';
import { json } from '../../base/json.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import type { Database } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS watches (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    guild TEXT,
    place TEXT NOT NULL,
    watch TEXT NOT NULL,
    state TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS watches_by_place ON watches (place);
  CREATE TABLE IF NOT EXISTS watch_word (person TEXT PRIMARY KEY, why TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS unwatched (person TEXT PRIMARY KEY, player TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS watches_version (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL
  ) STRICT;
`;

const Row = z.object({ watch: json(Watch) }).transform(({ watch }) => watch);
const State = z.object({ id: z.string(), state: z.string() });
const Unwatched = z.object({ player: z.string() });
const Word = z.object({ why: z.enum(pauses) });
const Count = z.object({ count: z.number() });

export function createSqliteWatches(database: Database): Watches {
  database.exec(SCHEMA);
  const version = database.prepare('SELECT coalesce(max(version), 0) AS count FROM watches_version');
  const changed = database.prepare(
    `INSERT INTO watches_version (id, version) VALUES (1, 1)
     ON CONFLICT (id) DO UPDATE SET version = version + 1`,
  );
  /** A change, and the new version with it. */
  const change = <Result>(work: () => Result): Result =>
    database.transaction(() => {
      changed.run();
      return work();
    });
  return {
    version: async () => count(version.get()),
    ...reads(database),
    ...writes(database, change),
    ...states(database),
    ...words(database),
    ...refusals(database, change),
  };
}

type Change = <Result>(work: () => Result) => Result;

const readable = (rows: readonly unknown[]): readonly Watch[] =>
  rows.flatMap((row) => Row.safeParse(row).data ?? []);
const count = (row: unknown): number => Count.parse(row).count;

function reads(database: Database): Pick<Watches, 'all' | 'of' | 'in'> {
  const all = database.prepare('SELECT watch FROM watches ORDER BY rowid');
  const byPerson = database.prepare('SELECT watch FROM watches WHERE person = ? ORDER BY rowid');
  const byGuild = database.prepare('SELECT watch FROM watches WHERE guild = ? ORDER BY rowid');
  return {
    all: async () => readable(all.all()),
    of: async (person) => readable(byPerson.all(person)),
    in: async (guild) => readable(byGuild.all(guild)),
  };
}

function writes(database: Database, change: Change): Pick<Watches, 'add' | 'update' | 'remove'> {
  const byId = database.prepare('SELECT watch FROM watches WHERE id = ?');
  const inAll = database.prepare('SELECT count(*) AS count FROM watches');
  const inPlace = database.prepare('SELECT count(*) AS count FROM watches WHERE place = ?');
  const insert = database.prepare(
    'INSERT INTO watches (id, person, guild, place, watch, state) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const replace = database.prepare('UPDATE watches SET watch = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM watches WHERE id = ?');
  return {
    add: async (watch, state) =>
      change(() => {
        const place = placeKey(watch);
        if (count(inPlace.get(place)) >= MOST_PER_PLACE) return 'too-many';
        if (count(inAll.get()) >= MOST_WATCHES) return 'full';
        const guild = watch.place.kind === 'channel' ? watch.place.guild : null;
        insert.run(
          ...[watch.id, watch.person, guild, place],
          ...[JSON.stringify(Watch.parse(watch)), state ?? null],
        );
        return 'added';
      }),
    update: async (id, changeTo) =>
      change(() => {
        const [watch] = readable([byId.get(id)]);
        return watch !== undefined && replace.run(JSON.stringify(Watch.parse(changeTo(watch))), id) > 0;
      }),
    remove: async (id) => change(() => remove.run(id) > 0),
  };
}

function states(database: Database): Pick<Watches, 'states' | 'saveStates'> {
  const all = database.prepare('SELECT id, state FROM watches WHERE state IS NOT NULL');
  const save = database.prepare('UPDATE watches SET state = ? WHERE id = ?');
  return {
    states: async () =>
      new Map(
        all
          .all()
          .map((row) => State.parse(row))
          .map((row) => [row.id, row.state]),
      ),
    saveStates: async (saved) =>
      database.transaction(() => {
        for (const [id, state] of saved) save.run(state, id);
      }),
  };
}

function words(database: Database): Pick<Watches, 'leavePauseNotice' | 'takePauseNotice'> {
  const leave = database.prepare('INSERT OR REPLACE INTO watch_word (person, why) VALUES (?, ?)');
  const take = database.prepare('DELETE FROM watch_word WHERE person = ? RETURNING why');
  // Everyone is asked about, and a deletion that finds nothing still locks the file.
  const waits = database.prepare('SELECT 1 FROM watch_word WHERE person = ?');
  return {
    async leavePauseNotice(person, why) {
      leave.run(person, why);
    },
    async takePauseNotice(person) {
      if (waits.get(person) === undefined) return null;
      return Word.safeParse(take.get(person)).data?.why ?? null;
    },
  };
}

function refusals(database: Database, change: Change): Pick<Watches, 'forbid' | 'forbiddenBy' | 'forbidden'> {
  const forbid = database.prepare('INSERT OR REPLACE INTO unwatched (person, player) VALUES (?, ?)');
  const permit = database.prepare('DELETE FROM unwatched WHERE person = ?');
  const of = database.prepare('SELECT player FROM unwatched WHERE person = ?');
  const all = database.prepare('SELECT player FROM unwatched');
  return {
    forbid: async (person, player) =>
      change(() => {
        if (player === null) permit.run(person);
        else forbid.run(person, player);
      }),
    forbiddenBy: async (person) => Unwatched.safeParse(of.get(person)).data?.player ?? null,
    forbidden: async () => new Set(all.all().map((row) => sameSpelling(Unwatched.parse(row).player))),
  };
}
