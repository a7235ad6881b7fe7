import type { Translator } from '../../i18n/translator.ts';

const LENGTH = 10;

/** A bar and its figure, ▰▰▰▰▰▰▰▱▱▱ 72%, for a fraction from 0 to 1. */
export function bar(fraction: number, t: Translator): string {
  return `${gauge(fraction)} ${t.percent(fraction, 1)}`;
}

/**
 * The bar alone, to be shown beside its figure. Only a full value looks full, and only an empty one empty; values
 * outside 0 to 1 are clamped.
 */
export function gauge(fraction: number): string {
  const exact = fraction * LENGTH;
  const inside = Math.max(1, Math.min(LENGTH - 1, Math.round(exact)));
  const filled = exact <= 0 ? 0 : exact >= LENGTH ? LENGTH : inside;
  return '▰'.repeat(filled) + '▱'.repeat(LENGTH - filled);
}
