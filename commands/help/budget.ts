import { defineCommand } from '../../src/command-kit/command.ts';
import { budgetCard } from './cards/budget-card.ts';

export default defineCommand({
  description: 'budget.description',
  topic: 'bot',
  visibility: 'private',
  options: {},

  async run(_args, { bot, person, t }) {
    const figures = await bot.budget();
    return figures === null ? { content: t('budget.away') } : budgetCard(figures, person.mayManage, t);
  },
});
