import type { Context } from './command.ts';
import { UserError } from '../errors.ts';

/**
 * Whom a look-up is about: the driver that was named, or the asker's own. A {@link UserError} that tells how to link
 * one where neither is there.
 */
export async function subject(
  player: string | null,
  { links, person, words }: Pick<Context, 'links' | 'person' | 'words'>,
): Promise<string> {
  if (player !== null) return player;
  const link = await links.of(person.id);
  if (link === null) throw new UserError(words.text('link.missing'));
  return link.username;
}
