import {
  type APIInteractionResponseCallbackData,
  DiscordAPIError,
  MessageFlags,
  MessagePayload,
  RateLimitError,
  type RawFile,
  RESTJSONErrorCodes,
} from 'discord.js';
import { type Clock, resolveWithin, sleep } from '../../base/clock.ts';
import { StoreError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { compact } from '../../cards/kit/lines.ts';
import type { Reply, Visibility } from '../../command-kit/reply.ts';
import { noMentions } from '../rest/message-body.ts';
import {
  hasCode,
  isBlockedContent,
  isBusy,
  isOutage,
  isUnsent,
  resendUntilConfirmed,
  Unconfirmed,
} from '../rest/resend.ts';
import {
  bugMessage,
  failedOutcome,
  inWords,
  type Outcome,
  type ReportTarget,
  type Result,
} from './failure.ts';
import type { Destination, ReplyInteraction } from './request.ts';
import { sharedRows } from './share.ts';

/** Too late, answered elsewhere, or the message or its channel is gone: nobody is left to read an error. */
const TOO_LATE: readonly (number | string)[] = [
  RESTJSONErrorCodes.UnknownInteraction,
  RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged,
  RESTJSONErrorCodes.UnknownWebhook,
  RESTJSONErrorCodes.InvalidWebhookToken,
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
];

/**
 * Replies with the outcome of the work. Work that takes longer than `deferAfter` (ms) is acknowledged first and its
 * reply edited in, so that Discord hears from us in time. Never rejects.
 */
export async function deliverReply(
  destination: Destination,
  work: Promise<Outcome>,
  parts: Pick<ReportTarget, 'log' | 'clock'> & {
    /** In ms. */
    readonly deferAfter: number;
    /** Another process may have answered, as expected. */
    readonly isContested: boolean;
    /** Not waited for before the acknowledgement. Never rejects. */
    readonly reporting: Promise<ReportTarget>;
  },
): Promise<{
  readonly result: Result;
  /** When Discord had taken the first response, by the monotonic clock; null where it took none. */
  readonly acknowledgedAt: number | null;
}> {
  const { deferAfter, isContested, log, clock, reporting } = parts;
  let acknowledgedAt: number | null = null;
  const acknowledge = (): void => {
    acknowledgedAt = clock.monotonic();
  };
  try {
    const earlyOutcome = await resolveWithin(work, deferAfter, clock);
    if (destination.to === 'shared') await share(destination, work, acknowledge, reporting);
    else if (earlyOutcome === null) await answerLater(destination, work, acknowledge, reporting);
    else await answerNow(destination, earlyOutcome, acknowledge, await reporting);
    return { result: (await work).result, acknowledgedAt };
  } catch (error) {
    if (error instanceof DiscordAPIError && TOO_LATE.includes(error.code)) {
      const isAnsweredElsewhere = error.code === RESTJSONErrorCodes.InteractionHasAlreadyBeenAcknowledged;
      log[isAnsweredElsewhere && isContested ? 'debug' : 'warn'](
        { err: error },
        isAnsweredElsewhere ? 'another process with this token has answered' : 'reply too late',
      );
    } else if (error instanceof Unconfirmed) log.warn({ err: error }, 'Discord did not confirm the reply');
    // A wait that is longer than anybody's: one more request would not be taken either.
    else if (isOutage(error) || isBusy(error) || error instanceof RateLimitError)
      log.warn({ err: error }, 'Discord did not accept the reply');
    else if (isBlockedContent(error)) {
      log.warn({ err: error }, 'AutoMod of the server blocked the reply');
      const { t } = await reporting;
      await tellInstead(destination, t('discord.blocked'), log);
      return { result: 'declined', acknowledgedAt };
    } else await tellInstead(destination, bugMessage(error, await reporting), log);
    return { result: 'failed', acknowledgedAt };
  }
}

/** Sends the person alone what is to be said after the answer; null: nothing. Never rejects. */
export async function sendNotice(
  interaction: ReplyInteraction,
  compose: () => Promise<Reply | null>,
  log: Log,
): Promise<void> {
  try {
    // Without an answer there is nothing to follow.
    if (!interaction.replied && !interaction.deferred) return;
    const reply = await compose();
    if (reply !== null)
      await followUpOnce(interaction, message({ reply, png: null, result: 'answered' }, 'private'));
  } catch (error) {
    // An outage of the store has its own line, and not one for each interaction.
    if (!(error instanceof StoreError)) log.warn({ err: error }, 'notice not delivered');
  }
}

async function answerNow(
  destination: Exclude<Destination, { readonly to: 'shared' }>,
  outcome: Outcome,
  acknowledge: () => void,
  target: ReportTarget,
): Promise<void> {
  // The pressed message is still correct; only the person sees the error.
  const forOneAlone = isForOneAlone(outcome);
  await orWithoutPicture(outcome, target, (variant) =>
    destination.to === 'in-place' && !forOneAlone
      ? destination.interaction.update(payloadOf(destination.interaction, replacement(variant)))
      : reply(
          destination.interaction,
          message(variant, destination.to === 'public' && !forOneAlone ? 'public' : 'private'),
        ),
  );
  acknowledge();
}

async function answerLater(
  destination: Exclude<Destination, { readonly to: 'shared' }>,
  work: Promise<Outcome>,
  acknowledge: () => void,
  reporting: Promise<ReportTarget>,
): Promise<void> {
  const { to, interaction } = destination;
  if (destination.to === 'in-place') await destination.interaction.deferUpdate();
  else await interaction.deferReply(to === 'private' ? { flags: MessageFlags.Ephemeral } : {});
  acknowledge();
  const outcome = await work;
  const target = await reporting;
  const forOneAlone = isForOneAlone(outcome);
  // Deletes the public "thinking" message: an error is nobody else's business.
  if (forOneAlone && to === 'public') await deleteReply(interaction);
  await orWithoutPicture(outcome, target, (variant) =>
    forOneAlone && to !== 'private'
      ? followUp(interaction, message(variant, 'private'), target, 'discord.unconfirmed')
      : editReply(interaction, replacement(variant)),
  );
}

/**
 * Discord lets a bot speak to everyone below a private message only after an acknowledgement that leaves that one as
 * it is. Then the button says that it is done.
 */
async function share(
  { interaction }: Extract<Destination, { readonly to: 'shared' }>,
  work: Promise<Outcome>,
  acknowledge: () => void,
  reporting: Promise<ReportTarget>,
): Promise<void> {
  await interaction.deferUpdate();
  acknowledge();
  const outcome = await work;
  const target = await reporting;
  const forOneAlone = isForOneAlone(outcome);
  await orWithoutPicture(outcome, target, (variant) =>
    forOneAlone
      ? followUp(interaction, message(variant, 'private'), target, 'discord.unconfirmed')
      : followUp(interaction, message(variant, 'public'), target, 'share.unconfirmed'),
  );
  if (forOneAlone) return;
  const components = [...sharedRows(interaction, target.t)];
  await editReply(interaction, { body: { components }, files: [] }).catch((error: unknown) =>
    target.log.warn({ err: error }, 'a shared answer could not be marked'),
  );
}

function isForOneAlone({ result, reply }: Outcome): boolean {
  return result !== 'answered' || reply.ephemeral === true;
}

/** Discord may refuse an upload although the bot may attach files: the words come without it. */
async function orWithoutPicture(
  outcome: Outcome,
  { t, log, clock }: ReportTarget,
  send: (variant: Outcome) => Promise<unknown>,
): Promise<void> {
  try {
    await sendWhenFree(clock, () => send(outcome));
  } catch (error) {
    const isRefused = error instanceof DiscordAPIError && !TOO_LATE.includes(error.code);
    if (outcome.png === null || !isRefused || isBusy(error) || isBlockedContent(error)) throw error;
    log.warn({ err: error }, 'Discord did not accept the picture');
    await sendWhenFree(clock, () => send(inWords(outcome, 'never', t)));
  }
}

/**
 * Sends one more message after the first response, at most once. Where nobody knows whether Discord has taken it, the
 * person is told so, also at most once, and this rejects with {@link Unconfirmed}.
 */
async function followUp(
  interaction: ReplyInteraction,
  message: Message,
  { t, log }: ReportTarget,
  doubt: 'discord.unconfirmed' | 'share.unconfirmed',
): Promise<void> {
  const send = () => followUpOnce(interaction, message);
  try {
    await send().catch((error: unknown) => (isUnsent(error) ? send() : Promise.reject(error)));
  } catch (error) {
    // Discord has refused it, or it could not be sent twice.
    if (!isOutage(error) || isUnsent(error)) throw error;
    const notice = { body: { content: t(doubt), flags: MessageFlags.Ephemeral }, files: [] };
    await followUpOnce(interaction, notice).catch((secondError: unknown) =>
      log.warn({ err: secondError }, 'the person could not be notified either'),
    );
    // An answer that breaks off after its headers is unconfirmed as well.
    throw error instanceof Unconfirmed ? error : new Unconfirmed(null, error);
  }
}

/** Tells the person alone why there is no answer. A public message that waits for it goes. Never rejects. */
async function tellInstead({ to, interaction }: Destination, content: string, log: Log): Promise<void> {
  const outcome = failedOutcome(content, 'failed');
  try {
    const isWaiting = interaction.deferred && !interaction.replied;
    if (!interaction.replied && !interaction.deferred) await reply(interaction, message(outcome, 'private'));
    else if (to === 'private' && isWaiting) await editReply(interaction, replacement(outcome));
    else {
      if (to === 'public' && isWaiting) await deleteReply(interaction);
      await followUpOnce(interaction, message(outcome, 'private'));
    }
  } catch (error) {
    log.warn({ err: error }, 'error message not delivered');
  }
}

/** Waits before what Discord refuses for the moment is sent again, in ms. A first response has three seconds. */
const BUSY_WAITS_MS = [500, 1500];

async function sendWhenFree<Sent>(clock: Clock, send: () => Promise<Sent>): Promise<Sent> {
  for (const waitMs of BUSY_WAITS_MS)
    try {
      return await send();
    } catch (error) {
      if (!isBusy(error)) throw error;
      await sleep(clock, waitMs);
    }
  return send();
}

/** A message as Discord takes it. */
interface Message {
  readonly body: APIInteractionResponseCallbackData;
  readonly files: readonly RawFile[];
}

/** The message as the library sends it without a change: of a file it would lose the type. */
function payloadOf(interaction: ReplyInteraction, { body, files }: Message): MessagePayload {
  return Object.assign(new MessagePayload(interaction.webhook, {}), { body, files });
}

function reply(interaction: ReplyInteraction, message: Message): Promise<unknown> {
  return interaction.reply(payloadOf(interaction, message));
}

function editReply(interaction: ReplyInteraction, message: Message): Promise<void> {
  return resendUntilConfirmed(() => whenTaken(interaction.editReply(payloadOf(interaction, message))));
}

/** Deletes the answer. One that is gone may have been deleted by a first attempt whose answer was lost. */
async function deleteReply(interaction: ReplyInteraction): Promise<void> {
  try {
    await resendUntilConfirmed(() => interaction.deleteReply());
  } catch (error) {
    if (!hasCode(error, RESTJSONErrorCodes.UnknownMessage)) throw error;
  }
}

function followUpOnce(interaction: ReplyInteraction, message: Message): Promise<void> {
  return whenTaken(interaction.followUp(payloadOf(interaction, message)));
}

/** Resolves when Discord has taken the message. The library also reads the answer, and throws for one that it cannot read. */
async function whenTaken(sending: Promise<unknown>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

function message(outcome: Outcome, visibility: Visibility): Message {
  const content = contentOf(outcome);
  return messageOf(outcome, {
    ...(content === '' ? {} : { content }),
    ...(visibility === 'private' ? { flags: MessageFlags.Ephemeral } : {}),
  });
}

/** Replaces the whole message, clearing what the reply lacks; its files too. */
function replacement(outcome: Outcome): Message {
  return messageOf(outcome, { content: contentOf(outcome) });
}

function contentOf({ reply: { content, picture }, png }: Outcome): string {
  const lineAbove = png === null ? null : picture?.lineAbove;
  return compact(content ?? null, lineAbove ?? null).join('\n');
}

function messageOf({ reply, png }: Outcome, rest: Message['body']): Message {
  const picture = png === null ? undefined : reply.picture;
  const { embeds = [], components = [] } = { ...reply, ...picture };
  const files = (reply.files ?? []).map(({ name, text }) => file(name, text, 'text/plain'));
  const attachments: Message['body']['attachments'] = files.map((_, index) => ({ id: String(index) }));
  if (png !== null && picture !== undefined) {
    attachments.push({ id: String(files.length), description: picture.alt });
    files.push(file(`${picture.name}.png`, png, 'image/png'));
  }
  return {
    body: {
      ...rest,
      embeds: [...embeds],
      components: [...components],
      attachments,
      ...noMentions,
    },
    files,
  };
}

/** Returns an attachment with its type, which the bundle cannot guess. */
const file = (name: string, data: string | Uint8Array, contentType: string) => ({
  name,
  data: Buffer.from(data),
  contentType,
});
