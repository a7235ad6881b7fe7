/** Whether a driver has earned a role, by what is known for certain. Pure. */
import { DAY, HOUR } from '../base/duration.ts';
import type { Rule } from '../service/models/rule.ts';
import type { Figures } from './figures.ts';

/** `unknown` changes nothing. */
export type Verdict = 'met' | 'unmet' | 'unknown';

export interface Earned {
  /** Time online within 30 days, in ms: what was seen, and what it may be at most; null: nothing is known. */
  readonly played: { readonly least: number; readonly most: number } | null;
  /** Null: none that are young enough. */
  readonly figures: Figures | null;
  /** When they joined the guild, in unix milliseconds; null: not known. */
  readonly joined: number | null;
}

export function judge(
  { when }: Pick<Rule, 'when'>,
  { played, figures, joined }: Earned,
  now: number,
): Verdict {
  switch (when.kind) {
    case 'proved':
      // Who is not proved is not asked about.
      return 'met';
    case 'hours-30-days':
      return within(played, when.atLeast * HOUR);
    case 'hours':
      return atLeast(figures?.hours, when.atLeast);
    case 'km':
      return atLeast(figures?.km, when.atLeast);
    case 'police-xp':
      return atLeast(figures?.policeXp, when.atLeast);
    case 'member-days':
      return atLeast(joined === null ? null : (now - joined) / DAY, when.atLeast);
    case 'licence': {
      const licences = figures?.licences ?? null;
      if (licences === null) return 'unknown';
      const isValid = licences.some(
        ({ type, until }) => sameType(type, when.type) && (until === null || now < until),
      );
      return isValid ? 'met' : 'unmet';
    }
  }
}

/** What was not seen may have been played. */
function within(played: Earned['played'], wanted: number): Verdict {
  if (played === null) return 'unknown';
  if (played.least >= wanted) return 'met';
  return played.most < wanted ? 'unmet' : 'unknown';
}

function atLeast(value: number | null | undefined, wanted: number): Verdict {
  if (value === null || value === undefined) return 'unknown';
  return value >= wanted ? 'met' : 'unmet';
}

function sameType(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
