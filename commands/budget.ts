import { defineCommand } from '../src/app/command.ts';
import { budgetCard } from '../src/cards/about/budget-card.ts';

export default defineCommand({
  description: 'budget.description',
  example: 'budget.example',
  visibility: 'private',
  options: {},

  async run(_args, { budget, now, t }) {
    const standing = await budget();
    return standing === null ? { content: t('budget.away') } : budgetCard(standing, now, t);
  },
});
