/** Runs of what was up or down: how they are written and read, and the outages in them. */
import { z } from 'zod';
import { HOUR, SECOND } from '../base/duration.ts';
import { jsonText } from '../base/json.ts';
import type { Outage, Run, Stretch } from '../service/models/history.ts';
import type { HistoryChunks } from '../store/history-chunks.ts';
import { blockStart, kinds } from './kinds.ts';

/**
 * Two numbers a run: the seconds between the run before it, or the chunk's beginning, and it; and its own length in
 * seconds, below zero where it was down.
 */
const Numbers = jsonText(z.array(z.int()));

/** Characters of a chunk, of which a year has little more than twelve: less than 20 kB for a server. */
const MOST_BYTES = 1500;
/** An outage goes on over a time of which nothing is known, for so long, in ms. */
export const MAX_BRIDGE_MS = HOUR;

/** Returns the chunk's text with runs added. If it gets too long, the shortest runs go: a missing run means unknown. */
export function addRuns(text: string | undefined, start: number, runs: readonly Run[]): string {
  let all = joinRuns([...read(text, start), ...runs]);
  for (;;) {
    const encoded = write(all, start);
    if (encoded.length <= MOST_BYTES) return encoded;
    const shortest = all.reduce((least, run) => (run.to - run.from < least.to - least.from ? run : least));
    all = all.filter((run) => run !== shortest);
  }
}

function write(runs: readonly Run[], start: number): string {
  const seconds = (at: number): number => Math.round((at - start) / SECOND);
  const numbers = runs.flatMap(({ from, to, isUp }, index) => [
    seconds(from) - seconds(runs[index - 1]?.to ?? start),
    (seconds(to) - seconds(from)) * (isUp ? 1 : -1),
  ]);
  return JSON.stringify(numbers);
}

/** An unreadable chunk counts as empty. */
function read(text: string | undefined, start: number): readonly Run[] {
  const numbers = Numbers.safeParse(text).data ?? [];
  let end = start;
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => {
    const [gap = 0, length = 0] = numbers.slice(2 * index);
    const from = end + gap * SECOND;
    end = from + Math.abs(length) * SECOND;
    return { from, to: end, isUp: length > 0 };
  });
}

/** A run cut at the edges of chunks. */
export function partsOf(run: Run): readonly Run[] {
  const { block } = kinds.uptime;
  const first = blockStart('uptime', run.from);
  return Array.from({ length: Math.ceil((run.to - first) / block) }, (_, index) => {
    const start = first + index * block;
    return { ...run, from: Math.max(run.from, start), to: Math.min(run.to, start + block) };
  });
}

/** Runs that overlap the span, in order and apart; `open`: the run under way. */
export async function runsIn(
  { from, to }: Stretch,
  { name, open }: { readonly name: string; readonly open: Run | undefined },
  chunks: HistoryChunks,
): Promise<readonly Run[]> {
  const uptimeChunks = await chunks.read({ kind: 'uptime', key: name }, blockStart('uptime', from), to);
  const storedRuns = uptimeChunks.flatMap(({ start, text }) => read(text, start));
  return joinRuns(open === undefined ? storedRuns : [...storedRuns, open]).filter(
    (run) => run.to > from && run.from < to,
  );
}

/** Sorts runs by time and joins runs that a chunk's edge cut; nothing counts twice after a clock was set back. */
export function joinRuns<One extends Stretch & Partial<Run>>(runs: readonly One[]): readonly One[] {
  const all: One[] = [];
  for (const run of runs.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    const from = Math.max(run.from, last?.to ?? run.from);
    if (run.to < from) continue;
    if (last?.to === from && last.isUp === run.isUp) all.splice(-1, 1, { ...last, to: run.to });
    else all.push({ ...run, from });
  }
  return all;
}

/** Oldest first. */
export function outagesIn(runs: readonly Run[]): readonly Outage[] {
  const outages: Outage[] = [];
  for (const { from, to, isUp } of runs) {
    const last = outages.at(-1);
    const isOpen = last !== undefined && last.to === null;
    const goesOn = isOpen && !isUp && from - last.until <= MAX_BRIDGE_MS;
    if (isOpen) outages.splice(-1, 1, goesOn ? { ...last, until: to } : { ...last, to: from });
    if (!isUp && !goesOn) outages.push({ from, until: to, to: null });
  }
  return outages;
}
