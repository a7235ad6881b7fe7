/** Routes for interaction responses: the callback, and the webhook of its token. */
import { type APIMessage, MessageFlags } from 'discord.js';
import type { Guilds } from '../guild/guilds.ts';
import { readMessageForm } from '../judge/message-form.ts';
import { RATES } from '../rest/rate-limits.ts';
import type { Answer, RestRequest, Route } from '../rest/rest.ts';
import type { Interaction, Interactions } from '../state/interactions.ts';
import type { Messages } from '../state/messages.ts';
import type { Attachments } from './attachments.ts';
import { performCallback, readCallback } from './interaction-callback.ts';
import { createInteractionMessages } from './interaction-messages.ts';

interface InteractionRoutesNeeds {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly attachments: Attachments;
}

export function interactionRoutes(needs: InteractionRoutesNeeds): readonly Route[] {
  const { guilds, messages, interactions, attachments } = needs;
  const own = createInteractionMessages(guilds, messages, attachments);

  function callback(request: RestRequest, id = '', token = ''): Answer {
    const interaction = interactions.take(id, token);
    const read = readCallback(interaction, request.body);
    const message = performCallback(messages, own, interaction, read, request.files);
    if (request.query.get('with_response') !== 'true') return { status: 204 };
    return { status: 200, body: responseOf(interaction, read.type, message) };
  }

  function edit(request: RestRequest, _: string, token = '', which = ''): Answer {
    const interaction = interactions.byToken(token);
    const message = own.edit(own.find(interaction, which), readMessageForm(request.body), request.files);
    if (message.id === interaction.originalId) interaction.outcome.resolve(message);
    return { status: 200, body: message };
  }

  function remove(_: RestRequest, __: string, token = '', which = ''): Answer {
    const interaction = interactions.byToken(token);
    const message = own.find(interaction, which);
    messages.remove(message);
    // After a deleted deferral, a private follow-up may still come.
    if (message.id === interaction.originalId && !isThinking(message)) interaction.outcome.resolve(null);
    return { status: 204 };
  }

  function followUp({ body, files }: RestRequest, _: string, token = ''): Answer {
    const interaction = interactions.byToken(token);
    const form = readMessageForm(body);
    const reply = messages.find(interaction.originalId ?? '');
    // The first message after a deferral fills the "thinking" reply, with that one's visibility.
    const message =
      reply !== undefined && isThinking(reply)
        ? own.edit(reply, form, files)
        : own.followUp(interaction, form, files);
    interaction.outcome.resolve(message);
    return { status: 200, body: message };
  }

  function read(_: RestRequest, __: string, token = '', which = ''): Answer {
    return { status: 200, body: own.find(interactions.byToken(token), which) };
  }

  const webhook = { open: true, rate: RATES.webhook };
  const one = '/webhooks/*/*/messages/*';
  return [
    { method: 'POST', path: '/interactions/*/*/callback', open: true, handle: callback },
    { method: 'GET', path: one, open: true, handle: read },
    { ...webhook, method: 'PATCH', path: one, handle: edit },
    { ...webhook, method: 'DELETE', path: one, handle: remove },
    { ...webhook, method: 'POST', path: '/webhooks/*/*', handle: followUp },
  ];
}

/** Response for `with_response`. */
function responseOf({ id, type }: Interaction, callback: number, message: APIMessage | null) {
  const flags = message?.flags ?? 0;
  return {
    interaction: {
      id,
      type,
      ...(message !== null && {
        response_message_id: message.id,
        response_message_loading: isThinking(message),
        response_message_ephemeral: (flags & MessageFlags.Ephemeral) !== 0,
      }),
    },
    resource: { type: callback, ...(message !== null && { message }) },
  };
}

function isThinking({ flags }: APIMessage): boolean {
  return ((flags ?? 0) & MessageFlags.Loading) !== 0;
}
