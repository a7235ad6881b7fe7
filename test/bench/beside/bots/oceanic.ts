import { Client, InteractionTypes } from 'oceanic.js';
import { command, embed, rows } from '../answer.ts';

const [, , api = '', token = ''] = process.argv;
const client = new Client({
  auth: `Bot ${token}`,
  gateway: { intents: ['GUILDS'], compress: false },
  rest: { baseURL: `${api}/v10` },
});
client.on('error', console.error);
client.once('ready', async () => {
  await client.application.bulkEditGlobalCommands([
    { ...command, type: 1, options: [{ type: 3, name: 'player', description: 'Username', required: false }] },
  ]);
});
client.on('interactionCreate', async (interaction) => {
  if (interaction.type !== InteractionTypes.APPLICATION_COMMAND) return;
  await interaction.createMessage({
    embeds: [{ ...embed, fields: embed.fields ?? [] }],
    components: rows.map((row) => ({
      type: 1,
      components: row.components.map(({ label, custom_id }) => ({
        type: 2,
        style: 2,
        label,
        customID: custom_id,
      })),
    })),
  });
});
await client.connect();
