/** A person's interactions on their way: each is registered, sent to the bot, and waited for. */
import { setTimeout as wait } from 'node:timers/promises';
import type { APIInteraction } from 'discord.js';
import type { ModalForm } from '../judge/modal-form.ts';
import {
  ACKNOWLEDGE_WITHIN,
  type Interaction,
  type Interactions,
  TOKEN_LIFETIME,
} from '../state/interactions.ts';
import { type Asker, type Frame, frameOf, metadataOf } from './interaction-frame.ts';
import type { Outcome } from './visitor.ts';

/** An acknowledged press may still lead to a change; after this time nobody expects it (ms). */
const UPDATE_WITHIN = 10_000;

export interface AskingNeeds {
  readonly interactions: Interactions;
  readonly now: () => number;
  readonly nextId: () => string;
  /** Sends to the bot over the gateway. */
  readonly send: (interaction: APIInteraction) => void;
}

interface OpenForm {
  readonly form: ModalForm;
  readonly interaction: Interaction;
}

export interface Asking {
  /** Registers the interaction before the bot gets it, so that it can answer at once. */
  send(
    asker: Asker,
    asked: Pick<Interaction, 'type' | 'channelId' | 'name' | 'sourceId'>,
    whole: (frame: Frame) => APIInteraction,
  ): Interaction;
  /** Whether it was acknowledged in time. */
  acknowledged(interaction: Interaction): Promise<boolean>;
  outcome(interaction: Interaction): Promise<Outcome>;
  /** Open on the person's screen, by the interaction that each answered. */
  readonly forms: Map<string, OpenForm>;
}

export function createAsking({ interactions, now, nextId, send }: AskingNeeds): Asking {
  const forms = new Map<string, OpenForm>();

  async function acknowledged(interaction: Interaction): Promise<boolean> {
    await within(ACKNOWLEDGE_WITHIN, interaction.acknowledgement.promise, undefined);
    if (interaction.acknowledged !== null) return true;
    interactions.expire(interaction);
    return false;
  }

  return {
    send(asker, asked, whole) {
      const person = asker.resident.member.user;
      const metadata = metadataOf(asker, nextId(), asked.sourceId);
      const interaction = interactions.open({ ...asked, person, metadata });
      send(whole(frameOf(asker, interaction)));
      return interaction;
    },
    forms,
    acknowledged,
    async outcome(interaction) {
      const inTime = await acknowledged(interaction);
      const after = now() - interaction.sentAt;
      const { id: interactionId, acknowledged: how, form } = interaction;
      if (!inTime || how === null || how === 'suggested')
        return { interactionId, acknowledged: 'failed', after, message: null, form: null };
      if (form !== null) forms.set(interactionId, { form, interaction });
      const patience = how === 'updated' ? UPDATE_WITHIN : TOKEN_LIFETIME;
      const message = await within(patience, interaction.outcome.promise, null);
      return { interactionId, acknowledged: how, after, message, form };
    },
  };
}

function within<T>(milliseconds: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return Promise.race([promise, wait(milliseconds, otherwise, { ref: false })]);
}
