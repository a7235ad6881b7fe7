import { isMarkup, markdown } from './markdown.ts';
import { plain } from './plain.ts';
import { codeAt, isOrdinary } from './scan.ts';

const BACKSLASH = 0x5c;

/** Characters of a text that is read in one pass; each may get a backslash. Names are shorter. */
const LONGEST = 256;
const written = new Uint16Array(2 * LONGEST);

/**
 * In-game text as markdown for one line: `markdown(plain(input))`, in two thirds of the time for a name of
 * ordinary characters and codes.
 */
export function escaped(input: string): string {
  if (input.length > LONGEST) return markdown(plain(input));
  let length = 0;
  let isAsItCame = true;
  for (let at = 0; at < input.length; at += 1) {
    let unit = input.charCodeAt(at);
    if (!isOrdinary(unit)) {
      const code = codeAt(input, at);
      // What is left are bytes, marks and the like.
      if (code === undefined) return markdown(plain(input));
      isAsItCame = false;
      at += 1;
      if (code.text === '') continue;
      unit = code.text.charCodeAt(0);
    }
    if (isMarkup(unit)) {
      isAsItCame = false;
      written[length] = BACKSLASH;
      length += 1;
    }
    written[length] = unit;
    length += 1;
  }
  // Spread into a call, the units would be copied one by one.
  return isAsItCame ? input : Reflect.apply(String.fromCharCode, null, written.subarray(0, length));
}
