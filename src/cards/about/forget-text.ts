import { formatMoment } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Forgotten, OwnHistory } from '../../service/models/own-data.ts';
import { escapeMarkdown } from '../kit/lines.ts';

/** `ownHistory`: null without a driver. `lines`: what is deleted besides the link. */
export function forgetQuestion(
  ownHistory: OwnHistory | null,
  lines: readonly string[],
  t: Translator,
): string {
  const otherLines = lines.map((line) => `- ${line}`).join('\n');
  if (ownHistory === null || ownHistory.kept === null) return t('forget.question', { others: otherLines });
  const { kept } = ownHistory;
  const player = escapeMarkdown(ownHistory.username);
  const stays =
    kept.why === 'operator'
      ? t('forget.fixed', { player })
      : t('forget.stays', { player, date: formatMoment(kept.until, 'time', t) });
  return [t('forget.questionRest', { player, others: otherLines }), '', stays].join('\n');
}

export function forgottenText({ left, kept }: Forgotten, t: Translator): string {
  const files = left.map((file) => `\`${file}\``).join(', ');
  const doneText =
    left.length > 0 ? t('forget.partly', { files }) : t(kept === null ? 'forget.done' : 'forget.doneRest');
  if (kept === null) return doneText;
  const player = escapeMarkdown(kept.username);
  return [doneText, '', t(kept.isFixed ? 'forget.fixed' : 'forget.kept', { player })].join('\n');
}
