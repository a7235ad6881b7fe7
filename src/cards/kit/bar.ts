import type { Translator } from '../../i18n/translator.ts';
import { partsOf } from './bar-parts.ts';
import { toneOf } from './tone.ts';

const LENGTH = 10;

/**
 * A condition from 0 to 1 as a bar and its figure: ▰▰▰▰▰▰▰▱▱▱ 72%. Drawn in five pictures where the application has
 * them, which takes 150 characters.
 */
export function bar(condition: number, t: Translator): string {
  return `${drawn(condition, t) ?? gauge(condition)} ${t.percent(condition, 1)}`;
}

function drawn(condition: number, t: Translator): string | null {
  const parts = partsOf(toneOf(condition), steps(condition)).map(({ name }) => t.emoji(name));
  return parts.includes(null) ? null : parts.join('');
}

/** The bar alone, to be shown beside its figure. */
export function gauge(fraction: number): string {
  const filled = steps(fraction);
  return '▰'.repeat(filled) + '▱'.repeat(LENGTH - filled);
}

/** Steps of a bar in a table. */
const NARROW = 4;

/** The bar for a code block, in letters that its fonts have: ███░. */
export function narrowBar(condition: number): string {
  const filled = steps(condition, NARROW);
  return '█'.repeat(filled) + '░'.repeat(NARROW - filled);
}

/** Only a full value looks full, and only an empty one empty; values outside 0 to 1 are clamped. */
function steps(fraction: number, length = LENGTH): number {
  const exact = fraction * length;
  const inside = Math.max(1, Math.min(length - 1, Math.round(exact)));
  return exact <= 0 ? 0 : exact >= length ? length : inside;
}
