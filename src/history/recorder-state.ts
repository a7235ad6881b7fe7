/** Converts the recorder's state to text for a restart, and back. */
import { z } from 'zod';
import { jsonText } from '../base/json.ts';
import type { Run } from '../service/models/history.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import { LiveServer } from '../service/models/live-status.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import type { ServerStays } from './stays.ts';

/** One chunk, which moves on with the days. */
export const stateSeries = { kind: 'recorder', key: '' } as const;

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

/** The newest; null: nothing was ever recorded. */
export async function storedState(chunks: Pick<HistoryChunks, 'read'>) {
  const newest = (await chunks.read(stateSeries, 0, Number.MAX_SAFE_INTEGER)).at(-1);
  return newest === undefined ? null : { start: newest.start, state: readState(newest.text) };
}

/** Null where it cannot be read: recording then begins again, after a hole. */
export function readState(text: string): RecorderState | null {
  const parsed = Text.safeParse(text).data;
  if (parsed === undefined) return null;
  const servers = parsed.servers.map(({ server, at, stays }): [LiveServer, ServerStays] => [
    server,
    { at, stays: new Map(stays.map((stay) => [sameSpelling(stay.driver), stay])) },
  ]);
  const open = new Map(parsed.open.map(({ name, ...run }) => [name, run]));
  return { ...parsed, servers: new Map(servers), open };
}

export function writeState({ written, names, servers, open }: RecorderState): string {
  const storedServers = [...servers].map(([server, { at, stays }]) => ({
    server,
    at,
    stays: [...stays.values()],
  }));
  const runs = [...open].map(([name, run]) => ({ name, ...run }));
  return JSON.stringify({ written, names, servers: storedServers, open: runs });
}
