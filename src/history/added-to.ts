import type { Chunk, ChunkChange, HistoryChunks, Series } from '../store/history-chunks.ts';
import { blockStart, type KindName } from './kinds.ts';

/** The changes that add items to a series, each to the chunk that covers its time. `text`: the chunk's, with them in it. */
export function addedTo<Item>(
  series: Series & { readonly kind: KindName },
  items: readonly Item[],
  at: (item: Item) => number,
  text: (chunk: Pick<Chunk, 'start'> & Partial<Pick<Chunk, 'text'>>, added: readonly Item[]) => string,
  chunks: Pick<HistoryChunks, 'read'>,
): Promise<readonly ChunkChange[]> {
  return Promise.all(
    [...Map.groupBy(items, (item) => blockStart(series.kind, at(item)))].map(async ([start, added]) => {
      const [existingChunk] = await chunks.read(series, start, start);
      return { ...series, start, text: text(existingChunk ?? { start }, added) };
    }),
  );
}

/** A history of which nothing is written yet. */
export const nothing: Pick<HistoryChunks, 'read'> = { read: async () => [] };
