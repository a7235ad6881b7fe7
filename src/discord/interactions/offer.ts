import { type ActionRow, type Button, buttonRow } from '../../cards/kit/card.ts';
import { fitsCustomId, writeCustomId } from '../../cards/kit/custom-id.ts';
import type { Invocable } from '../../command-kit/command.ts';
import type { Args, Options, SuggestionContext } from '../../command-kit/option.ts';

/** The offer after a miss: a question, with its answers as buttons. */
export interface SuggestionOffer {
  readonly question: string;
  readonly row: ActionRow;
}

/** More suggestions would be a list to read, not a correction. */
const MAX_SUGGESTIONS = 3;
/** Maximum characters of a button's label in Discord. */
const MAX_LABEL_LENGTH = 80;

/**
 * Similar names after an unknown one: each is a button that repeats the command with that name, and where several names
 * may be wrong, the first one with the nearest of each. A command declares as data which names are similar
 * (`didYouMean` of an option) and how to repeat it (`retryAction`), so it needs no error handling of its own.
 */
export function offerNear(
  command: string,
  invocable: Invocable,
  args: Args<Options>,
  context: SuggestionContext,
): SuggestionOffer | null {
  /** Buttons by custom id: two names may lead to the same one. */
  const buttonsById = new Map<string, Button>();
  for (const correction of corrections(invocable, args, context)) {
    const corrected = Object.fromEntries(correction.map(({ option, value }) => [option, value]));
    const label = correction.map((name) => name.label).join(' · ');
    const retry = invocable.retryAction?.({ ...args, ...corrected }) ?? null;
    if (retry === null || label.length > MAX_LABEL_LENGTH || buttonsById.size === MAX_SUGGESTIONS) continue;
    const id = { command, ...retry };
    if (fitsCustomId(id)) buttonsById.set(writeCustomId(id), { ...id, label });
  }
  if (buttonsById.size === 0) return null;
  return { question: context.t('discord.didYouMean'), row: buttonRow(...buttonsById.values()) };
}

/** A similar name for one option. */
interface NearNames {
  readonly option: string;
  readonly label: string;
  readonly value: string;
}

function corrections(
  { options }: Invocable,
  args: Args<Options>,
  context: SuggestionContext,
): readonly (readonly NearNames[])[] {
  const near = Object.entries(options).map(([name, option]): readonly NearNames[] => {
    const input = args[name];
    if (option.kind !== 'text' || option.didYouMean === undefined || typeof input !== 'string') return [];
    return option
      .didYouMean(input, context)
      .map(({ name: label, value }) => ({ option: name, label, value }));
  });
  const nearest = near.flatMap((names) => names.slice(0, 1));
  return [...(nearest.length > 1 ? [nearest] : []), ...near.flat().map((name) => [name])];
}
