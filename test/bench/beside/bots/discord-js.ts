/** The bare library: logs in, publishes its commands, answers one with an embed, keeps an embed current for the other. */
import { type ChatInputCommandInteraction, Client, Events, GatewayIntentBits } from 'discord.js';
import { boardCommand, command, embed, rows } from '../answer.ts';

/** As often as Pitwall edits a board whose data changes all the time, in ms. */
const EDIT_EVERY = 4000;

const client = new Client({
  intents: [GatewayIntentBits.Guilds],
  rest: { api: process.argv[2] ?? '' },
});
client.on(Events.InteractionCreate, async (interaction) => {
  if (!interaction.isChatInputCommand()) return;
  if (interaction.commandName === boardCommand.name) return keepBoard(interaction);
  await interaction.reply({ embeds: [embed], components: rows });
});
client.once(Events.ClientReady, async ({ application }) => {
  await application.commands.set([command, boardCommand]);
});
await client.login(process.argv[3]);

async function keepBoard(interaction: ChatInputCommandInteraction): Promise<void> {
  await interaction.reply({ content: 'Done.' });
  if (!interaction.channel?.isSendable()) throw new Error('the board has no channel');
  const message = await interaction.channel.send({ embeds: [embed] });
  let edits = 0;
  setInterval(() => {
    edits += 1;
    void message.edit({ embeds: [{ ...embed, footer: { text: `Edit ${edits}` } }] });
  }, EDIT_EVERY);
}
