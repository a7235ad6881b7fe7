/** *Share*: the button below a private answer that shows it to the whole channel. */
import { ComponentType, type MessageComponentInteraction, PermissionFlagsBits } from 'discord.js';
import { createBoundedMap } from '../../base/bounded.ts';
import type { Clock } from '../../base/clock.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { UserError } from '../../base/errors.ts';
import { type ActionRow, buttonRow } from '../../cards/kit/card.ts';
import { type CustomId, readCustomId } from '../../cards/kit/custom-id.ts';
import { findPressedAction } from '../../command-kit/action.ts';
import type { AnyCommand } from '../../command-kit/command.ts';
import { requireRights } from '../../command-kit/context.ts';
import type { Reply } from '../../command-kit/reply.ts';
import type { Viewer } from '../../command-kit/viewer.ts';
import type { Translator } from '../../i18n/translator.ts';
import { personOf } from '../interaction.ts';
import type { Commands } from '../publish/load.ts';
import { type ReplyInteraction, type ReplyRequest, UNKNOWN } from './request.ts';

/** An answer that one person sees gets a *Share* button: anyone could ask for it, and the person may write there. */
export function isShareable(
  { command, destination }: Pick<ReplyRequest, 'command' | 'destination'>,
  { settings: { sharing } }: Pick<Viewer, 'settings'>,
): boolean {
  return command !== undefined && maySeeAll(command) && sharing && mayWrite(destination.interaction);
}

/** True for a command whose answers everyone may read. */
function maySeeAll({ visibility }: Pick<AnyCommand, 'visibility'>): boolean {
  return visibility === 'choice' || visibility === 'shareable';
}

/** Not where only this person has installed the bot: that server has not invited it to speak. */
function mayWrite(interaction: ReplyInteraction): boolean {
  const { channel, memberPermissions } = interaction;
  const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  // A place that the gateway has not told of may be a thread or not.
  const bothRights = SendMessages | SendMessagesInThreads;
  const requiredRights = channel?.isThread() ? SendMessagesInThreads : channel ? SendMessages : bothRights;
  return personOf(interaction).guildId !== null && memberPermissions?.has(requiredRights) === true;
}

/** In ms: a view that takes longer to be asked for can be shared by another press. */
const ASK_TIMEOUT_MS = MINUTE;
/** How long after a view was shared its button does nothing more, in ms: a second click has arrived by then. */
const SECOND_CLICK_MS = 10 * SECOND;
/** Views that are remembered at once. */
const MAX_VIEWS = 10_000;

/**
 * Returns a function that reads a press of *Share*, which asks for the view once more: who has been hidden since then is not
 * in it. A view is shared once at a time; a message's presses all come to one process.
 */
export function createShareReader({
  commands,
  clock,
}: {
  readonly commands: Commands;
  readonly clock: Pick<Clock, 'monotonic'>;
}) {
  /** The views that are being shared, or were a moment ago, until when (monotonic ms). */
  const sharedUntil = createBoundedMap<string, number>(MAX_VIEWS);

  return (interaction: MessageComponentInteraction, id: CustomId): ReplyRequest => {
    const command = commands.get(id.command);
    const actions = command !== undefined && maySeeAll(command) ? (command.actions ?? {}) : null;
    const run = actions === null ? null : findPressedAction(actions, id, []);
    const view = `${interaction.message.id} ${interaction.customId}`;
    let isTaken = false;
    return {
      kind: 'reply',
      name: run === null ? UNKNOWN : id.command,
      command,
      detail: { action: 'share' },
      destination: { to: 'shared', interaction },
      async run(context) {
        const { store, person, t } = context;
        if (command === undefined || run === null) throw new UserError(t('discord.oldButton'));
        requireRights(command, context);
        const { sharing } = await store.guildSettings.of(person.guildId);
        if (!sharing) throw new UserError(t('share.forbidden'));
        if (!mayWrite(interaction)) throw new UserError(t('share.mayNotWrite'));
        const now = clock.monotonic();
        if (now < (sharedUntil.get(view) ?? now)) throw new UserError(t('share.already'));
        sharedUntil.set(view, now + ASK_TIMEOUT_MS);
        isTaken = true;
        const reply = await run(context);
        const by = t('share.by', { person: `<@${person.id}>` });
        return { ...reply, content: reply.content === undefined ? by : `${by}\n${reply.content}` };
      },
      settled(result) {
        if (!isTaken) return;
        if (result === 'answered') sharedUntil.set(view, clock.monotonic() + SECOND_CLICK_MS);
        else sharedUntil.delete(view);
      },
    };
  };
}

/** Discord's limits: buttons of a row, rows of a message. */
const MAX_COMPONENTS = { buttons: 5, rows: 5 };

/**
 * The reply with *Share* beside its *Refresh*, whose id holds all that it takes to show the same view once more; in the last row
 * where the reply names its view. Unchanged where there is neither, or no room.
 */
export function addShareButton(reply: Reply, t: Translator): Reply {
  return changeRows(reply, (rows) => rowsWithShare(rows, reply.view ?? null, t));
}

function rowsWithShare(
  rows: readonly ActionRow[],
  view: CustomId | null,
  t: Translator,
): readonly ActionRow[] {
  const refreshes = ({ components }: ActionRow) => components.map(refreshed).find((id) => id !== null);
  const refreshRow = rows.findIndex((row) => refreshes(row) !== undefined);
  const at = refreshRow === -1 ? rows.length - 1 : refreshRow;
  const row = rows[at];
  const id = (row && refreshes(row)) ?? view;
  if (id === null) return rows;
  const share = { ...id, refresh: false, share: true, label: t('share.button'), emoji: '📣' };
  return addButtons(rows, at, buttonRow(share));
}

/** The reply of one reader with that person's embeds, and their buttons in the last row or, where that is full, below it. */
export function addOwnParts({ ownButtons, ownEmbeds, ...others }: Reply): Reply {
  const reply = ownEmbeds === undefined ? others : { ...others, embeds: ownEmbeds };
  if (ownButtons === undefined) return reply;
  return changeRows(reply, (rows) => addButtons(rows, rows.length - 1, ownButtons));
}

/** Changes the rows of the text, and those of the picture in its place if it has its own. */
function changeRows(reply: Reply, change: (rows: readonly ActionRow[]) => readonly ActionRow[]): Reply {
  const { components = [], picture } = reply;
  const changed = { ...reply, components: change(components) };
  if (picture?.components === undefined) return changed;
  return { ...changed, picture: { ...picture, components: change(picture.components) } };
}

/** Adds buttons to the row at that index or, if it has no room, in a row below all. Unchanged where there is room in neither. */
function addButtons(rows: readonly ActionRow[], at: number, added: ActionRow): readonly ActionRow[] {
  const row = rows[at];
  if (row !== undefined && row.components.length + added.components.length <= MAX_COMPONENTS.buttons)
    return rows.with(at, { ...row, components: [...row.components, ...added.components] });
  return rows.length === MAX_COMPONENTS.rows ? rows : [...rows, added];
}

function refreshed(component: ActionRow['components'][number]) {
  const id = 'custom_id' in component ? readCustomId(component.custom_id) : null;
  return id?.refresh ? id : null;
}

/** The rows of the private answer once it is shared: its *Share* says so, and cannot be pressed again. */
export function sharedRows(
  { message, customId }: MessageComponentInteraction,
  t: Translator,
): readonly ActionRow[] {
  return message.components.flatMap((part): readonly ActionRow[] => {
    if (part.type !== ComponentType.ActionRow) return [];
    const row = part.toJSON();
    const components = row.components.map((component) =>
      component.type === ComponentType.Button && 'custom_id' in component && component.custom_id === customId
        ? { ...component, label: t('share.done'), disabled: true }
        : component,
    );
    return [{ ...row, components }];
  });
}
