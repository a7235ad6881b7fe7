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
  readonly whenAcknowledged: Promise<void>;
  /** Resolves with the resulting message, once that is no longer "thinking"; with null if there is none. */
  readonly whenSettled: Promise<APIMessage | null>;
}

const UNANSWERED = { acknowledged: null, originalId: null, suggestions: [], form: null } as const;

export interface Interactions {
  open(
    asked: Pick<Interaction, 'type' | 'person' | 'channelId' | 'name' | 'metadata' | 'sourceId'>,
  ): Interaction;
  /** The interaction to acknowledge. Throws 10062 when it is unknown or too late, 40060 when already acknowledged. */
  take(id: string, token: string): Interaction;
  /** Ends the person's wait, after which a response is too late. */
  expire(interaction: Interaction): void;
  acknowledge(interaction: Interaction, as: Acknowledgement): void;
  settle(interaction: Interaction, message: APIMessage | null): void;
  /** By its webhook token. Throws 10015 or 50027 as Discord does. */
  byToken(token: string): Interaction;
  /** Ends all waits. */
  giveUp(): void;
}

export function createInteractions(now: () => number): Interactions {
  const byToken = new Map<string, Interaction>();
  const waits = createWaits();

  function forgetExpired(): void {
    for (const [token, { sentAt }] of byToken) {
      // Interactions are stored in the order they were sent.
      if (now() - sentAt <= TOKEN_LIFETIME) return;
      byToken.delete(token);
    }
  }

  return {
    open(asked) {
      forgetExpired();
      const token = randomBytes(60).toString('base64url');
      const interaction: Interaction = {
        ...asked,
        ...UNANSWERED,
        id: asked.metadata.id,
        token,
        sentAt: now(),
        ...waits.begin(token),
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
    expire({ token }) {
      byToken.delete(token);
      waits.forget(token);
    },
    acknowledge(interaction, as) {
      interaction.acknowledged = as;
      waits.acknowledged(interaction.token);
    },
    settle: ({ token }, message) => waits.settled(token, message),
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
    giveUp: () => waits.giveUp(),
  };
}

interface Wait {
  readonly acknowledged: PromiseWithResolvers<void>;
  readonly settled: PromiseWithResolvers<APIMessage | null>;
}

/** Pending waits, by the interaction's token. */
function createWaits() {
  const waiting = new Map<string, Wait>();
  return {
    begin(token: string): Pick<Interaction, 'whenAcknowledged' | 'whenSettled'> {
      const acknowledged = Promise.withResolvers<void>();
      const settled = Promise.withResolvers<APIMessage | null>();
      waiting.set(token, { acknowledged, settled });
      return { whenAcknowledged: acknowledged.promise, whenSettled: settled.promise };
    },
    acknowledged(token: string): void {
      waiting.get(token)?.acknowledged.resolve();
    },
    settled(token: string, message: APIMessage | null): void {
      waiting.get(token)?.settled.resolve(message);
      waiting.delete(token);
    },
    forget(token: string): void {
      waiting.delete(token);
    },
    giveUp(): void {
      for (const { acknowledged, settled } of waiting.values()) {
        acknowledged.resolve();
        settled.resolve(null);
      }
      waiting.clear();
    },
  };
}
