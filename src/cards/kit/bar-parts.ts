import { memoised } from '../../i18n/memoised.ts';
import { TONES, type Tone } from './tone.ts';

/** The picture of one part of a bar, to be set side by side with others. */
export interface BarPart {
  /**
   * Of the emoji, with a version, since an emoji's picture cannot be changed. Short, because a bar has it five times
   * in its text.
   */
  readonly name: string;
  readonly place: 'start' | 'middle' | 'end';
  /** How many of its two halves are filled. */
  readonly filled: number;
  /** Of what is filled, 0xRRGGBB; null where nothing is. */
  readonly colour: number | null;
}

/** Parts of a bar, of two steps each. */
const LENGTH = 5;

const EMPTY = 'n';
const LETTERS: Readonly<Record<Tone, string>> = { good: 'g', fair: 'f', poor: 'p' };

/** The steps that a bar of each tone can have: those next to a border are of both. */
const STEPS: Readonly<Record<Tone, readonly number[]>> = {
  good: [8, 9, 10],
  fair: [5, 6, 7, 8],
  poor: [0, 1, 2, 3, 4, 5],
};

/** From left to right; "pw1_gs2" is a start with both halves filled, of a good condition. `steps`: 0 to 10. */
export function partsOf(tone: Tone, steps: number): readonly BarPart[] {
  return partsInTone(tone)(steps);
}

const partsInTone = memoised((tone: Tone) => memoised((steps: number) => makeParts(tone, steps)));

function makeParts(tone: Tone, steps: number): readonly BarPart[] {
  return Array.from({ length: LENGTH }, (_, part) => {
    const place = part === 0 ? 'start' : part === LENGTH - 1 ? 'end' : 'middle';
    const filled = Math.max(0, Math.min(2, steps - 2 * part));
    const name = `pw1_${filled === 0 ? EMPTY : LETTERS[tone]}${place[0]}${filled}`;
    return { name, place, filled, colour: filled === 0 ? null : TONES[tone] };
  });
}

/** Each part that some bar is made of, once. */
export function barParts(): readonly BarPart[] {
  const tones: readonly Tone[] = ['good', 'fair', 'poor'];
  const bars = tones.flatMap((tone) => STEPS[tone].flatMap((steps) => partsOf(tone, steps)));
  return [...new Map(bars.map((part) => [part.name, part])).values()];
}
