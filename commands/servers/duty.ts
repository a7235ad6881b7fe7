import { ServiceError } from '../../src/base/errors.ts';
import { onPress } from '../../src/command-kit/action.ts';
import { defineCommand } from '../../src/command-kit/command.ts';
import type { Context } from '../../src/command-kit/context.ts';
import { liveFiles } from '../../src/command-kit/current-data.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { dutyCard } from './cards/duty-card.ts';

export default defineCommand({
  description: 'duty.description',
  topic: 'servers',
  visibility: 'choice',
  options: {},

  run: (_args, context) => show(context),

  actions: { show: onPress(show) },
});

/** Each file may fail separately: three of them are better than an apology. */
async function show(context: Context): Promise<Reply> {
  const files = await liveFiles(context);
  const [first, ...otherFiles] = Object.values(files);
  if (first instanceof ServiceError && otherFiles.every((file) => file instanceof ServiceError)) throw first;
  return dutyCard(files, context.now, context.t);
}
