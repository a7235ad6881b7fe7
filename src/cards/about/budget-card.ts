import type { BudgetSnapshot } from '../../service/budget/ledger/ledger.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Words } from '../../i18n/translator.ts';
import { gauge } from '../kit/bar.ts';
import type { Card } from '../kit/card.ts';
import { embed, type Section } from '../kit/embed.ts';

/** How often the data service may still be asked. `now`: unix milliseconds at which the figures were taken. */
export function budgetCard(budget: BudgetSnapshot, now: number, words: Words): Card {
  const { limit, windowMs } = budget;
  const requests = words.text('budget.requests', { count: limit });
  const lead = [
    budgetState(budget, now, words),
    words.text('budget.allowed', { requests, window: words.duration(windowMs / 1000) }),
  ];
  return {
    embeds: [
      embed({ title: words.text('budget.title'), lead, sections: sections(budget, now, words) }, words),
    ],
    components: [],
  };
}

/** In one line: whether the service may be asked now, and if not, when. */
export function budgetState(budget: BudgetSnapshot, now: number, words: Words): string {
  const { closedMs, nextReleaseMs } = budget;
  if (closedMs > 0) return words.text('budget.closed', { when: moment(now + closedMs, words) });
  const left = leftOf(budget);
  if (left > 0) return words.text('budget.open', { count: left });
  if (nextReleaseMs === null) return words.text('budget.othersSpent');
  return words.text('budget.spent', { when: moment(now + nextReleaseMs, words) });
}

/** By our own count or by the service's, whichever leaves less. */
function leftOf({ limit, spent, remaining }: BudgetSnapshot): number {
  const own = limit - spent.interactive - spent.background;
  return Math.max(0, Math.floor(Math.min(own, remaining ?? own)));
}

function sections(budget: BudgetSnapshot, now: number, words: Words): readonly Section[] {
  const { limit, spent, reserve, foreign, nextReleaseMs, refusals } = budget;
  const used = spent.interactive + spent.background;
  const fact = (name: string, ...lines: readonly string[]): Section => ({ name, lines, inline: true });
  return [
    {
      name: words.text('budget.used'),
      lines: [
        `${gauge(used / limit)} ${words.text('budget.usedOf', { used, limit })}`,
        words.text('budget.byPeople', { n: spent.interactive }),
        words.text('budget.byPollers', { n: spent.background }),
      ],
    },
    fact(words.text('budget.reserve'), words.text('budget.requests', { count: reserve })),
    fact(
      words.text('budget.foreign'),
      foreign === 0 ? words.text('budget.noForeign') : words.text('budget.requests', { count: foreign }),
    ),
    fact(
      words.text('budget.nextRelease'),
      nextReleaseMs === null ? words.text('budget.noneUsed') : moment(now + nextReleaseMs, words),
    ),
    fact(
      words.text('budget.refusals'),
      refusals === 0 ? words.text('budget.neverRefused') : words.text('budget.refused', { count: refusals }),
    ),
    { name: words.text('budget.share'), lines: [words.text('budget.shareRule')] },
  ];
}

function moment(at: number, words: Words): string {
  // Rounded up: whoever comes back at the second that is shown must not be too early.
  return timestamp(Math.ceil(at / 1000) * 1000, 'relative') ?? words.text('card.momentUnknown');
}
