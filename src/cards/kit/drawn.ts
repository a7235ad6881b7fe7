/** Parts that pictures of drivers have in common: names as they are drawn, and the words behind a picture. */
import type { Translator } from '../../i18n/translator.ts';
import type { DriverCard } from '../../pictures/chart.ts';
import { cutText } from '../../text/cut.ts';
import { knownTime } from '../history/coverage-lines.ts';
import { type DriverNames, nameCell } from './driver.ts';
import { compact, joinParts } from './lines.ts';

/** Discord's limit for the words behind a picture. */
const MAX_ALT_LENGTH = 1024;

/** The words behind a picture, one fact in a line. */
export function pictureAlt(...lines: readonly (string | null)[]): string {
  return compact(...lines)
    .join('\n')
    .slice(0, MAX_ALT_LENGTH);
}

/** A bar of a picture: a day, or another part of a time. */
export interface Bar {
  readonly label: string;
  /** Time online, in ms; null: not known. */
  readonly time: number | null;
  /** All of that time is known. */
  readonly isWhole: boolean;
}

/** Returns the bars of a picture for those who cannot see it. */
export function barsInWords(bars: readonly Bar[], t: Translator): string {
  const values = bars.map(({ label, time, isWhole }) =>
    t('card.labelled', {
      label,
      value: time === null ? t('history.gap') : knownTime(time, isWhole || time === 0, t),
    }),
  );
  return joinParts(...values);
}

/** Columns of a name; the game's own have 24 letters. */
const MAX_NAME_WIDTH = 36;
/** Characters of the community's name. */
const MAX_COMMUNITY_LENGTH = 40;
/** The game's colours by their digit: the pure corners of the RGB cube. */
const RGB = ['#000000', '#ff0000', '#00ff00', '#ffff00', '#0000ff', '#ff00ff', '#00ffff', '#ffffff'];

/** A driver's name in its colours, as a picture has it. */
export function drawnName(driver: DriverNames, t: Translator): DriverCard['name'] {
  return nameCell(driver, MAX_NAME_WIDTH).map(({ colour, text }) => ({
    text,
    colour: colour === 'default' || !t.colours ? null : (RGB[colour] ?? null),
  }));
}

/** The community's name, as a picture has it. */
export function drawnCommunity(name: string | null): DriverCard['community'] {
  return name === null ? null : cutText(name, MAX_COMMUNITY_LENGTH);
}
