import { z } from 'zod';
import { UserError } from '../../src/base/errors.ts';
import { defineAction, onSubject } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { forDriver, runForDriverOf } from '../../src/command-kit/for-driver.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { profile } from '../../src/service/endpoints.ts';
import { sameSpelling, Username } from '../../src/service/models/identifiers.ts';
import { compareCard, readPair, writePair } from './cards/compare-card.ts';

const Pair = z
  .object({ number: z.int(), subject: z.string() })
  .transform(readPair)
  .pipe(z.object({ a: Username, b: Username }));

export default defineCommand({
  description: 'compare.description',
  topic: 'drivers',
  example: ['first', 'second'],
  visibility: 'choice',
  showsDistances: true,
  options: {
    first: playerOption('compare.options.first', true),
    second: playerOption('compare.options.second', true),
  },

  async run({ first, second }, context) {
    return forDriver(first, context, (username) =>
      forDriver(second, context, (otherUsername) => compare(username, otherUsername, context)),
    );
  },

  retryAction: ({ first, second }) => ({ action: 'show', ...writePair(first, second) }),

  actions: {
    show: defineAction({ press: Pair, run: ({ a, b }, context) => compare(a, b, context) }),
    me: onSubject(Username, (other, context) =>
      runForDriverOf(context.person.id, context, async (own) => {
        if (sameSpelling(own) === sameSpelling(other)) throw new UserError(context.t('compare.own'));
        return compare(own, other, context);
      }),
    ),
  },
});

/** Uses the same record as every view of a driver: at most two requests, none while the records are fresh. */
async function compare(a: string, b: string, { service, t }: Context): Promise<Reply> {
  const [first, second] = await Promise.all([
    service.get(profile, { username: a }),
    service.get(profile, { username: b }),
  ]);
  // Only the service knows which spellings mean the same driver.
  if (first.record.username === second.record.username) throw new UserError(t('compare.same'));
  return compareCard(first, second, t);
}
