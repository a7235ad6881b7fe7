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

/** The offer after a miss: a question, with its answers as buttons. */
export interface Offer {
  readonly question: string;
  readonly row: APIActionRowComponent<APIComponentInMessageActionRow>;
}

/** More suggestions would be a list to read, not a correction. */
const MOST = 3;
/** Maximum characters of a button's label in Discord. */
const LABEL = 80;

/**
 * Similar names after an unknown one: each is a button that repeats the command with that name. A command declares
 * as data which names are similar (`didYouMean` of an option) and how to repeat it (`retryAction`), so it needs no
 * error handling of its own.
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
