import type { Translator } from '../../i18n/translator.ts';

const LENGTH = 10;

/** A bar and its figure, ▰▰▰▰▰▰▰▱▱▱ 72%, of a fraction from 0 to 1. */
export function bar(fraction: number, t: Translator): string {
  return `${gauge(fraction)} ${t.percent(fraction, 1)}`;
}

/**
 * The bar alone; the figure must stand beside it. Only what is full looks full and only what is empty looks empty;
 * beyond its ends the bar stays at its end and the figure tells.
 */
export function gauge(fraction: number): string {
  const exact = fraction * LENGTH;
  const inside = Math.max(1, Math.min(LENGTH - 1, Math.round(exact)));
  const filled = exact <= 0 ? 0 : exact >= LENGTH ? LENGTH : inside;
  return '▰'.repeat(filled) + '▱'.repeat(LENGTH - filled);
}
