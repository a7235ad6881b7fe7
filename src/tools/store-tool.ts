/** Shared parts of the tools for the store's file. */

import { features } from '../../commands/subjects.ts';
import { readStorePlace } from '../base/config.ts';
import { readEnvironment } from '../base/environment.ts';
import { StartError } from '../base/errors.ts';
import { guildSettings } from '../community/accounts/guild-settings.ts';
import { people } from '../community/accounts/people.ts';
import type { Feature } from '../features/feature.ts';
import { storedSettings } from '../messages/boards/stored-boards.ts';
import type { Collection } from '../store/collection.ts';
import type { Contents } from '../store/sqlite/examine-file.ts';

interface Tool {
  /** How it is run, and what it does: `npm run restore -- FILE puts …`. */
  readonly usage: string;
  /** Says that nothing came of it, before the reason: "No backup". */
  readonly failed: string;
  /** How PostgreSQL does the same. */
  readonly postgres: string;
  /** Resolves with what it says on success. A {@link StartError} is the reason why not. `givenFile`: the file that was given. */
  run(file: string, givenFile: string | null): Promise<string>;
}

/** Resolves with the exit code. */
export async function runStoreTool({ usage, failed, postgres, run }: Tool): Promise<number> {
  const [, , givenFile = null] = process.argv;
  if (givenFile === '--help') {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const refuse = (why: string): number => {
    process.stderr.write(`${failed}: ${why}\n`);
    return 1;
  };
  if (givenFile?.startsWith('-')) return refuse(`there is no option ${givenFile}; ${usage}`);
  process.umask(0o077);
  try {
    const place = readStorePlace(readEnvironment());
    if ('wrong' in place) return refuse(`STORE_URL ${place.wrong}; expected: ${place.expected}`);
    if (place.kind === 'postgres') return refuse(`STORE_URL names PostgreSQL: ${postgres}`);
    process.stdout.write(`${await run(place.file, givenFile)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof StartError) return refuse(error.message);
    throw error;
  }
}

type Counted = readonly [count: number, one: string, many: string];

/** Contents of a store's file in words: `12 links, 1 board, 2 convoys, 401 stored answers`. */
export function describeContents({ documents, answers }: Contents): string {
  const valuesOf = <Value>(of: Collection<Value>): readonly Value[] =>
    (documents.get(of.name) ?? []).flatMap((text) => of.parse(text) ?? []);
  const counts: readonly Counted[] = [
    [valuesOf(people).filter(({ link }) => link !== null).length, 'link', 'links'],
    [valuesOf(guildSettings).length, 'server with settings', 'servers with settings'],
    [valuesOf(storedSettings).length, 'board', 'boards'],
    ...Object.values<Feature>(features).flatMap(({ counted }): Counted[] =>
      counted === undefined ? [] : [[valuesOf(counted.collection).flat().length, counted.one, counted.many]],
    ),
    [answers, 'stored answer', 'stored answers'],
  ];
  return counts.map(([count, singular, plural]) => `${count} ${count === 1 ? singular : plural}`).join(', ');
}
