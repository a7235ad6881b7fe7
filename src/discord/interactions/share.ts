import { ChannelType, PermissionFlagsBits } from 'discord-api-types/v10';
import { pressed } from '../../app/action.ts';
import type { Reply } from '../../app/reply.ts';
import type { Viewer } from '../../app/viewer.ts';
import type { Claims } from '../../base/claims.ts';
import { MINUTE, SECOND } from '../../base/duration.ts';
import { UserError } from '../../base/errors.ts';
import { readCustomId } from '../../cards/kit/custom-id.ts';
import { type Interaction, isPrivate } from '../interaction.ts';
import { allows } from '../permissions.ts';
import type { Commands } from '../publish/load.ts';
import { personOf } from './args.ts';
import { type Asked, admit, traitsOf } from './asked.ts';
import type { Destination } from './deliver.ts';

const THREADS = [ChannelType.AnnouncementThread, ChannelType.PublicThread, ChannelType.PrivateThread];

/** Whether an answer gets a *Share* button: nobody else sees it, anyone could ask for it, and the person may write there. */
export function isShareable(
  { isForAnyone, destination }: Pick<Asked, 'isForAnyone' | 'destination'>,
  { ephemeral }: Reply,
  { settings: { sharing } }: Pick<Viewer, 'settings'>,
): boolean {
  const { to, interaction } = destination;
  const isInPrivate = to === 'in-place' && isPrivate(interaction.raw.message ?? {});
  const isSeenByOne = to === 'private' || ephemeral === true || isInPrivate;
  return isForAnyone && isSeenByOne && sharing && mayWrite(interaction);
}

/** Not where only this person has installed the bot: that server has not invited it to speak. */
function mayWrite(interaction: Destination['interaction']): boolean {
  const { channel, member } = interaction.raw;
  const isThread = THREADS.some((type) => type === channel?.type);
  const needed = isThread ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
  return personOf(interaction).guildId !== null && allows(member?.permissions, needed);
}

/**
 * A press of *Share*, which asks for the view once more: who has been hidden since then is not in it. Null for any
 * other press.
 */
export function readShare(
  interaction: Interaction<'press'>,
  commands: Commands,
  claims: Claims,
): Asked | null {
  const id = readCustomId(interaction.raw.data.custom_id);
  const command = id?.share ? commands.get(id.command) : undefined;
  if (id === null || command?.actions === undefined || command.visibility !== 'choice') return null;
  const run = pressed(command.actions, id, []);
  let end: Awaited<ReturnType<typeof claimShare>> = null;
  return {
    command: id.command,
    detail: { action: 'share' },
    destination: { to: 'shared', interaction },
    ...traitsOf(command),
    async run(context) {
      const { store, person, t } = context;
      if (run === null) throw new UserError(t('discord.oldButton'));
      admit(command, context);
      const { sharing } = await store.settings.of(person.guildId);
      if (!sharing) throw new UserError(t('share.forbidden'));
      if (!mayWrite(interaction)) throw new UserError(t('share.mayNotWrite'));
      end = await claimShare(claims, interaction);
      if (end === null) throw new UserError(t('share.already'));
      const reply = await run(context);
      const by = t('share.by', { person: `<@${person.id}>` });
      return { ...reply, content: reply.content === undefined ? by : `${by}\n${reply.content}` };
    },
    settled: (result) => end?.(result === 'answered'),
  };
}

/** In ms: a view that takes longer to be asked for can be shared by another press. */
const ASKING = MINUTE;
/** How long after a view was shared its button does nothing more, in ms: a second click has arrived by then. */
const SECOND_CLICK = 10 * SECOND;

/**
 * Takes the view that is pressed, and gives it back by the returned function: unless it was shared, it can be pressed
 * again at once. Null where an earlier press shares it already. Rejects where the store fails.
 */
async function claimShare({ claim, release }: Claims, { raw: { message, data } }: Interaction<'press'>) {
  const key = `share:${message.id} ${data.custom_id}`;
  if (!(await claim(key, ASKING))) return null;
  // A claim that cannot be given back ends by itself.
  const giveBack = (): void => void release(key).catch(() => {});
  return (isShared: boolean): void => {
    if (isShared) setTimeout(giveBack, SECOND_CLICK).unref();
    else giveBack();
  };
}
