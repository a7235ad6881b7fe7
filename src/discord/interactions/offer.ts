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
  seen: SuggestionContext,
): SuggestionOffer | null {
  /** By their ids: two names may be one. */
  const offered = new Map<string, Button>();
  for (const correction of corrections(invocable, args, seen)) {
    const corrected = Object.fromEntries(correction.map(({ option, value }) => [option, value]));
    const label = correction.map((one) => one.label).join(' · ');
    const again = invocable.retryAction?.({ ...args, ...corrected }) ?? null;
    if (again === null || label.length > LABEL || offered.size === MOST) continue;
    const id = { command, ...again };
    if (fitsCustomId(id)) offered.set(writeCustomId(id), { ...id, label });
  }
  if (offered.size === 0) return null;
  return { question: seen.t('discord.didYouMean'), row: buttonRow(...offered.values()) };
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
  seen: SuggestionContext,
): readonly (readonly NearNames[])[] {
  const near = Object.entries(options).map(([name, option]): readonly NearNames[] => {
    const typed = args[name];
    if (option.kind !== 'text' || option.didYouMean === undefined || typeof typed !== 'string') return [];
    return option.didYouMean(typed, seen).map(({ name: label, value }) => ({ option: name, label, value }));
  });
  const nearest = near.flatMap((found) => found.slice(0, 1));
  return [...(nearest.length > 1 ? [nearest] : []), ...near.flat().map((one) => [one])];
}
