import { defineCommand } from '../../src/command-kit/command.ts';
import { diagnosisCard } from './cards/diagnosis-card.ts';

export default defineCommand({
  description: 'diagnose.description',
  topic: 'guild',
  visibility: 'private',
  permission: 'manage-guild',
  guildOnly: true,
  options: {},

  async run(_args, { bot, person, t }) {
    return diagnosisCard(await bot.diagnose(person.guildId), t);
  },
});
