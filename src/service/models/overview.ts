import { z } from 'zod';
import { count, flag, text } from './leaves.ts';
import { lenientEntries, lenientFields } from './lenient.ts';

const figures = lenientFields({ track: text, trackName: text, guests: count, maxGuests: count });
const Server = z.object({ online: flag, ...figures });

/** While it is unknown whether a server runs (null), its count of drivers may be from before, and so is unknown too. */
const ListedServer = z
  .custom<object>((row) => typeof row === 'object' && row !== null && 'online' in row)
  .pipe(z.object({ ...lenientFields({ online: flag }), ...figures }))
  .transform((server) => (server.online === null ? { ...server, guests: null } : server));

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
    .transform((server): readonly OverviewServer[] => [{ name: null, ...server }]),
  lenientEntries('server', ListedServer).transform((servers) =>
    servers.map(({ key, value }): OverviewServer => ({ name: key, ...value })),
  ),
]);
export type Overview = z.output<typeof Overview>;
export type OverviewServer = z.output<typeof ListedServer> & { readonly name: string | null };
