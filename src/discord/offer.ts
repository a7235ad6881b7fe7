import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ComponentType,
} from 'discord.js';
import type { Invocable } from '../app/command.ts';
import type { Context } from '../app/context.ts';
import type { Args, Options } from '../app/option.ts';
import { fitsCustomId, writeCustomId } from '../cards/kit/custom-id.ts';

/** What is offered below a miss: a question, and its answers as buttons. */
export interface Offer {
  readonly question: string;
  readonly row: APIActionRowComponent<APIComponentInMessageActionRow>;
}

/** More would be a list to read, not a slip to mend. */
const MOST = 3;
/** Characters that chat takes on a button. */
const LABEL = 80;

/**
 * What was nearly typed, where the service knows nothing of what was: each a button that asks the same command with
 * that name instead. It stands here, beside the words for faults, because a command has no try: it says as data which
 * names are near (`didYouMean` of an option) and how it is asked again (`retryAction`).
 */
export function offerNear(
  command: string,
  invocable: Invocable,
  args: Args<Options>,
  context: Pick<Context, 'recentNames' | 't'>,
): Offer | null {
  const ids = new Map<string, string>();
  for (const [name, option] of Object.entries(invocable.options)) {
    const typed = args[name];
    if (option.kind !== 'text' || option.didYouMean === undefined || typeof typed !== 'string') continue;
    for (const { name: label, value } of option.didYouMean(typed, context)) {
      const again = invocable.retryAction?.({ ...args, [name]: value }) ?? null;
      if (again === null || label.length > LABEL || ids.size === MOST) continue;
      if (fitsCustomId({ command, ...again })) ids.set(writeCustomId({ command, ...again }), label);
    }
  }
  if (ids.size === 0) return null;
  return {
    question: context.t('chat.didYouMean'),
    row: {
      type: ComponentType.ActionRow,
      components: [...ids].map(([custom_id, label]) => ({
        type: ComponentType.Button,
        style: ButtonStyle.Secondary,
        label,
        custom_id,
      })),
    },
  };
}
