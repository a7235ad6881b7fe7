import { type Context, defineCommand, type Reply } from '../src/app/command.ts';
import { playerOption } from '../src/app/command-options/player.ts';
import { readPair, writePair } from '../src/cards/profile/compare-action.ts';
import { compareCard } from '../src/cards/profile/compare-card.ts';
import { UserError } from '../src/errors.ts';
import { profile } from '../src/service/endpoints.ts';

/** Whoever presses *Refresh* wants nothing older (milliseconds). */
const REFRESH = { maxAge: 30_000 };

export default defineCommand({
  description: 'compare.description',
  example: 'compare.example',
  visibility: 'choice',
  options: {
    a: playerOption('compare.options.a', true),
    b: playerOption('compare.options.b', true),
  },

  run: ({ a, b }, context) => compare(a, b, context),

  retryAction: ({ a, b }) => writePair('show', a, b),

  async onComponent({ action, subject }, context) {
    const pair = readPair(action, subject);
    if (pair === null) throw new UserError(context.t('chat.oldButton'));
    return compare(pair.a, pair.b, context, pair.refresh ? REFRESH : undefined);
  },
});

/** The record of each is the one that every view of a driver shows: two requests at most, none while they are fresh. */
async function compare(a: string, b: string, { service, t }: Context, ask?: typeof REFRESH): Promise<Reply> {
  const [one, other] = await Promise.all([
    service.get(profile, { username: a }, ask),
    service.get(profile, { username: b }, ask),
  ]);
  // Only the service knows which spellings are one driver.
  if (one.record.username === other.record.username) throw new UserError(t('compare.same'));
  return compareCard(one, other, t);
}
