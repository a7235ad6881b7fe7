import type { AnsiRun } from './protocol.ts';

const ESCAPE = '\u001b[';
const plain = { foreground: null, background: null, bold: false, underline: false } as const;

/**
 * Parses an `ansi` code block as Discord's client does: `ESC[`, codes separated by `;`, `m`. Colours are 30 to 37
 * and 40 to 47; 1 is bold, 4 underline, 0 resets. Other codes are ignored; anything else is text.
 */
export function parseAnsi(source: string): readonly AnsiRun[] {
  const runs: AnsiRun[] = [];
  let look: Omit<AnsiRun, 'text'> = plain;
  const [first = '', ...rest] = source.split(ESCAPE);
  if (first !== '') runs.push({ text: first, ...look });
  for (const piece of rest) {
    const codes = /^(\d+(?:;\d+)*)m/.exec(piece);
    if (codes === null) {
      runs.push({ text: ESCAPE + piece, ...look });
      continue;
    }
    const [sequence, list = ''] = codes;
    for (const code of list.split(';')) look = applied(look, Number(code));
    const text = piece.slice(sequence.length);
    if (text !== '') runs.push({ text, ...look });
  }
  return runs;
}

function applied(look: Omit<AnsiRun, 'text'>, code: number): Omit<AnsiRun, 'text'> {
  if (code === 0) return plain;
  if (code === 1) return { ...look, bold: true };
  if (code === 4) return { ...look, underline: true };
  if (code >= 30 && code <= 37) return { ...look, foreground: code };
  if (code >= 40 && code <= 47) return { ...look, background: code };
  return look;
}
