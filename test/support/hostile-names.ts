import { MAX_TEXT_LENGTH } from '../../src/service/models/leaves.ts';

/** Names nearly as long as the models read, which no real one is, each kind trying something else. */
export const longNames = {
  markup: longest('*_~`|>#-[]().'),
  fences: longest('```'),
  colours: longest('^0`^1`^2`^3`^4`^5`^6`^7`'),
  families: longest('👨‍👩‍👧'),
  marks: `a${longest('\u0301\u0302\u0303').slice(1)}`,
  bidi: longest('\u202e'),
  letters: longest('W'),
};

function longest(part: string): string {
  // A test may put a number in front.
  return part.repeat(Math.floor((MAX_TEXT_LENGTH - 12) / part.length));
}
