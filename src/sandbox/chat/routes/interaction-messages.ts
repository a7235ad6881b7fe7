/** The messages of an interaction: its reply, the follow-ups, and the one whose component was used. */
import {
  type APIMessage,
  InteractionType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
} from 'discord.js';
import { refusal } from '../api-error.ts';
import type { Guilds } from '../guild/guilds.ts';
import type { MessageForm } from '../judge/message-form.ts';
import type { RestRequest } from '../rest/rest.ts';
import type { Interaction } from '../state/interactions.ts';
import type { Body, Draft, Messages } from '../state/messages.ts';
import type { Attachments } from './attachments.ts';
import { editedBody, newBody, pingsOf, requestedFlags } from './message-body.ts';

type Files = RestRequest['files'];

export interface InteractionMessages {
  reply(interaction: Interaction, form: MessageForm, files: Files): APIMessage;
  /** An empty reply, which shows as "thinking" until it is edited. */
  think(interaction: Interaction, form: MessageForm): APIMessage;
  followUp(interaction: Interaction, form: MessageForm, files: Files): APIMessage;
  edit(message: APIMessage, form: MessageForm, files: Files): APIMessage;
  /** `@original` (the reply), or a follow-up of the same interaction. Throws 10008. */
  find(interaction: Interaction, which: string): APIMessage;
}

export function createInteractionMessages(
  guilds: Guilds,
  messages: Messages,
  attachments: Attachments,
): InteractionMessages {
  function send(interaction: Interaction, body: Body, form: MessageForm | null, first: boolean): APIMessage {
    const { channelId, person } = interaction;
    const isPrivate = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
    return messages.create({
      channelId,
      author: guilds.main.bot,
      readerId: isPrivate ? person.id : null,
      ...body,
      pings: pingsOf(guilds.of(channelId), body.content ?? '', form ?? {}),
      more: originOf(interaction, guilds.main.bot.id, first),
    });
  }

  function bodyOf(form: MessageForm, files: Files): Body {
    return newBody(form, attachments.keep(files, form.attachments), requestedFlags(form, true));
  }

  return {
    reply: (interaction, form, files) => send(interaction, bodyOf(form, files), form, true),
    think(interaction, form) {
      return send(interaction, { flags: requestedFlags(form, true) | MessageFlags.Loading }, null, true);
    },
    followUp: (interaction, form, files) => send(interaction, bodyOf(form, files), form, false),
    edit(message, form, files) {
      const body = editedBody(form, attachments.keep(files, form.attachments), message);
      const { content } = form;
      const guild = guilds.of(message.channel_id);
      return messages.edit(message, body, content === undefined ? null : pingsOf(guild, content ?? '', form));
    },
    find(interaction, which) {
      const message =
        which === '@original'
          ? messages.find(interaction.originalId ?? '')
          : messages.get(interaction.channelId, which);
      if (message === undefined || !belongs(message, interaction)) throw refusal('unknown-message');
      return message;
    },
  };
}

/** Part of a message about the interaction that it answers. */
function originOf(interaction: Interaction, botId: string, first: boolean): NonNullable<Draft['more']> {
  const { channelId, person, metadata, name, id, type, sourceId, originalId } = interaction;
  const command = type === InteractionType.ApplicationCommand;
  const answersTo = first ? sourceId : originalId;
  return {
    type: command && first ? MessageType.ChatInputCommand : MessageType.Reply,
    application_id: botId,
    webhook_id: botId,
    interaction_metadata: first ? metadata : { ...metadata, original_response_message_id: originalId ?? id },
    ...(command && { interaction: { id, type, name, user: person } }),
    ...(answersTo !== null && {
      message_reference: {
        type: MessageReferenceType.Default,
        message_id: answersTo,
        channel_id: channelId,
      },
    }),
  };
}

function belongs(message: APIMessage, { id, originalId }: Interaction): boolean {
  return message.id === originalId || message.interaction_metadata?.id === id;
}
