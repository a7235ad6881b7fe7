/** Routes for interaction responses: the callback, and the webhook of its token. */
import {
  type APIMessage,
  InteractionResponseType as Callback,
  InteractionType,
  MessageFlags,
  MessageReferenceType,
  MessageType,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { refusal } from './api-error.ts';
import type { Attachments } from './attachments.ts';
import { invalidForm, readForm } from './form.ts';
import type { Guilds } from './guilds.ts';
import type { Interaction, Interactions } from './interactions.ts';
import { choices } from './limits.ts';
import {
  editedBody,
  type MessageForm,
  newBody,
  pingsOf,
  readMessageForm,
  requestedFlags,
} from './message-form.ts';
import type { Body, Messages } from './messages.ts';
import { ModalForm } from './modal-form.ts';
import { RATES } from './rate-limits.ts';
import type { RestRequest, Route } from './rest.ts';

const callback = z.object({ type: z.int(), data: z.unknown().optional() });
const suggestions = z.object({ choices });

/** The callbacks allowed for each kind of interaction. */
const FITTING: Readonly<Partial<Record<InteractionType, readonly Callback[]>>> = {
  [InteractionType.ApplicationCommand]: [
    Callback.ChannelMessageWithSource,
    Callback.DeferredChannelMessageWithSource,
    Callback.Modal,
  ],
  [InteractionType.MessageComponent]: [
    Callback.Modal,
    Callback.ChannelMessageWithSource,
    Callback.DeferredChannelMessageWithSource,
    Callback.DeferredMessageUpdate,
    Callback.UpdateMessage,
  ],
  [InteractionType.ModalSubmit]: [
    Callback.ChannelMessageWithSource,
    Callback.DeferredChannelMessageWithSource,
  ],
  [InteractionType.ApplicationCommandAutocomplete]: [Callback.ApplicationCommandAutocompleteResult],
};

export interface InteractionRoutesNeeds {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly attachments: Attachments;
}

export function interactionRoutes(needs: InteractionRoutesNeeds): readonly Route[] {
  const { guilds, messages, interactions, attachments } = needs;

  /** Sends a response to the interaction: the reply or a follow-up. */
  function say(interaction: Interaction, body: Body, form: MessageForm | null, first: boolean): APIMessage {
    const isPrivate = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
    const { bot } = guilds.main;
    const { channelId, person, metadata, name, id, type, sourceId, originalId } = interaction;
    const command = type === InteractionType.ApplicationCommand;
    const answersTo = first ? sourceId : originalId;
    return messages.create({
      channelId,
      author: bot,
      readerId: isPrivate ? person.id : null,
      ...body,
      pings: pingsOf(guilds.of(channelId), body.content ?? '', form ?? {}),
      more: {
        type: command && first ? MessageType.ChatInputCommand : MessageType.Reply,
        application_id: bot.id,
        webhook_id: bot.id,
        interaction_metadata: first
          ? metadata
          : { ...metadata, original_response_message_id: originalId ?? id },
        ...(command && { interaction: { id, type, name, user: person } }),
        ...(answersTo !== null && {
          message_reference: {
            type: MessageReferenceType.Default,
            message_id: answersTo,
            channel_id: channelId,
          },
        }),
      },
    });
  }

  function edit(message: APIMessage, form: MessageForm, request: RestRequest): APIMessage {
    // A "thinking" reply is empty; an edit ends that state.
    const body = editedBody(form, attachments.keep(request.files, form.attachments), message);
    const pings =
      form.content === undefined ? null : pingsOf(guilds.of(message.channel_id), form.content ?? '', form);
    return messages.edit(message, body, pings);
  }

  function original(interaction: Interaction): APIMessage {
    const message = messages.find(interaction.originalId ?? '');
    if (message === undefined) throw refusal('unknown-message');
    return message;
  }

  /** `@original` (the reply), or a follow-up of the same interaction. */
  function spoken(interaction: Interaction, which: string): APIMessage {
    if (which === '@original') return original(interaction);
    const message = messages.get(interaction.channelId, which);
    if (message === undefined) throw refusal('unknown-message');
    const own = message.interaction_metadata?.id === interaction.id || which === interaction.originalId;
    if (!own) throw refusal('unknown-message');
    return message;
  }

  /** Performs the callback; returns the message it created or changed, if any. */
  function respond(
    interaction: Interaction,
    type: Callback,
    data: unknown,
    request: RestRequest,
  ): APIMessage | null {
    switch (type) {
      case Callback.ChannelMessageWithSource: {
        const form = readMessageForm(data);
        const body = newBody(
          form,
          attachments.keep(request.files, form.attachments),
          requestedFlags(form, true),
        );
        const message = say(interaction, body, form, true);
        interaction.originalId = message.id;
        interactions.acknowledge(interaction, 'replied');
        interactions.settle(interaction, message);
        return message;
      }
      case Callback.DeferredChannelMessageWithSource: {
        const flags = requestedFlags(readMessageForm(data), true) | MessageFlags.Loading;
        const message = say(interaction, { flags }, null, true);
        interaction.originalId = message.id;
        interactions.acknowledge(interaction, 'deferred');
        return message;
      }
      case Callback.DeferredMessageUpdate:
        interaction.originalId = interaction.sourceId;
        interactions.acknowledge(interaction, 'updated');
        return null;
      case Callback.UpdateMessage: {
        const source = messages.find(interaction.sourceId ?? '');
        if (source === undefined) throw refusal('unknown-message');
        const message = edit(source, readMessageForm(data), request);
        interaction.originalId = message.id;
        interactions.acknowledge(interaction, 'updated');
        interactions.settle(interaction, message);
        return message;
      }
      case Callback.Modal: {
        interaction.form = readForm(z.object({ data: ModalForm }), { data }).data;
        interactions.acknowledge(interaction, 'form');
        interactions.settle(interaction, null);
        return null;
      }
      default: {
        interaction.suggestions = readForm(z.object({ data: suggestions }), { data }).data.choices;
        interactions.acknowledge(interaction, 'suggested');
        interactions.settle(interaction, null);
        return null;
      }
    }
  }

  return [
    {
      method: 'POST',
      path: '/interactions/*/*/callback',
      open: true,
      handle: (request, id = '', token = '') => {
        const interaction = interactions.take(id, token);
        const { type, data } = readForm(callback, request.body);
        const fitting = FITTING[interaction.type]?.find((one) => one === type);
        if (fitting === undefined)
          throw invalidForm([
            {
              path: ['type'],
              code: 'BASE_TYPE_CHOICES',
              message: 'Value is not one of the allowed choices.',
            },
          ]);
        const message = respond(interaction, fitting, data, request);
        if (request.query.get('with_response') !== 'true') return { status: 204 };
        const flags = message?.flags ?? 0;
        return {
          status: 200,
          body: {
            interaction: {
              id,
              type: interaction.type,
              ...(message !== null && {
                response_message_id: message.id,
                response_message_loading: (flags & MessageFlags.Loading) !== 0,
                response_message_ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
              }),
            },
            resource: { type, ...(message !== null && { message }) },
          },
        };
      },
    },
    {
      method: 'GET',
      path: '/webhooks/*/*/messages/*',
      open: true,
      handle: (_, __, token = '', which = '') => ({
        status: 200,
        body: spoken(interactions.byToken(token), which),
      }),
    },
    {
      method: 'PATCH',
      path: '/webhooks/*/*/messages/*',
      open: true,
      rate: RATES.webhook,
      handle: (request, _, token = '', which = '') => {
        const interaction = interactions.byToken(token);
        const message = edit(spoken(interaction, which), readMessageForm(request.body), request);
        if (message.id === interaction.originalId) interactions.settle(interaction, message);
        return { status: 200, body: message };
      },
    },
    {
      method: 'DELETE',
      path: '/webhooks/*/*/messages/*',
      open: true,
      rate: RATES.webhook,
      handle: (_, __, token = '', which = '') => {
        const interaction = interactions.byToken(token);
        const message = spoken(interaction, which);
        const isThinking = ((message.flags ?? 0) & MessageFlags.Loading) !== 0;
        messages.remove(message);
        // After a deleted deferral, a private follow-up may still come.
        if (message.id === interaction.originalId && !isThinking) interactions.settle(interaction, null);
        return { status: 204 };
      },
    },
    {
      method: 'POST',
      path: '/webhooks/*/*',
      open: true,
      rate: RATES.webhook,
      handle: (request, _, token = '') => {
        const interaction = interactions.byToken(token);
        const form = readMessageForm(request.body);
        const reply = messages.find(interaction.originalId ?? '');
        // The first message after a deferral fills the "thinking" reply, with that one's visibility.
        if (reply !== undefined && ((reply.flags ?? 0) & MessageFlags.Loading) !== 0) {
          const message = edit(reply, form, request);
          interactions.settle(interaction, message);
          return { status: 200, body: message };
        }
        const body = newBody(
          form,
          attachments.keep(request.files, form.attachments),
          requestedFlags(form, true),
        );
        const message = say(interaction, body, form, false);
        interactions.settle(interaction, message);
        return { status: 200, body: message };
      },
    },
  ];
}
