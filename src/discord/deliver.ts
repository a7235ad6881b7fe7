import {
  type ChatInputCommandInteraction,
  DiscordAPIError,
  HTTPError,
  type MessageComponentInteraction,
  MessageFlags,
  RESTJSONErrorCodes,
  type UserContextMenuCommandInteraction,
} from 'discord.js';
import type { Reply, Visibility } from '../app/reply.ts';
import { within } from '../clock.ts';
import type { Translator } from '../i18n/translator.ts';
import type { Log } from '../log.ts';
import { bugMessage, type OnBug, type Outcome } from './outcome.ts';

/** Where a reply goes: a new message, or over the one whose button was pressed. */
export type Destination =
  | {
      readonly to: Visibility;
      readonly interaction:
        | ChatInputCommandInteraction
        | MessageComponentInteraction
        | UserContextMenuCommandInteraction;
    }
  | { readonly to: 'in-place'; readonly interaction: MessageComponentInteraction };

const noMentions = { parse: [] };

/** It came too late, somebody else answered, or what it was about is gone: nobody is there to be told. */
const TOO_LATE: readonly (number | string)[] = [
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownMessage,
];

/**
 * Replies with what comes of the work. Work that takes longer than the grace (milliseconds) is acknowledged first
 * and its reply edited in, so that chat hears of us in time whatever the work waits for. Never rejects.
 */
export async function deliver(
  destination: Destination,
  work: Promise<Outcome>,
  {
    deferAfter,
    t,
    log,
    onBug,
  }: { readonly deferAfter: number; readonly t: Translator; readonly log: Log; readonly onBug: OnBug },
): Promise<void> {
  try {
    const early = await within(work, deferAfter);
    if (early === null) await answerLater(destination, work);
    else await answerNow(destination, early);
  } catch (error) {
    if (error instanceof DiscordAPIError && TOO_LATE.includes(error.code)) {
      log.warn({ err: error }, 'reply too late');
      return;
    }
    if (isOutage(error)) {
      log.warn({ err: error }, 'Discord did not take the reply');
      return;
    }
    await tellOfBug(destination, bugMessage(error, t, log, onBug), log);
  }
}

async function answerNow(destination: Destination, { reply, failed }: Outcome): Promise<void> {
  // The message that was pressed is still right; only the person is told what went wrong.
  if (failed || reply.ephemeral) await destination.interaction.reply(message(reply, 'private'));
  else if (destination.to === 'in-place') await destination.interaction.update(replacement(reply));
  else await destination.interaction.reply(message(reply, destination.to));
}

async function answerLater(destination: Destination, work: Promise<Outcome>): Promise<void> {
  const { interaction } = destination;
  if (destination.to === 'in-place') await destination.interaction.deferUpdate();
  else await interaction.deferReply(destination.to === 'private' ? { flags: MessageFlags.Ephemeral } : {});
  const { reply, failed } = await work;
  // A deferred reply stays as public as it was announced, failed or not.
  if ((failed || reply.ephemeral) && destination.to === 'in-place')
    await interaction.followUp(message(reply, 'private'));
  else await interaction.editReply(replacement(reply));
}

async function tellOfBug({ to, interaction }: Destination, content: string, log: Log): Promise<void> {
  try {
    if (!interaction.deferred && !interaction.replied)
      await interaction.reply(message({ content }, 'private'));
    else if (to === 'in-place' || interaction.replied)
      await interaction.followUp(message({ content }, 'private'));
    else await interaction.editReply(replacement({ content }));
  } catch (error) {
    log.warn({ err: error }, 'error message not delivered');
  }
}

/** Chat in trouble, or out of reach: the client has tried again already. */
function isOutage(error: unknown): boolean {
  if (error instanceof DiscordAPIError || !(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return error instanceof HTTPError || error.name === 'AbortError' || /^(UND_ERR_|E[A-Z]+$)/.test(code);
}

function parts({ embeds = [], components = [], files = [] }: Reply) {
  return {
    embeds: [...embeds],
    components: [...components],
    files: files.map(({ name, text }) => ({ name, attachment: Buffer.from(text) })),
    allowedMentions: noMentions,
  };
}

function message(reply: Reply, visibility: Visibility) {
  return {
    ...parts(reply),
    ...(reply.content === undefined ? {} : { content: reply.content }),
    ...(visibility === 'private' ? { flags: MessageFlags.Ephemeral as const } : {}),
  };
}

/** The whole message anew: what the reply lacks is taken away. */
function replacement(reply: Reply) {
  return { ...parts(reply), content: reply.content ?? null, attachments: [] };
}
