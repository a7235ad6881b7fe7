import { fitLines, linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import type { Forgotten, OwnHistory } from '../../../src/community/accounts/own-data.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';

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

/**
 * `ownHistory`: null without a driver. `lines`: what is deleted besides the link. `copies`: the sentence about copies of what is
 * deleted.
 */
export function forgetQuestion(
  ownHistory: OwnHistory | null,
  { lines, copies }: { readonly lines: readonly string[]; readonly copies: string },
  t: Translator,
): string {
  const otherLines = lines.map((line) => `- ${line}`).join('\n');
  if (ownHistory === null || ownHistory.kept === null)
    return t('forget.question', { others: otherLines, copies });
  const { kept } = ownHistory;
  const player = escapeMarkdown(ownHistory.username);
  const stays =
    kept.why === 'operator'
      ? t('forget.fixed', { player })
      : t('forget.stays', { player, date: formatMoment(kept.until, 'time', t) });
  return [t('forget.questionRest', { player, others: otherLines, copies }), '', stays].join('\n');
}

/** `copies`: as in {@link forgetQuestion}. */
export function forgottenText({ left, kept }: Forgotten, copies: string, t: Translator): string {
  const files = left.map((file) => `\`${file}\``).join(', ');
  const doneText =
    left.length > 0
      ? t('forget.partly', { files })
      : t(kept === null ? 'forget.done' : 'forget.doneRest', { copies });
  if (kept === null) return doneText;
  const player = escapeMarkdown(kept.username);
  return [doneText, '', t(kept.isFixed ? 'forget.fixed' : 'forget.kept', { player })].join('\n');
}
