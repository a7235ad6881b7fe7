import { UserError } from '../errors.ts';
import type { Context } from './context.ts';

/**
 * Whom a look-up is about: the driver that was named, or the asker's own. A {@link UserError} that tells how to link
 * one where neither is there.
 */
export async function resolvePlayer(
  player: string | null,
  { store, person, t }: Pick<Context, 'store' | 'person' | 't'>,
): Promise<string> {
  if (player !== null) return player;
  const link = await store.links.of(person.id, person.guildId);
  if (link === null) throw new UserError(t('link.missing'));
  return link.username;
}
