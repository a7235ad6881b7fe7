import { defineCommand } from '../../src/command-kit/command.ts';
import { hasPermission } from '../../src/command-kit/context.ts';
import { pickExample, typedAs } from '../../src/command-kit/example.ts';
import { helpCard } from './cards/help-card.ts';

export default defineCommand({
  description: 'help.description',
  topic: 'bot',
  visibility: 'private',
  options: {},

  async run(_args, { bot, person, recentNames, t }) {
    const usable = bot.commands.filter(
      ({ name, guildOnly, permission }) =>
        // The reader of /help has already found it.
        name !== 'help' &&
        (!guildOnly || person.guildId !== null) &&
        (permission === null || hasPermission(person, permission)),
    );
    const helped = usable.map((command) => ({
      ...command,
      id: bot.commandId(command.name),
      typed: typedAs(command, t),
      example: command.leads ? pickExample(command, { recentNames, t }) : null,
    }));
    return helpCard(helped, bot.readmeUrl, t);
  },
});
