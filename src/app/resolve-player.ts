import { UserError } from '../errors.ts';
import type { Context } from './command.ts';

/**
 * Whom a look-up is about: the driver that was named, or the asker's own. A {@link UserError} that tells how to link
 * one where neither is there.
 */
export async function resolvePlayer(
  player: string | null,
  { links, person, t }: Pick<Context, 'links' | 'person' | 't'>,
): Promise<string> {
  if (player !== null) return player;
  const link = await links.of(person.id);
  if (link === null) throw new UserError(t('link.missing'));
  return link.username;
}
