/** Buttons below a card that set an alert about what it shows. A press makes what `/watch` makes. */
import type { Translator } from '../../i18n/translator.ts';
import { type ActionRow, type Button, buttonRow } from './card.ts';
import { fitsCustomId } from './custom-id.ts';

/** The data service in a button's id, where another one names a server. */
export const DATA_SERVICE = 'service';

/** `subject`: a login name, a VIN, a server or `service`. None where it does not fit into a button's id. */
export function tellButtons(
  kind: 'driver' | 'car' | 'outage',
  subject: string,
  t: Translator,
): readonly Button[] {
  const id = { command: 'watch', action: 'tell', subject: `${kind} ${subject}` };
  return fitsCustomId(id) ? [{ ...id, label: t('watch.tell'), emoji: '🔔' }] : [];
}

/** A row with a button for each kind of duty. */
export function dutyRows(t: Translator): readonly ActionRow[] {
  const buttons = (['police', 'medic', 'tow', 'chase'] as const).map((duty) => ({
    ...{ command: 'watch', action: 'tell', subject: `duty ${duty}` },
    label: t(`watch.role.${duty}`),
    emoji: '🔔',
  }));
  return [buttonRow(...buttons)];
}

/** Asks for one message when a server has a free slot. `label`: its name to be shown. */
export function slotButtons(server: string | null, label: string, t: Translator): readonly Button[] {
  const id = { command: 'slots', action: 'tell', subject: server ?? '' };
  if (server === null || !fitsCustomId(id)) return [];
  return [{ ...id, label: t('watch.slot.alertMe', { server: label }), emoji: '🔔' }];
}
