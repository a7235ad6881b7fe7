import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import { gauge } from '../kit/bar.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';

/** A key's budget. Spans of time are in milliseconds from now. */
export interface BudgetFigures {
  readonly limit: number;
  readonly windowMs: number;
  /** Permits in force, by who asked. */
  readonly spent: { readonly interactive: number; readonly background: number };
  /** What background requests leave to people. */
  readonly reserve: number;
  /** What others seem to spend on this key within a window. */
  readonly otherUsage: number;
  /** What the service itself still leaves us; null where it does not say. */
  readonly remaining: number | null;
  /** Until the first permit in force stops counting; null where there is none. */
  readonly nextReleaseMs: number | null;
  /** How often the service has refused us. */
  readonly refusals: number;
  /** Until requests may be sent again; 0 when they may now. */
  readonly closedMs: number;
}

/** How often the data service may still be asked. `now`: unix milliseconds at which the figures were taken. */
export function budgetCard(budget: BudgetFigures, now: number, t: Translator): Card {
  const { limit, windowMs } = budget;
  const requests = t('budget.requests', { count: limit });
  const lead = [
    budgetState(budget, now, t),
    t('budget.allowed', { requests, window: t.duration(windowMs / 1000) }),
  ];
  return {
    embeds: [embed({ title: t('budget.title'), lead, sections: sections(budget, now, t) }, t)],
    components: [],
  };
}

/** In one line: whether the service may be asked now, and if not, when. */
export function budgetState(budget: BudgetFigures, now: number, t: Translator): string {
  const { closedMs, nextReleaseMs } = budget;
  if (closedMs > 0) return t('budget.closed', { when: moment(now + closedMs, t) });
  const left = leftOf(budget);
  if (left > 0) return t('budget.open', { count: left });
  if (nextReleaseMs === null) return t('budget.othersSpent');
  return t('budget.spent', { when: moment(now + nextReleaseMs, t) });
}

/** By our own count or by the service's, whichever leaves less. */
function leftOf({ limit, spent, remaining }: BudgetFigures): number {
  const own = limit - spent.interactive - spent.background;
  return Math.max(0, Math.floor(Math.min(own, remaining ?? own)));
}

function sections(budget: BudgetFigures, now: number, t: Translator): readonly Section[] {
  const { limit, spent, reserve, otherUsage, nextReleaseMs, refusals } = budget;
  const used = spent.interactive + spent.background;
  const fact = (name: string, ...lines: readonly string[]): Section => ({ name, lines, inline: true });
  return [
    {
      name: t('budget.used'),
      lines: [
        `${gauge(used / limit)} ${t('budget.usedOf', { used, limit })}`,
        t('budget.byPeople', { n: spent.interactive }),
        t('budget.byPollers', { n: spent.background }),
      ],
    },
    fact(t('budget.reserve'), t('budget.requests', { count: reserve })),
    fact(
      t('budget.foreign'),
      otherUsage === 0 ? t('budget.noForeign') : t('budget.requests', { count: otherUsage }),
    ),
    fact(
      t('budget.nextRelease'),
      nextReleaseMs === null ? t('budget.noneUsed') : moment(now + nextReleaseMs, t),
    ),
    fact(
      t('budget.refusals'),
      refusals === 0 ? t('budget.neverRefused') : t('budget.refused', { count: refusals }),
    ),
    { name: t('budget.share'), lines: [t('budget.shareRule')] },
  ];
}

function moment(at: number, t: Translator): string {
  // Rounded up: whoever comes back at the second that is shown must not be too early.
  return timestamp(Math.ceil(at / 1000) * 1000, 'relative') ?? t('card.momentUnknown');
}
