import type { Translator } from '../../i18n/translator.ts';

const LENGTH = 10;

/** A condition from 0 to 1 as a bar and its figure: ▰▰▰▰▰▰▰▱▱▱ 72%. */
export function bar(condition: number, t: Translator): string {
  return `${gauge(condition)} ${t.percent(condition, 1)}`;
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
