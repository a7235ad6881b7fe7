import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
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
 * Similar names after an unknown one: each is a button that repeats the command with that name, and where several names
 * may be wrong, the first one with the nearest of each. A command declares as data which names are similar
 * (`didYouMean` of an option) and how to repeat it (`retryAction`), so it needs no error handling of its own.
 */
export function offerNear(
  command: string,
  invocable: Invocable,
  args: Args<Options>,
  context: Pick<Context, 'recentNames' | 't'>,
): Offer | null {
  const ids = new Map<string, string>();
  for (const correction of corrections(invocable, args, context)) {
    const corrected = Object.fromEntries(correction.map(({ option, value }) => [option, value]));
    const label = correction.map((one) => one.label).join(' · ');
    const again = invocable.retryAction?.({ ...args, ...corrected }) ?? null;
    if (again === null || label.length > LABEL || ids.size === MOST) continue;
    if (fitsCustomId({ command, ...again })) ids.set(writeCustomId({ command, ...again }), label);
  }
  if (ids.size === 0) return null;
  return {
    question: context.t('discord.didYouMean'),
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

/** A similar name for one option. */
interface Near {
  readonly option: string;
  readonly label: string;
  readonly value: string;
}

function corrections(
  { options }: Invocable,
  args: Args<Options>,
  context: Pick<Context, 'recentNames' | 't'>,
): readonly (readonly Near[])[] {
  const near = Object.entries(options).map(([name, option]): readonly Near[] => {
    const typed = args[name];
    if (option.kind !== 'text' || option.didYouMean === undefined || typeof typed !== 'string') return [];
    return option
      .didYouMean(typed, context)
      .map(({ name: label, value }) => ({ option: name, label, value }));
  });
  const nearest = near.flatMap((found) => found.slice(0, 1));
  return [...(nearest.length > 1 ? [nearest] : []), ...near.flat().map((one) => [one])];
}
