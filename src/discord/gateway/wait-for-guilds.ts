import { GatewayDispatchEvents, type GatewayDispatchPayload } from 'discord-api-types/v10';
import type { Clock } from '../../base/clock.ts';

/** How long the next guild is waited for, in ms: one that Discord cannot serve does not come. */
const NEXT_GUILD = 15_000;

/** A login names the guilds, and each one comes later. */
export function waitForGuilds(clock: Pick<Clock, 'after'>): {
  /** Resolves at the end. */
  readonly over: Promise<void>;
  isOver(): boolean;
  receive(dispatch: GatewayDispatchPayload): void;
  cancel(): void;
} {
  const awaited = new Set<string>();
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  let cancel = (): void => {};

  function end(): void {
    isOver = true;
    resolve();
  }

  function wait(): void {
    cancel();
    if (awaited.size === 0) end();
    else cancel = clock.after(NEXT_GUILD, end);
  }

  return {
    over,
    isOver: () => isOver,
    receive({ t, d }) {
      if (isOver) return;
      if (t === GatewayDispatchEvents.Ready) {
        awaited.clear();
        for (const { id } of d.guilds) awaited.add(id);
        wait();
      } else if (t === GatewayDispatchEvents.GuildCreate || t === GatewayDispatchEvents.GuildDelete) {
        if (awaited.delete(d.id)) wait();
      }
    },
    cancel: () => cancel(),
  };
}
