import { UserError } from '../base/errors.ts';
import { buttonRow } from '../cards/kit/card.ts';
import { sameSpelling, Username } from '../service/models/identifiers.ts';
import { escapeMarkdown } from '../text/names.ts';
import { onSubject } from './action.ts';
import type { Context } from './context.ts';
import { forDriver } from './for-driver.ts';
import type { Reply } from './reply.ts';

/** The option `player` of a command with one card about one driver; to be spread into the command. Null: the person's own driver. */
export function aboutPlayer(show: (username: string, context: Context) => Promise<Reply>) {
  return {
    async run({ player }: { readonly player: string | null }, context: Context) {
      return forDriver(player, context, (username) => show(username, context));
    },
    retryAction: ({ player }: { readonly player: string | null }) =>
      player === null ? null : { action: 'show', subject: player },
    actions: {
      show: onSubject(Username, show),
    },
  };
}

/** Tells the person who has hidden that driver, and nobody else, that they have; null for any other driver. */
export async function answerOwnHidden(
  driver: string,
  { store, hidden, person, t }: Context,
): Promise<Reply | null> {
  const link = await store.links.of(person.id);
  const isOwn = link !== null && sameSpelling(link.username) === sameSpelling(driver);
  if (!isOwn || !link.hidden || !hidden.isHidden(driver)) return null;
  const button = { command: 'privacy', action: 'show', subject: link.username, label: t('privacy.show') };
  const content = t('privacy.hiddenByYou', { player: escapeMarkdown(link.username) });
  return { ephemeral: true, content, components: [buttonRow(button)] };
}

/**
 * Answers where history has nothing about a driver: with the reason for the owner of a hidden one, else with a refusal.
 * Similar names are worth offering only where any driver can be seen.
 */
export async function answerUnseen(driver: string, context: Context): Promise<Reply> {
  const { history, t } = context;
  const ownHidden = await answerOwnHidden(driver, context);
  if (ownHidden !== null) return ownHidden;
  const [{ since }, names] = await Promise.all([history.top('playtime', 'all'), history.namesDrivers()]);
  if (names === false) throw new UserError(t('past.noNames'));
  // A date would look like that of a last visit.
  const text = since === null ? t('past.nothing') : t('seen.unknown', { player: escapeMarkdown(driver) });
  throw new UserError(text, { unknownName: driver });
}
