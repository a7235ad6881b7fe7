/** Interactions of discord.js without a gateway. */
import {
  ApplicationCommandType,
  AutocompleteInteraction,
  ButtonInteraction,
  ChannelSelectMenuInteraction,
  ChannelType,
  ChatInputCommandInteraction,
  Client,
  ClientUser,
  ComponentType,
  Guild,
  type Interaction,
  InteractionType,
  Locale,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
  PermissionFlagsBits,
  REST,
  type RESTOptions,
  RoleSelectMenuInteraction,
  StringSelectMenuInteraction,
  UserContextMenuCommandInteraction,
} from 'discord.js';
import { z } from 'zod';
import type { Rest } from '../../src/discord/rest/rest-client.ts';

/** The bot's own id. */
const ME = '2';

/** Parts that all interactions of one person in one channel share. */
export const frame = {
  ...{ id: '1', token: 'token', application_id: ME, version: 1, locale: Locale.EnglishGB },
  ...{ channel_id: '3', channel: { id: '3', type: ChannelType.GuildText }, app_permissions: '0' },
  ...{ entitlements: [], attachment_size_limit: 0, authorizing_integration_owners: {} },
  user: { id: '4', username: 'anna', discriminator: '0', avatar: null, global_name: null },
};

/** A client that is connected to nothing. `rest`: how it makes requests. */
export function createOfflineClient(rest: Rest | Pick<RESTOptions, 'makeRequest'>): Client {
  const client = new Client({ intents: [], rest: 'makeRequest' in rest ? rest : {} });
  if (!('makeRequest' in rest)) client.rest = Object.assign(new REST(), rest);
  client.user = Reflect.construct(ClientUser, [client, { id: ME, username: 'bot', discriminator: '0' }]);
  return client;
}

/** Adds a guild in which the bot may do everything. `isServed`: Discord can serve it now. */
export function addGuild(
  client: Client,
  {
    isServed = true,
    ...guild
  }: {
    readonly id: string;
    readonly channels: readonly object[];
    readonly roles: readonly object[];
    readonly isServed?: boolean;
  },
): void {
  const everyone = { id: guild.id, permissions: String(PermissionFlagsBits.Administrator) };
  const data = {
    ...guild,
    roles: [everyone, ...guild.roles],
    members: [{ user: { id: ME }, roles: [] }],
    unavailable: !isServed,
  };
  client.guilds.cache.set(guild.id, Reflect.construct(Guild, [client, data]));
}

const Kind = z.object({
  type: z.int(),
  data: z.object({ type: z.int().optional(), component_type: z.int().optional() }),
});

/** The class that the library has for it. */
function classOf(sent: object) {
  const { type, data } = Kind.parse(sent);
  switch (type) {
    case InteractionType.ApplicationCommandAutocomplete:
      return AutocompleteInteraction;
    case InteractionType.ModalSubmit:
      return ModalSubmitInteraction;
    case InteractionType.MessageComponent:
      switch (data.component_type) {
        case ComponentType.ChannelSelect:
          return ChannelSelectMenuInteraction;
        case ComponentType.RoleSelect:
          return RoleSelectMenuInteraction;
        case ComponentType.StringSelect:
          return StringSelectMenuInteraction;
        default:
          return ButtonInteraction;
      }
    default:
      switch (data.type) {
        case ApplicationCommandType.User:
          return UserContextMenuCommandInteraction;
        case ApplicationCommandType.Message:
          return MessageContextMenuCommandInteraction;
        default:
          return ChatInputCommandInteraction;
      }
  }
}

/** An interaction that a gateway would have sent. */
export function createInteraction(client: Client, sent: object): Interaction {
  return Reflect.construct(classOf(sent), [client, sent]);
}

type Connection = Parameters<typeof createOfflineClient>[0];

function createCommand(client: Client, sent: object): ChatInputCommandInteraction {
  const data = { id: '5', name: 'ask', type: ApplicationCommandType.ChatInput, ...sent };
  const interaction = createInteraction(client, {
    ...frame,
    type: InteractionType.ApplicationCommand,
    data,
  });
  if (!interaction.isChatInputCommand()) throw new TypeError('another kind of interaction');
  return interaction;
}

/** A slash command that is answered over this connection. */
export function commandOver(rest: Connection): ChatInputCommandInteraction {
  return createCommand(createOfflineClient(rest), {});
}

const unasked = createOfflineClient({ makeRequest: () => Promise.reject(new Error('not asked for')) });

/** What the library makes of options that a person has typed. */
export function typedIn(sent: { readonly options: readonly object[]; readonly resolved?: object }) {
  return createCommand(unasked, sent).options;
}

/** A press of a button that is answered over this connection. */
export function pressOver(rest: Connection): ButtonInteraction {
  const data = { custom_id: '1:ask:show:', component_type: ComponentType.Button };
  const sent = { ...frame, type: InteractionType.MessageComponent, data, message: { id: '6' } };
  const interaction = createInteraction(createOfflineClient(rest), sent);
  if (!interaction.isButton()) throw new TypeError('another kind of interaction');
  return interaction;
}
