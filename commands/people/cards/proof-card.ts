import { buttonRow } from '../../../src/cards/kit/card.ts';
import { oldData } from '../../../src/cards/kit/freshness.ts';
import { compact } from '../../../src/cards/kit/lines.ts';
import { inTime } from '../../../src/i18n/in-time.ts';
import { formatMoment } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import { escapeGameText, escapeMarkdown } from '../../../src/text/names.ts';

/** The result of a check that somebody asked for. */
export type ProofCheck =
  /** In-game name with its colour codes; null: not reported. `answer`: the look-up; null: a live file named the driver. */
  | {
      readonly kind: 'called';
      readonly nickname: string | null;
      readonly answer: Parameters<typeof oldData>[0] | null;
    }
  | { readonly kind: 'absent' | 'no-looks' };

/** `lastCheck`: null before the first check. */
export function proofCard(
  proof: {
    readonly username: string;
    readonly code: string;
    /** Unix milliseconds. */
    readonly until: number;
  },
  lastCheck: ProofCheck | null,
  t: Translator,
) {
  const { username, code, until } = proof;
  const player = escapeMarkdown(username);
  const buttonBase = { command: 'link', subject: username };
  return {
    content: [
      t('link.proof.task', { player, code, time: formatMoment(until, 'clock', t) }),
      ...(lastCheck === null ? [] : ['', ...foundLines(lastCheck, { player, code }, t)]),
    ].join('\n'),
    components: [
      buttonRow(
        { ...buttonBase, action: 'check', label: t('link.proof.check') },
        { ...buttonBase, action: 'cancel', label: t('link.proof.cancel') },
      ),
    ],
  };
}

function foundLines(
  lastCheck: ProofCheck,
  names: { readonly player: string; readonly code: string },
  t: Translator,
) {
  if (lastCheck.kind === 'no-looks') return [t('link.proof.noLooks')];
  const name =
    lastCheck.kind === 'called' && lastCheck.nickname !== null ? escapeGameText(lastCheck.nickname) : '';
  if (lastCheck.kind !== 'called' || name === '') return [t('link.proof.absent', names)];
  return compact(
    lastCheck.answer && oldData(lastCheck.answer, t),
    t('link.proof.called', { ...names, name }),
  );
}

/** The end of a proof: nothing is left to press. */
export function provedText(t: Translator) {
  return { content: t('link.proof.done'), components: [] };
}

/** `wait`: in ms, as below. */
export function tooManyText(wait: number, t: Translator): string {
  return t('link.proof.tooMany', { in: inTime(wait, t) });
}

/** A wish of a link that is neither proved nor old enough. */
export function soonText(wait: number, t: Translator): string {
  return t('privacy.soon', { in: inTime(wait, t) });
}
