import type { Interaction } from './interaction.ts';

/** `arrivedAt`: when the interaction came, on the scale of `performance.now()`. */
type Handle = (interaction: Interaction, arrivedAt: number) => void;

interface Arrivals {
  /** Takes an interaction at any time. */
  receive(interaction: Interaction): void;
  /** Passes on all that waited, and everything from now on. */
  open(handle: Handle): void;
}

/**
 * Holds interactions that come between the login and the moment when the commands are ready: a person who asks during a
 * restart is answered as soon as there is someone to answer.
 */
export function createArrivals(): Arrivals {
  const waiting: { readonly interaction: Interaction; readonly arrivedAt: number }[] = [];
  let pass: Handle = (interaction, arrivedAt) => waiting.push({ interaction, arrivedAt });
  return {
    receive: (interaction) => pass(interaction, performance.now()),
    open(handle) {
      pass = handle;
      for (const { interaction, arrivedAt } of waiting.splice(0)) handle(interaction, arrivedAt);
    },
  };
}
