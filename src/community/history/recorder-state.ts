/** Converts the recorder's state to text for a restart, and back. */
import { z } from 'zod';
import { jsonText } from '../../base/json.ts';
import { type Steps, sql } from '../../base/sql.ts';
import { sameSpelling } from '../../service/models/identifiers.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import type { HistoryStore } from '../../store/history-store.ts';
import type { Run } from './history.ts';
import type { ServerStays } from './stays.ts';

export interface RecorderState {
  /** Unix milliseconds of the batch that it was written with. */
  readonly written: number;
  /** Live files name their drivers; null: none has had a driver yet. */
  readonly names: boolean | null;
  readonly servers: ReadonlyMap<LiveServer, ServerStays>;
  /** The runs under way of what is up and what is down, by name. */
  readonly open: ReadonlyMap<string, Run>;
}

const Duty = z.object({ police: z.number(), medic: z.number(), tow: z.number() });
const Stay = z.object({
  driver: z.string(),
  from: z.number(),
  seen: z.number(),
  played: z.number(),
  duty: Duty.nullable(),
  startKnown: z.boolean(),
  holed: z.boolean(),
});
const Text = jsonText(
  z.object({
    written: z.number(),
    names: z.boolean().nullable(),
    servers: z.array(z.object({ server: LiveServer, at: z.number(), stays: z.array(Stay) })),
    open: z.array(z.object({ name: z.string(), isUp: z.boolean(), from: z.number(), to: z.number() })),
  }),
);

const Row = z.object({ text: z.string() });

/** The last one; null: nothing was ever recorded, or it cannot be read. */
export async function storedState(store: Pick<HistoryStore, 'read'>): Promise<RecorderState | null> {
  const [row] = await store.read(sql`SELECT text FROM recorder`);
  return row === undefined ? null : readState(Row.parse(row).text);
}

export function* saveState(state: RecorderState): Steps<void> {
  yield sql`INSERT INTO recorder (id, text) VALUES (1, ${writeState(state)})
    ON CONFLICT (id) DO UPDATE SET text = excluded.text`;
}

/** The recorder sees at its next write that the session of this driver (a name without its case) is gone. */
export function* forgetStays(key: string): Steps<void> {
  const [row] = yield sql`SELECT text FROM recorder`;
  if (row === undefined) return;
  const text = forgottenText(Row.parse(row).text, key);
  yield text === null ? sql`DELETE FROM recorder` : sql`UPDATE recorder SET text = ${text}`;
}

/** The state as text without this driver; null: it cannot be read. */
export function forgottenText(text: string, key: string): string | null {
  const state = readState(text);
  if (state === null) return null;
  const servers = [...state.servers].map(
    ([server, { at, stays }]) =>
      [server, { at, stays: new Map([...stays].filter(([name]) => name !== key)) }] as const,
  );
  return writeState({ ...state, servers: new Map(servers) });
}

/** Null where it cannot be read: recording then begins again, after a hole. */
function readState(text: string): RecorderState | null {
  const parsed = Text.safeParse(text).data;
  if (parsed === undefined) return null;
  const servers = parsed.servers.map(({ server, at, stays }): [LiveServer, ServerStays] => [
    server,
    { at, stays: new Map(stays.map((stay) => [sameSpelling(stay.driver), stay])) },
  ]);
  const open = new Map(parsed.open.map(({ name, ...run }) => [name, run]));
  return { ...parsed, servers: new Map(servers), open };
}

function writeState({ written, names, servers, open }: RecorderState): string {
  const storedServers = [...servers].map(([server, { at, stays }]) => ({
    server,
    at,
    stays: [...stays.values()],
  }));
  const runs = [...open].map(([name, run]) => ({ name, ...run }));
  return JSON.stringify({ written, names, servers: storedServers, open: runs });
}
