/** The first answer to an interaction: which ones fit it, and what each does. */
import { type APIMessage, InteractionResponseType as Callback, InteractionType } from 'discord.js';
import { z } from 'zod';
import { refusal } from '../api-error.ts';
import { invalidForm, readForm } from '../judge/form.ts';
import { choices } from '../judge/limits.ts';
import { readMessageForm } from '../judge/message-form.ts';
import { ModalForm } from '../judge/modal-form.ts';
import type { RestRequest } from '../rest/rest.ts';
import { acknowledge, type Interaction } from '../state/interactions.ts';
import type { Messages } from '../state/messages.ts';
import type { InteractionMessages } from './interaction-messages.ts';

const callback = z.object({ type: z.int(), data: z.unknown().optional() });
const suggestions = z.object({ choices });

const REPLYING = [Callback.ChannelMessageWithSource, Callback.DeferredChannelMessageWithSource];
/** Allowed where there is a message whose component was used. */
const CHANGING: readonly Callback[] = [Callback.DeferredMessageUpdate, Callback.UpdateMessage];

/** The callbacks allowed for each kind of interaction. */
const FITTING: Readonly<Partial<Record<InteractionType, readonly Callback[]>>> = {
  [InteractionType.ApplicationCommand]: [...REPLYING, Callback.Modal],
  [InteractionType.MessageComponent]: [...REPLYING, ...CHANGING, Callback.Modal],
  [InteractionType.ModalSubmit]: [...REPLYING, ...CHANGING],
  [InteractionType.ApplicationCommandAutocomplete]: [Callback.ApplicationCommandAutocompleteResult],
};

interface InteractionCallback {
  readonly type: Callback;
  readonly data: unknown;
}

/** Throws 50035 where it does not fit the interaction. */
export function readCallback(interaction: Interaction, body: unknown): InteractionCallback {
  const { type, data } = readForm(callback, body);
  const fitting = FITTING[interaction.type]?.find((one) => one === type);
  // A form that a command opened has no message to change.
  if (fitting === undefined || (interaction.sourceId === null && CHANGING.includes(fitting)))
    throw invalidForm([
      { path: ['type'], code: 'BASE_TYPE_CHOICES', message: 'Value is not one of the allowed choices.' },
    ]);
  return { type: fitting, data };
}

/** Performs the callback; returns the message it created or changed, if any. */
export function performCallback(
  messages: Messages,
  own: InteractionMessages,
  interaction: Interaction,
  { type, data }: InteractionCallback,
  files: RestRequest['files'],
): APIMessage | null {
  switch (type) {
    case Callback.ChannelMessageWithSource: {
      const message = own.reply(interaction, readMessageForm(data), files);
      interaction.originalId = message.id;
      acknowledge(interaction, 'replied');
      interaction.outcome.resolve(message);
      return message;
    }
    case Callback.DeferredChannelMessageWithSource: {
      const message = own.think(interaction, readMessageForm(data));
      interaction.originalId = message.id;
      acknowledge(interaction, 'deferred');
      return message;
    }
    case Callback.DeferredMessageUpdate:
      interaction.originalId = interaction.sourceId;
      acknowledge(interaction, 'updated');
      return null;
    case Callback.UpdateMessage: {
      const source = messages.find(interaction.sourceId ?? '');
      if (source === undefined) throw refusal('unknown-message');
      const message = own.edit(source, readMessageForm(data), files);
      interaction.originalId = message.id;
      acknowledge(interaction, 'updated');
      interaction.outcome.resolve(message);
      return message;
    }
    case Callback.Modal: {
      interaction.form = readForm(z.object({ data: ModalForm }), { data }).data;
      acknowledge(interaction, 'form');
      interaction.outcome.resolve(null);
      return null;
    }
    default: {
      interaction.suggestions = readForm(z.object({ data: suggestions }), { data }).data.choices;
      acknowledge(interaction, 'suggested');
      interaction.outcome.resolve(null);
      return null;
    }
  }
}
