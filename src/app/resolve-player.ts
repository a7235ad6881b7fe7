import { UserError } from '../errors.ts';
import type { Context } from './context.ts';

/**
 * The driver to look up: the given one, or the person's own. If there is neither, throws a {@link UserError} that
 * explains how to link one.
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
