import { z } from 'zod';
import { defineAction, PageNumber } from '../src/app/action.ts';
import { defineCommand } from '../src/app/command.ts';
import type { Context } from '../src/app/context.ts';
import { currentMembers } from '../src/app/polled.ts';
import type { Reply } from '../src/app/reply.ts';
import { membersCard } from '../src/cards/members/members-card.ts';

export default defineCommand({
  description: 'members.description',
  topic: 'servers',
  visibility: 'choice',
  options: {},

  run: (_args, context) => show(0, context),

  actions: {
    page: defineAction({
      press: z.object({ number: PageNumber }),
      run: ({ number: page }, context) => show(page, context),
    }),
  },
});

async function show(page: number, context: Context): Promise<Reply> {
  return membersCard(await currentMembers(context), page, context.t);
}
