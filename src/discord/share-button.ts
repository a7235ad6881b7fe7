/** *Share*: the button below a private answer that shows it to the whole channel. */
import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import type { Reply } from '../app/reply.ts';
import { readCustomId, writeCustomId } from '../cards/kit/custom-id.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Interaction } from './interaction.ts';

type Row = APIActionRowComponent<APIComponentInMessageActionRow>;

/** Discord's limits: buttons of a row, rows of a message. */
const LIMIT = { buttons: 5, rows: 5 };
const EMOJI = { name: '📣' };

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
  const button = {
    type: ComponentType.Button as const,
    style: ButtonStyle.Secondary as const,
    label: t('share.button'),
    emoji: EMOJI,
    custom_id: writeCustomId({ ...id, refresh: false, share: true }),
  };
  if (row.components.length < LIMIT.buttons)
    return { ...reply, components: rows.with(at, { ...row, components: [...row.components, button] }) };
  if (rows.length === LIMIT.rows) return reply;
  return { ...reply, components: [...rows, { type: ComponentType.ActionRow, components: [button] }] };
}

function refreshed(component: APIComponentInMessageActionRow) {
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
