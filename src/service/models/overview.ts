import { z } from 'zod';
import { count, flag, text } from './leaves.ts';
import { entries, fields } from './lenient.ts';

export const OverviewServer = z.enum(['all', 'one', 'two', 'three', 'events', 'training']);
export type OverviewServer = z.output<typeof OverviewServer>;

const Server = z.object({
  online: flag,
  ...fields({ track: text, trackName: text, guests: count, maxGuests: count }),
});

/** A bare record; else it is a map whose servers could have any name, `online` included. */
function isBareServer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'online' in body && typeof body.online !== 'object';
}

/**
 * Whatever servers the service names, in its order (field notes §2: keys come and go). A question for one
 * server may be answered by the bare record; its name is then null.
 */
export const Overview = z.union([
  z
    .custom(isBareServer)
    .pipe(Server)
    .transform((server) => [{ name: null, ...server }]),
  entries('server', Server).transform((servers) =>
    servers.map(({ key, value }): { name: string | null } & typeof value => ({ name: key, ...value })),
  ),
]);
export type Overview = z.output<typeof Overview>;
