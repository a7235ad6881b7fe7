import { shareGauge } from '../../../src/cards/kit/bar.ts';
import { type Card, createCard, type Section } from '../../../src/cards/kit/card.ts';
import { compact } from '../../../src/cards/kit/lines.ts';
import { inTime } from '../../../src/i18n/in-time.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { BudgetSnapshot } from '../../../src/service/budget/budget-snapshot.ts';

/** Card of the requests to the data service that are left. `isItemised`: with who has used the others. */
export function budgetCard(budget: BudgetSnapshot, isItemised: boolean, t: Translator): Card {
  const lead = [...budgetState(budget, t), t('budget.allowed', allowed(budget, t))];
  const tail = `**${t('budget.share')}** ${t('budget.shareRule')}`;
  const items = isItemised ? sections(budget, t) : [];
  return createCard({ title: t('budget.title'), lead, sections: items, tail }, t);
}

function allowed({ limit, windowMs }: Pick<BudgetSnapshot, 'limit' | 'windowMs'>, t: Translator) {
  return { requests: t('budget.requests', { count: limit }), window: t.duration(windowMs / 1000) };
}

/** Says whether people and boards may send requests now, and if not, when. */
export function budgetState(budget: BudgetSnapshot, t: Translator): readonly string[] {
  const { next, trial } = budget;
  const { waitMs, reason } = next.background;
  // Boards are always spaced out; that is not worth a line.
  const isTold = next.interactive.reason === null && reason !== null && reason !== 'pace';
  return compact(
    peopleState(budget, t),
    isTold ? t('budget.boardsWait', { in: inTime(waitMs, t) }) : null,
    trial && t('budget.trial', { ...allowed(trial, t), in: inTime(trial.endsMs, t) }),
  );
}

function peopleState({ available, next }: BudgetSnapshot, t: Translator): string {
  const { waitMs, reason } = next.interactive;
  if (reason === 'probe') return t('budget.probe');
  const wait = inTime(waitMs, t);
  if (reason === 'closed') return t('budget.closed', { in: wait });
  if (reason === 'headers') return t('budget.notGranted', { in: wait });
  if (reason !== null) return t('budget.spent', { in: wait });
  // One request may find out the rest if nothing is known.
  return t('budget.open', { count: Math.max(1, available) });
}

function sections(budget: BudgetSnapshot, t: Translator): readonly Section[] {
  const {
    limit,
    spent,
    otherUsage,
    heldBack,
    available,
    availableToBackground,
    next,
    nextReleaseMs,
    refusals,
  } = budget;
  const used = spent.interactive + spent.background;
  const requests = (count: number): string => t('budget.requests', { count });
  // Above the figures stands when the next request may be sent; a permit freed before or after that changes nothing.
  const isTimeSaid = next.interactive.reason !== null && next.interactive.reason !== 'probe';
  return compact<Section>(
    {
      name: t('budget.used'),
      lines: [
        `${shareGauge(used / limit)} ${t('budget.usedOf', { used, limit })}`,
        t('budget.byPeople', { n: spent.interactive }),
        t('budget.byPollers', { n: spent.background }),
      ],
    },
    {
      name: t('budget.left'),
      lines: [
        // The first line of the card says how many, if people may ask now.
        ...(next.interactive.reason === null ? [] : [requests(available)]),
        t('budget.leftForBoards', { n: availableToBackground }),
        t('budget.keptForPeople', { n: available - availableToBackground }),
      ],
    },
    otherUsage + heldBack === 0
      ? null
      : {
          name: t('budget.notAvailable'),
          lines: compact(
            requests(otherUsage + heldBack),
            otherUsage === 0 ? null : t('budget.byOthers', { n: otherUsage }),
            heldBack === 0 ? null : t('budget.heldBack', { n: heldBack }),
          ),
        },
    isTimeSaid || nextReleaseMs === null
      ? null
      : { name: t('budget.nextRelease'), lines: [inTime(nextReleaseMs, t)], inline: true },
    refusals === 0
      ? null
      : { name: t('budget.refusals'), lines: [t('budget.refused', { count: refusals })], inline: true },
  );
}
