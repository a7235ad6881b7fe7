import type { Translator } from '../../i18n/translator.ts';
import { fitLines, linePerRow } from '../kit/fit-lines.ts';

/** Further lines are only in the file: more would push the buttons off a phone's screen. */
const MAX_LINES = 5;

/** The data stored under a person's account. `lines`: one for each thing that is stored. */
export function storedLines(lines: readonly string[], t: Translator): readonly string[] {
  if (lines.length === 0) return [t('privacy.nothing')];
  return [
    t('privacy.heading'),
    fitLines(
      linePerRow(lines, (line) => `- ${line}`),
      { entries: MAX_LINES },
      t,
    ),
  ];
}
