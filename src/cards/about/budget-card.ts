import { inTime } from '../../i18n/in-time.ts';
import type { Translator } from '../../i18n/translator.ts';
import { gauge } from '../kit/bar.ts';
import { type Card, card, type Section } from '../kit/card.ts';
import { present } from '../kit/lines.ts';

/** Time until one more request may be sent, and what it waits for; `reason` null: now. */
interface NextRequest {
  readonly waitMs: number;
  readonly reason: 'closed' | 'spent' | 'headers' | 'probe' | 'reserve' | 'pace' | null;
}

/** A key's budget. Times are milliseconds from now. Spent, used by others, held back and left add up to the limit. */
export interface BudgetFigures {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: { readonly interactive: number; readonly background: number };
  /** What others seem to spend on this key within a window. */
  readonly otherUsage: number;
  /** Not known to be spent, but not available now. */
  readonly heldBack: number;
  readonly left: number;
  /** How many of `left` the boards may use; the rest is reserved for people. */
  readonly leftForBackground: number;
  readonly next: { readonly interactive: NextRequest; readonly background: NextRequest };
  /** A stricter limit stated by a single answer; null: none. */
  readonly trial: { readonly limit: number; readonly windowMs: number; readonly endsMs: number } | null;
  /** Time until the first permit in force stops counting; null where there is none. */
  readonly nextReleaseMs: number | null;
  /** How often the service has refused us. */
  readonly refusals: number;
}

/** How many requests to the data service are left. */
export function budgetCard(budget: BudgetFigures, t: Translator): Card {
  const lead = [...budgetState(budget, t), t('budget.allowed', allowed(budget, t))];
  return card({ title: t('budget.title'), lead, sections: sections(budget, t) }, t);
}

function allowed({ limit, windowMs }: Pick<BudgetFigures, 'limit' | 'windowMs'>, t: Translator) {
  return { requests: t('budget.requests', { count: limit }), window: t.duration(windowMs / 1000) };
}

/** Whether people and boards may send requests now, and if not, when. */
export function budgetState(budget: BudgetFigures, t: Translator): readonly string[] {
  const { next, trial } = budget;
  const { waitMs, reason } = next.background;
  // Boards are always spaced out; that is not worth a line.
  const isTold = next.interactive.reason === null && reason !== null && reason !== 'pace';
  return present(
    peopleState(budget, t),
    isTold ? t('budget.boardsWait', { in: inTime(waitMs, t) }) : null,
    trial && t('budget.trial', { ...allowed(trial, t), in: inTime(trial.endsMs, t) }),
  );
}

function peopleState({ left, next }: BudgetFigures, t: Translator): string {
  const { waitMs, reason } = next.interactive;
  if (reason === 'probe') return t('budget.probe');
  const wait = inTime(waitMs, t);
  if (reason === 'closed') return t('budget.closed', { in: wait });
  if (reason === 'headers') return t('budget.notGranted', { in: wait });
  if (reason !== null) return t('budget.spent', { in: wait });
  // Where nothing is known, one request may find out what is left.
  return t('budget.open', { count: Math.max(1, left) });
}

function sections(budget: BudgetFigures, t: Translator): readonly Section[] {
  const { limit, spent, otherUsage, heldBack, left, leftForBackground, next, nextReleaseMs, refusals } =
    budget;
  const used = spent.interactive + spent.background;
  const requests = (count: number): string => t('budget.requests', { count });
  // Above the figures stands when the next request may be sent; a permit freed before or after that changes nothing.
  const isTimeSaid = next.interactive.reason !== null && next.interactive.reason !== 'probe';
  return present<Section>(
    {
      name: t('budget.used'),
      lines: [
        `${gauge(used / limit)} ${t('budget.usedOf', { used, limit })}`,
        t('budget.byPeople', { n: spent.interactive }),
        t('budget.byPollers', { n: spent.background }),
      ],
    },
    {
      name: t('budget.left'),
      lines: [
        requests(left),
        t('budget.leftForBoards', { n: leftForBackground }),
        t('budget.keptForPeople', { n: left - leftForBackground }),
      ],
    },
    otherUsage + heldBack === 0
      ? null
      : {
          name: t('budget.notAvailable'),
          lines: present(
            requests(otherUsage + heldBack),
            otherUsage === 0 ? null : t('budget.byOthers', { n: otherUsage }),
            heldBack === 0 ? null : t('budget.heldBack', { n: heldBack }),
          ),
        },
    isTimeSaid
      ? null
      : {
          name: t('budget.nextRelease'),
          lines: [nextReleaseMs === null ? t('budget.noneUsed') : inTime(nextReleaseMs, t)],
          inline: true,
        },
    {
      name: t('budget.refusals'),
      lines: [refusals === 0 ? t('budget.neverRefused') : t('budget.refused', { count: refusals })],
      inline: true,
    },
    { name: t('budget.share'), lines: [t('budget.shareRule')] },
  );
}
