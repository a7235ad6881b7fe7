import type { Translator } from '../../i18n/translator.ts';
import type { Button } from './card.ts';

/** Opens the window of that command which links the person's driver, and then answers as the command does. */
export function linkButton(command: string, t: Translator): Button {
  return { command, action: 'form', subject: '', label: t('link.own') };
}

export function proveButton(subject: string, t: Translator): Button {
  return { command: 'link', action: 'prove', subject, label: t('link.proof.begin') };
}
