/** Brings interactions to the sessions of their shard, late under a fault. */
import { type APIInteraction, GatewayDispatchEvents } from 'discord.js';
import type { Faults } from '../state/faults.ts';
import type { Session, Sessions } from './sessions.ts';

/** Delay of interactions under the fault `late-interactions`, in ms. */
const LATE = 3500;

/** An interaction on its way to one session. */
export interface Delivery {
  /** Unix milliseconds. */
  readonly at: number;
  readonly interactionId: string;
  readonly session: Session;
  /** Whether it was connected; otherwise a resume would bring it. */
  readonly live: boolean;
}

export interface InteractionDelivery {
  send(interaction: APIInteraction): void;
  close(): void;
}

export function createInteractionDelivery(
  faults: Faults,
  sessions: Pick<Sessions, 'send'>,
  delivered: (delivery: Omit<Delivery, 'at'>) => void,
): InteractionDelivery {
  const late = new Set<NodeJS.Timeout>();

  function deliver(d: APIInteraction): void {
    const to = { guildId: d.guild_id ?? null, intents: 0 };
    for (const reached of sessions.send({ t: GatewayDispatchEvents.InteractionCreate, d }, to))
      delivered({ interactionId: d.id, ...reached });
  }

  return {
    send(interaction) {
      if (!faults.strikes('late-interactions')) return deliver(interaction);
      const timer = setTimeout(() => {
        late.delete(timer);
        deliver(interaction);
      }, LATE);
      late.add(timer);
    },
    close() {
      for (const timer of late) clearTimeout(timer);
    },
  };
}
