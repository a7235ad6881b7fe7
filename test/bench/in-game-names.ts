/** Names as drivers have them: codes, escapes, other alphabets, markup. */
export const names = [
  '^7[^1TC^7] ^2Kenny^8',
  '^1P^3r^2o^6D^4r^5i^7v^0er ^vpro^v',
  'Příliš žluťoučký',
  '日本^1語',
  'a_b*c`d',
];

/** Everything that escapeMarkdown of discord.js offers, which still leaves mentions, quotes and links as they are. */
export const everything = { heading: true, bulletedList: true, numberedList: true, maskedLink: true };
