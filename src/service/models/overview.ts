import { z } from 'zod';
import { count, flag, text } from './leaves.ts';
import { entries, fields } from './lenient.ts';

const Server = z.object({
  online: flag,
  ...fields({ track: text, trackName: text, guests: count, maxGuests: count }),
});

/** True for one bare record. Otherwise the body is a map, whose servers may have any name, even `online`. */
function isBareServer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'online' in body && typeof body.online !== 'object';
}

/**
 * The servers in the service's own order; they come and go. A single server may arrive as a bare record; its name
 * is then null.
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
export type OverviewServer = Overview[number];
