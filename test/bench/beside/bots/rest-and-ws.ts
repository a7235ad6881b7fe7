/** The parts that the bare library is made of, without its structures and caches. */
import { REST } from '@discordjs/rest';
import { WebSocketManager, WebSocketShardEvents } from '@discordjs/ws';
import { GatewayDispatchEvents, GatewayIntentBits, Routes } from 'discord-api-types/v10';
import { command, embed, rows } from '../answer.ts';

const [, , api = '', token = ''] = process.argv;
const rest = new REST({ api }).setToken(token);
const gateway = new WebSocketManager({ token, intents: GatewayIntentBits.Guilds, rest });
gateway.on(WebSocketShardEvents.Dispatch, async ({ t, d }) => {
  if (t === GatewayDispatchEvents.Ready)
    await rest.put(Routes.applicationCommands(d.application.id), { body: [command] });
  if (t === GatewayDispatchEvents.InteractionCreate) {
    const body = { type: 4, data: { embeds: [embed], components: rows } };
    await rest.post(Routes.interactionCallback(d.id, d.token), { body, auth: false });
  }
});
await gateway.connect();
