import { budgetCard } from '../src/cards/about/budget-card.ts';
import { defineCommand } from '../src/app/command.ts';

export default defineCommand({
  description: 'budget.description',
  example: 'budget.example',
  visibility: 'private',
  options: {},

  async run(_args, { budget, now, words }) {
    const standing = await budget();
    return standing === null ? { content: words.text('budget.away') } : budgetCard(standing, now, words);
  },
});
