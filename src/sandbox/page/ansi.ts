import type { AnsiRun } from './protocol.ts';

const ESCAPE = '\u001b[';

/**
 * Parses an `ansi` code block as Discord's client does: `ESC[`, codes separated by `;`, `m`. 31 to 36 are colours; any
 * other code ends the colour, as 0 does; anything else is text.
 */
export function parseAnsi(source: string): readonly AnsiRun[] {
  let colour: number | null = null;
  const [first = '', ...rest] = source.split(ESCAPE);
  const runs = rest.map((piece): AnsiRun => {
    const codes = /^(\d+(?:;\d+)*)m/.exec(piece);
    if (codes === null) return { text: ESCAPE + piece, colour };
    const [sequence, list = ''] = codes;
    const last = Number(list.split(';').at(-1));
    colour = last >= 31 && last <= 36 ? last : null;
    return { text: piece.slice(sequence.length), colour };
  });
  return [{ text: first, colour: null }, ...runs].filter(({ text }) => text !== '');
}
