/** Each interaction, how it was acknowledged, and the resulting message. */
import { randomBytes } from 'node:crypto';
import {
  type APIApplicationCommandOptionChoice,
  type APIMessage,
  type APIMessageInteractionMetadata,
  type APIUser,
  InteractionType,
} from 'discord.js';
import { refusal } from '../api-error.ts';
import type { ModalForm } from '../judge/modal-form.ts';

/** Discord drops an interaction that is not acknowledged within this time, in ms. */
export const ACKNOWLEDGE_WITHIN = 3000;
/** The lifetime of an interaction's token, in ms. */
export const TOKEN_LIFETIME = 15 * 60_000;

/** `form`: with a form to fill in. */
type Acknowledgement = 'replied' | 'deferred' | 'updated' | 'suggested' | 'form';

export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly type: InteractionType;
  /** Unix milliseconds. */
  readonly sentAt: number;
  readonly person: APIUser;
  readonly channelId: string;
  /** Command and subcommands as one name; for a component, the command of its message. */
  readonly name: string;
  readonly metadata: APIMessageInteractionMetadata;
  /** The message whose component was used. */
  readonly sourceId: string | null;
  acknowledged: Acknowledgement | null;
  /** The id behind `@original`. */
  originalId: string | null;
  suggestions: readonly APIApplicationCommandOptionChoice[];
  /** The form that it was answered with. */
  form: ModalForm | null;
  /** The person's wait for the first answer. */
  readonly acknowledgement: PromiseWithResolvers<void>;
  /** The person's wait for the message, once that is no longer "thinking"; null if there is none. */
  readonly outcome: PromiseWithResolvers<APIMessage | null>;
}

const UNANSWERED = { acknowledged: null, originalId: null, suggestions: [], form: null } as const;

export function acknowledge(interaction: Interaction, as: Acknowledgement): void {
  interaction.acknowledged = as;
  interaction.acknowledgement.resolve();
}

export interface Interactions {
  open(
    asked: Pick<Interaction, 'type' | 'person' | 'channelId' | 'name' | 'metadata' | 'sourceId'>,
  ): Interaction;
  /** The interaction to acknowledge. Throws 10062 when it is unknown or too late, 40060 when already acknowledged. */
  take(id: string, token: string): Interaction;
  /** Ends the person's wait, after which a response is too late. */
  expire(interaction: Interaction): void;
  /** By its webhook token. Throws 10015 or 50027 as Discord does. */
  byToken(token: string): Interaction;
  /** Ends all waits. */
  giveUp(): void;
}

export function createInteractions(now: () => number): Interactions {
  const byToken = new Map<string, Interaction>();

  function end({ token, acknowledgement, outcome }: Interaction): void {
    byToken.delete(token);
    acknowledgement.resolve();
    outcome.resolve(null);
  }

  return {
    open(asked) {
      for (const old of byToken.values()) if (now() - old.sentAt > TOKEN_LIFETIME) end(old);
      const token = randomBytes(60).toString('base64url');
      const interaction: Interaction = {
        ...asked,
        ...UNANSWERED,
        id: asked.metadata.id,
        token,
        sentAt: now(),
        acknowledgement: Promise.withResolvers(),
        outcome: Promise.withResolvers(),
      };
      byToken.set(token, interaction);
      return interaction;
    },
    take(id, token) {
      const interaction = byToken.get(token);
      if (interaction === undefined || interaction.id !== id) throw refusal('unknown-interaction');
      if (interaction.acknowledged !== null) throw refusal('already-acknowledged');
      if (now() - interaction.sentAt > ACKNOWLEDGE_WITHIN) throw refusal('unknown-interaction');
      return interaction;
    },
    expire: end,
    byToken(token) {
      const interaction = byToken.get(token);
      if (interaction === undefined) throw refusal('unknown-webhook');
      if (now() - interaction.sentAt > TOKEN_LIFETIME) throw refusal('invalid-webhook-token');
      // The webhook exists only after the acknowledgement.
      if (
        interaction.acknowledged === null ||
        interaction.type === InteractionType.ApplicationCommandAutocomplete
      )
        throw refusal('unknown-webhook');
      return interaction;
    },
    giveUp() {
      for (const interaction of byToken.values()) end(interaction);
    },
  };
}
