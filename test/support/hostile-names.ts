/** Names as long as no real one is, each kind trying something else. */
export const longNames = {
  markup: '*_~`|>#-[]().'.repeat(100),
  fences: '```'.repeat(400),
  colours: Array.from({ length: 400 }, (_, index) => `^${index % 8}\``).join(''),
  families: '👨‍👩‍👧'.repeat(150),
  marks: `a${'\u0301\u0302\u0303'.repeat(400)}`,
  bidi: '\u202e'.repeat(1200),
  letters: 'W'.repeat(1200),
};
