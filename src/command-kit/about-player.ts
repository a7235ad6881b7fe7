import { UserError } from '../base/errors.ts';
import { unseenText } from '../cards/history/seen-card.ts';
import { Username } from '../service/models/identifiers.ts';
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

/** The refusal where history has nothing about a driver. Similar names are worth offering only where any driver can be seen. */
export async function unseenDriver(driver: string, { history, t }: Context): Promise<UserError> {
  const [{ since }, names] = await Promise.all([history.top('playtime', 'all'), history.namesDrivers()]);
  const text = unseenText({ driver, since, names }, t);
  return new UserError(text, names === false ? {} : { unknownName: driver });
}
