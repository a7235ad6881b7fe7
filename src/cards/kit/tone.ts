/** How good a condition is; never told by its colour alone. */
type Tone = 'good' | 'fair' | 'poor';

/** 0xRRGGBB. */
export const TONES: Readonly<Record<Tone, number>> = { good: 0x2ecc71, fair: 0xe6a23c, poor: 0xd9534f };

/** For a condition from 0 to 1. */
export function toneOf(condition: number): Tone {
  return condition >= 0.8 ? 'good' : condition >= 0.5 ? 'fair' : 'poor';
}
