import { escapeMarkdown, joinParts } from '../../cards/kit/lines.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Rule } from './rule.ts';

/** "25 hours in 30 days". `inLine`: how a name is made safe where it is written. */
function earnedBy(
  when: Rule['when'],
  t: Translator,
  inLine: (name: string) => string = escapeMarkdown,
): string {
  switch (when.kind) {
    case 'proved':
      return t('roles.by.proved');
    case 'licence':
      return t('roles.by.licence', { type: inLine(when.type) });
    default:
      return t(`roles.by.${when.kind}`, { count: when.atLeast });
  }
}

/** The reason in Discord's audit log, which shows no markdown: "Pitwall: 25 hours in 30 days". */
export function auditReason({ when }: Pick<Rule, 'when'>, t: Translator): string {
  return `Pitwall: ${earnedBy(when, t, (name) => name)}`;
}

/** "@Veteran: 25 hours in 30 days · verified drivers · permanent once earned". */
export function ruleLine(
  { role, when, keep, linked }: Pick<Rule, 'role' | 'when' | 'keep' | 'linked'>,
  t: Translator,
): string {
  // "A verified driver" says already whose drivers count.
  const whose = linked
    ? t('roles.drivers.linked')
    : when.kind === 'proved'
      ? null
      : t('roles.drivers.proved');
  const what = joinParts(earnedBy(when, t), whose, keep ? t('roles.keeps') : null);
  return t('roles.line', { role: `<@&${role}>`, what });
}
