import { forEachInSlices } from '../base/for-each-yielding.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import type { Chunk, ChunkChange, HistoryChunks, HistoryCopy, Series } from '../store/history-chunks.ts';
import { withoutDriver } from './driver-rows.ts';
import { playedKinds } from './kinds.ts';
import { readState, stateSeries, writeState } from './recorder-state.ts';

/** The part of a history that a deletion needs. */
type Forgettable = Pick<HistoryChunks, 'read' | 'write' | 'scrub'>;

const ALWAYS = [0, Number.MAX_SAFE_INTEGER] as const;
const ofAll = [...playedKinds, 'figures'] as const;
const ofDriver = ['sessions', 'readings-linked', 'readings-other', 'reading-ends'] as const;

interface ForgetDriverParts {
  readonly chunks: Forgettable;
  /** The copies that there are now. */
  readonly copies: () => readonly HistoryCopy[];
  /** Called with a copy that could not be changed. */
  readonly unreached: (copy: string, error: unknown) => void;
  /** Called once the driver is deleted from the chunks themselves, or may be. */
  readonly deleted: (username: string) => void;
}

/**
 * Deletes all that history and its copies keep of a driver; the counts have no names. Resolves with the files that may
 * still hold some of it.
 */
export function createForgetDriver({ chunks, copies, unreached, deleted }: ForgetDriverParts) {
  return async (username: string): Promise<readonly string[]> => [
    ...(await forgetDriver(username, chunks).finally(() => deleted(username))),
    ...(await forgetInCopies(username, copies(), unreached)),
  ];
}

async function forgetDriver(username: string, chunks: Forgettable): Promise<readonly string[]> {
  const key = sameSpelling(username);
  for (const kind of ofAll) await forgetInRows({ kind, key: '' }, key, chunks);
  const ownChunks = await Promise.all(ofDriver.map((kind) => chunks.read({ kind, key }, ...ALWAYS)));
  const state = await chunks.read(stateSeries, ...ALWAYS);
  await chunks.write([
    ...ownChunks.flat().map((chunk): ChunkChange => ({ ...chunk, text: null })),
    ...state.flatMap((chunk) => withoutStays(chunk, key)),
  ]);
  return chunks.scrub();
}

/** Each chunk is written as soon as it is read: the recorder adds to the newest one meanwhile. */
async function forgetInRows(series: Series, driver: string, chunks: Forgettable): Promise<void> {
  await forEachInSlices(await chunks.read(series, ...ALWAYS), async ({ start, text: oldText }) => {
    if (withoutDriver(oldText, driver) === null) return;
    const [chunk] = await chunks.read(series, start, start);
    const text = chunk === undefined ? null : withoutDriver(chunk.text, driver);
    if (text !== null) await chunks.write([{ ...series, start, text }]);
  });
}

async function forgetInCopies(
  username: string,
  copies: readonly HistoryCopy[],
  unreached: (copy: string, error: unknown) => void,
): Promise<readonly string[]> {
  const remainingFiles: string[] = [];
  for (const { name, open } of copies) {
    try {
      const chunks = open();
      try {
        remainingFiles.push(...(await forgetDriver(username, chunks)));
      } finally {
        chunks.close();
      }
    } catch (error) {
      remainingFiles.push(name);
      unreached(name, error);
    }
  }
  return remainingFiles;
}

/** The recorder sees at its next write that the session is gone. */
function withoutStays(chunk: Chunk, key: string): readonly Chunk[] {
  const state = readState(chunk.text);
  if (state === null) return [];
  const servers = [...state.servers].map(
    ([server, { at, stays }]) =>
      [server, { at, stays: new Map([...stays].filter(([name]) => name !== key)) }] as const,
  );
  return [{ ...chunk, text: writeState({ ...state, servers: new Map(servers) }) }];
}
