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
