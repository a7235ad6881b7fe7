import { defineCommand } from '../src/app/command.ts';
import { exampleOf, typedAs } from '../src/app/example.ts';
import { helpCard } from '../src/cards/about/help-card.ts';

export default defineCommand({
  description: 'help.description',
  topic: 'bot',
  visibility: 'private',
  options: {},

  async run(_args, { bot, person, recentNames, t }) {
    const usable = bot.commands.filter(
      ({ guildOnly, permission }) =>
        (!guildOnly || person.guildId !== null) && (permission === null || person.mayManage),
    );
    const helped = usable.map((command) => ({
      ...command,
      id: bot.commandId(command.name),
      typed: typedAs(command, t),
      example: exampleOf(command, { recentNames, t }),
    }));
    return helpCard(helped, bot.readmeUrl, t);
  },
});
