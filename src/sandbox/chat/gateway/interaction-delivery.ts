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

/** Returns the way of an interaction to the bot. `delivered` is called for each session that it reaches. */
export function createInteractionDelivery(
  faults: Faults,
  sessions: Pick<Sessions, 'send'>,
  delivered: (delivery: Omit<Delivery, 'at'>) => void,
): (interaction: APIInteraction) => void {
  function deliver(d: APIInteraction): void {
    const to = { guildId: d.guild_id ?? null, intents: 0 };
    for (const reached of sessions.send({ t: GatewayDispatchEvents.InteractionCreate, d }, to))
      delivered({ interactionId: d.id, ...reached });
  }

  return (interaction) => {
    if (faults.strikes('late-interactions')) setTimeout(deliver, LATE, interaction).unref();
    else deliver(interaction);
  };
}
