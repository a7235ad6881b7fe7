import { plain } from './plain.ts';

/** UTF-16 units that count: a login name has 64, and some letters become eighteen. */
const LONGEST = 128;
/** Most names: nothing in them has a second spelling but for case. */
const SIMPLE = /^[\w.-]+(?: [\w.-]+)*$/;

/**
 * The same for all spellings of a name that people take for one: without case, colour codes, letters that show nothing,
 * compatibility forms and repeated spaces. Looser than the service, for which they may be several drivers, so it serves to
 * hide and to compare names, never to ask for one.
 */
export function foldName(name: string): string {
  const start = name.slice(0, LONGEST);
  if (SIMPLE.test(start)) return start.toLowerCase();
  return plain(start)
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .normalize('NFC');
}
