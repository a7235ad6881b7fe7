import { z } from 'zod';
import { count, flag, text } from './leaves.ts';
import { entries, fields } from './lenient.ts';

const Server = z.object({
  online: flag,
  ...fields({ track: text, trackName: text, guests: count, maxGuests: count }),
});

/** A bare record; else it is a map whose servers could have any name, `online` included. */
function isBareServer(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'online' in body && typeof body.online !== 'object';
}

/**
 * Whatever servers the service names, in its order: they come and go. Where there is one
 * server alone its bare record may come; its name is then null.
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
