/** The bare library: logs in, publishes one command, answers it with an embed. */
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { command, embed, rows } from '../answer.ts';

const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: process.argv[2] ?? '' },
});
client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isChatInputCommand()) await interaction.reply({ embeds: [embed], components: rows });
});
client.once(Events.ClientReady, async ({ application }) => {
  await application.commands.set([command]);
});
await client.login(process.argv[3]);
