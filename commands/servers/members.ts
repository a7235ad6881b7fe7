import { z } from 'zod';
import { defineAction, PageNumber } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { currentMembers } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { membersCard } from './cards/members-card.ts';

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
