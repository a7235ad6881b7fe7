import { defineCommand } from '../src/app/command.ts';
import { helpCard } from '../src/cards/about/help-card.ts';

export default defineCommand({
  description: 'help.description',
  example: 'help.example',
  visibility: 'private',
  options: {},

  async run(_args, { bot, person, t }) {
    const usable = bot.commands.filter(
      ({ guildOnly, permission }) =>
        (guildOnly === undefined || person.guildId !== null) &&
        (permission === undefined || person.mayManage),
    );
    return helpCard(usable, bot.readmeUrl, t);
  },
});
