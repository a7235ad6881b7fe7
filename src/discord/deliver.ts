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
  const { interaction } = destination;
  // The message that was pressed is still right; only the person is told what went wrong.
  if (failed || reply.ephemeral) await acknowledge(() => interaction.reply(message(reply, 'private')));
  else if (destination.to === 'in-place')
    await acknowledge(() => destination.interaction.update(replacement(reply)));
  else await acknowledge(() => interaction.reply(message(reply, destination.to)));
  interaction.replied = true;
}

async function answerLater(destination: Destination, work: Promise<Outcome>): Promise<void> {
  const { to, interaction } = destination;
  if (to === 'in-place') await acknowledge(() => destination.interaction.deferUpdate());
  else
    await acknowledge(() =>
      interaction.deferReply(to === 'private' ? { flags: MessageFlags.Ephemeral } : {}),
    );
  interaction.deferred = true;
  const { reply, failed } = await work;
  const forOneAlone = failed || reply.ephemeral === true;
  if (!forOneAlone || to === 'private') {
    await resend(() => interaction.editReply(replacement(reply)));
    return;
  }
  // What was announced to everyone is taken back: an error is nobody else's business.
  if (to === 'public') await resend(() => interaction.deleteReply());
  await interaction.followUp(message(reply, 'private'));
}

/**
 * Sends the first answer to an interaction. Of a connection that broke nobody knows whether the answer had arrived; so
 * it is sent again, and Discord's "already acknowledged" then means that it had.
 */
async function acknowledge(send: () => Promise<unknown>): Promise<void> {
  let isRepeated = false;
  await resend(async () => {
    try {
      await send();
    } catch (error) {
      const hadArrived =
        isRepeated &&
        error instanceof DiscordAPIError &&
        error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
      if (!hadArrived) throw error;
    } finally {
      isRepeated = true;
    }
  });
}

/** Once more where the connection broke; only for what may be done twice. */
async function resend(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isBrokenConnection(error)) throw error;
    await send();
  }
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

/** Discord in trouble, or out of reach. */
function isOutage(error: unknown): boolean {
  return error instanceof HTTPError || isBrokenConnection(error);
}

/** No answer came, so nobody knows whether the request arrived. */
function isBrokenConnection(error: unknown): boolean {
  if (error instanceof DiscordAPIError || error instanceof HTTPError || !(error instanceof Error))
    return false;
  const code = 'code' in error ? String(error.code) : '';
  return error.name === 'AbortError' || /^(UND_ERR_|E[A-Z]+$)/.test(code);
}

function parts({ embeds = [], components = [], files = [] }: Reply) {
  return {
    embeds: [...embeds],
    components: [...components],
    files: files.map(({ name, text }) => ({ name, attachment: Buffer.from(text) })),
    // No text, whoever wrote it, pings anybody.
    allowedMentions: { parse: [] },
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
