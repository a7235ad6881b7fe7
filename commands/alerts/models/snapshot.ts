/** The polled facts of one moment, prepared once for all watches. Pure. */
import { type Facts, type JudgedFacts, judgeFacts } from '../../../src/service/models/facts.ts';
import { sameSpelling } from '../../../src/service/models/identifiers.ts';
import { LiveServer, type LiveStatus } from '../../../src/service/models/live-status.ts';

export interface Snapshot {
  readonly judged: JudgedFacts;
  /**
   * The live files, with the oldest of their times. Null while one of them is old: those who are missing may be there.
   * One that has been gone for long does not count.
   */
  readonly files: {
    readonly at: number;
    readonly scope: string;
    readonly files: readonly LiveStatus[];
  } | null;
  /** The server of every driver whom the files name, in the spelling of `sameSpelling`. */
  readonly online: ReadonlyMap<string, LiveServer>;
}

/** `now` in unix milliseconds. */
export function takeSnapshot(polled: Facts, now: number): Snapshot {
  const facts = judgeFacts(polled, now);
  const liveFiles = LiveServer.options.flatMap((name) => {
    const file = facts.live[name];
    return file === null ? [] : [{ ...file, name }];
  });
  const isWhole = liveFiles.length > 0 && liveFiles.every(({ isStale }) => !isStale);
  const online = new Map<string, LiveServer>();
  for (const { name, record } of isWhole ? liveFiles : [])
    for (const { username } of record.players)
      if (username !== null) online.set(sameSpelling(username), name);
  return {
    judged: facts,
    online,
    files: isWhole
      ? {
          at: Math.min(...liveFiles.map(({ asOf }) => asOf)),
          scope: liveFiles.map(({ name }) => name).join(' '),
          files: liveFiles.map(({ record }) => record),
        }
      : null,
  };
}

/** Null where nobody is driving, or no file is fresh. */
export function namesDrivers({ files, online }: Snapshot): boolean | null {
  const isAnyone = files?.files.some(({ players }) => players.length > 0) ?? false;
  return isAnyone ? online.size > 0 : null;
}
