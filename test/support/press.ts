import { UserError } from '../../src/base/errors.ts';
import { readCustomId } from '../../src/cards/kit/custom-id.ts';
import { findPressedAction } from '../../src/command-kit/action.ts';
import type { AnyCommand } from '../../src/command-kit/command.ts';
import { type Context, contextFor } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';

/** What comes back when a button is pressed or something is picked in a menu. */
export interface Pressed {
  /** As in the custom id: `refresh-garage-2`. */
  readonly action?: string;
  readonly subject?: string;
  readonly values?: readonly string[];
}

/** Presses a button of a command's message, as the dispatch does. An old button is refused with a UserError. */
export async function press(
  { actions }: AnyCommand,
  { action = '', subject = '', values = [] }: Pressed,
  context: Context,
): Promise<Reply> {
  const id = readCustomId(`1:command:${action}:${subject}`);
  const run = id === null || actions === undefined ? null : findPressedAction(actions, id, values);
  if (run === null) throw new UserError(context.t('discord.oldButton'));
  return run(id?.refresh ? contextFor(context, { ...context, refresh: true }) : context);
}
