/** *Share*: the button below a private answer that shows it to the whole channel. */
import { ComponentType } from 'discord-api-types/v10';
import type { Reply } from '../../app/reply.ts';
import { buttons, type Row } from '../../cards/kit/card.ts';
import { readCustomId } from '../../cards/kit/custom-id.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Interaction } from '../interaction.ts';

/** Discord's limits: buttons of a row, rows of a message. */
const LIMIT = { buttons: 5, rows: 5 };

/**
 * The reply with *Share* beside its *Refresh*, whose id holds all that it takes to show the same view once more.
 * Unchanged where there is none, or no room.
 */
export function withShare(reply: Reply, t: Translator): Reply {
  const rows = reply.components ?? [];
  const refreshes = ({ components }: Row) => components.map(refreshed).find((id) => id !== null);
  const at = rows.findIndex((row) => refreshes(row) !== undefined);
  const row = rows[at];
  const id = row === undefined ? undefined : refreshes(row);
  if (row === undefined || id === undefined) return reply;
  const share = { ...id, refresh: false, share: true, label: t('share.button'), emoji: '📣' };
  const added = buttons(share);
  if (row.components.length < LIMIT.buttons)
    return {
      ...reply,
      components: rows.with(at, { ...row, components: [...row.components, ...added.components] }),
    };
  return rows.length === LIMIT.rows ? reply : { ...reply, components: [...rows, added] };
}

function refreshed(component: Row['components'][number]) {
  const id = 'custom_id' in component ? readCustomId(component.custom_id) : null;
  return id?.refresh ? id : null;
}

/** The rows of the private answer once it is shared: its *Share* says so, and cannot be pressed again. */
export function sharedRows({ raw: { message, data } }: Interaction<'press'>, t: Translator): readonly Row[] {
  return (message.components ?? []).flatMap((row): readonly Row[] => {
    if (row.type !== ComponentType.ActionRow) return [];
    const components = row.components.map((component) =>
      component.type === ComponentType.Button &&
      'custom_id' in component &&
      component.custom_id === data.custom_id
        ? { ...component, label: t('share.done'), disabled: true }
        : component,
    );
    return [{ ...row, components }];
  });
}
