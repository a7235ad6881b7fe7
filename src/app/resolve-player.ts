import { UserError } from '../errors.ts';
import type { Context } from './context.ts';

/** What Discord sends where somebody is mentioned in the text of an option. */
const MENTION = /^<@!?(?<id>\d{15,20})>$/;

/**
 * The driver to look up: the given one, that of a mentioned person, or the person's own. If there is none, throws a
 * {@link UserError} that says so, or how to link one.
 */
export async function resolvePlayer(
  player: string | null,
  { store, person, t }: Pick<Context, 'store' | 'person' | 't'>,
): Promise<string> {
  const mentioned = player === null ? null : (MENTION.exec(player)?.groups?.['id'] ?? null);
  if (player !== null && mentioned === null) return player;
  const link = await store.links.of(mentioned ?? person.id, person.guildId);
  if (link !== null) return link.username;
  if (mentioned === null) throw new UserError(t('link.missing'));
  const isOther = mentioned !== person.id;
  throw new UserError(isOther ? t('link.missingOf', { person: `<@${mentioned}>` }) : t('link.none'));
}

/** The person's own driver. Throws a {@link UserError} where none is linked: no option of the command could name one. */
export async function ownDriver({
  store,
  person,
  t,
}: Pick<Context, 'store' | 'person' | 't'>): Promise<string> {
  const link = await store.links.of(person.id, person.guildId);
  if (link === null) throw new UserError(t('link.none'));
  return link.username;
}
