import { watchesByPlace } from '../alerts/watches.ts';
import { storedSettings } from '../board/stored-boards.ts';
import { guildSettings } from '../people/guild-settings.ts';
import { people } from '../people/people.ts';
import type { Collection } from '../store/collection.ts';
import type { Contents } from '../store/sqlite/contents.ts';

/** What a file of the store holds: `12 links, 1 board, 401 stored answers`. */
export function listed({ documents, answers }: Contents): string {
  const valuesOf = <Value>(of: Collection<Value>): readonly Value[] =>
    (documents.get(of.name) ?? []).flatMap((text) => of.parse(text) ?? []);
  const counted: readonly (readonly [number, string, string])[] = [
    [valuesOf(people).filter(({ link }) => link !== null).length, 'link', 'links'],
    [valuesOf(guildSettings).length, 'server with settings', 'servers with settings'],
    [valuesOf(storedSettings).length, 'board', 'boards'],
    [valuesOf(watchesByPlace).flat().length, 'alert', 'alerts'],
    [answers, 'stored answer', 'stored answers'],
  ];
  return counted.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(', ');
}
