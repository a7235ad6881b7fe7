/** A person at the chat: builds interactions as the chat does, sends them to the bot, and sees what comes of it. */
import {
  type APIInteraction,
  type APIMessage,
  type APIMessageComponentButtonInteraction,
  type APIMessageInteractionMetadata,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  PermissionFlagsBits as Permission,
} from 'discord-api-types/v10';
import type { Installed, Outcome, Visitor } from './chat.ts';
import type { Commands } from './commands.ts';
import type { Guild, Resident } from './guild.ts';
import { ACKNOWLEDGE_WITHIN, type Interaction, type Interactions, TOKEN_LIFETIME } from './interactions.ts';
import type { Messages } from './messages.ts';
import { permissionsOf } from './permissions.ts';
import { readTyped, resolvedPerson } from './typed-command.ts';

/** A press that was acknowledged without a change may still lead to one; after this long nobody expects it. */
const UPDATE_WITHIN = 10_000;
const ATTACHMENT_LIMIT = 10 * 1024 * 1024;

export interface VisitorNeeds {
  readonly guild: Guild;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly commands: Commands;
  readonly now: () => number;
  readonly nextId: () => string;
  readonly installed: Installed;
  /** To the bot, over the gateway. */
  readonly send: (interaction: APIInteraction) => void;
}

export function createVisitor(needs: VisitorNeeds, resident: Resident): Visitor {
  const { guild, messages, interactions, commands, now, nextId, installed } = needs;
  const { user } = resident.member;

  function sees(channelId: string): boolean {
    if (guild.direct.has(channelId)) return guild.direct.get(channelId)?.recipients?.[0]?.id === user.id;
    const channel = guild.channels.get(channelId);
    return channel !== undefined && (permissionsOf(guild, user.id, channel) & Permission.ViewChannel) !== 0n;
  }

  function may(channelId: string, needed: bigint): boolean {
    if (guild.direct.has(channelId)) return sees(channelId);
    const channel = guild.channels.get(channelId);
    return channel !== undefined && (permissionsOf(guild, user.id, channel) & needed) === needed;
  }

  function visible(messageId: string): APIMessage {
    const message = messages.find(messageId);
    const reader = messages.readerOf(messageId);
    if (message === undefined || !sees(message.channel_id) || (reader !== null && reader !== user.id))
      throw new Error(`${user.username} sees no message ${messageId}`);
    return message;
  }

  /** What the chat offers there: by permission in a guild, by the command's contexts, and by who has installed the bot. */
  function usable(channelId?: string) {
    const own = permissionsOf(guild, user.id, null);
    const direct = channelId !== undefined && guild.direct.has(channelId);
    const context = direct ? InteractionContextType.BotDM : InteractionContextType.Guild;
    const install =
      installed === 'user' ? ApplicationIntegrationType.UserInstall : ApplicationIntegrationType.GuildInstall;
    return commands.all.filter(({ command }) => {
      const needed = BigInt(command.default_member_permissions ?? 0);
      const permitted = direct || guild.openCommands.has(command.name) || (own & needed) === needed;
      // What is published to one guild has neither: it is there and nowhere else.
      if (command.guild_id !== undefined) return permitted && !direct && installed === 'guild';
      const here = channelId === undefined || (command.contexts?.includes(context) ?? true);
      return permitted && here && (command.integration_types?.includes(install) ?? true);
    });
  }

  /** Who has installed the bot that this person uses. A direct conversation stands for the guild `0`. */
  function owners(guildId: string) {
    return installed === 'user'
      ? { [ApplicationIntegrationType.UserInstall]: user.id }
      : { [ApplicationIntegrationType.GuildInstall]: guildId };
  }

  /** What every interaction carries, in the guild or in a direct conversation. */
  function frame(interaction: Interaction) {
    const { id, token, channelId } = interaction;
    const channel = guild.channels.get(channelId);
    const common = {
      id,
      token,
      application_id: guild.bot.id,
      version: 1 as const,
      channel_id: channelId,
      locale: resident.locale,
      entitlements: [],
      attachment_size_limit: ATTACHMENT_LIMIT,
    };
    const direct = guild.direct.get(channelId);
    if (direct !== undefined)
      return {
        ...common,
        user,
        channel: direct,
        context: InteractionContextType.BotDM,
        app_permissions: String(
          Permission.SendMessages |
            Permission.EmbedLinks |
            Permission.AttachFiles |
            Permission.MentionEveryone,
        ),
        authorizing_integration_owners: owners('0'),
      };
    if (channel === undefined) throw new Error(`there is no channel ${channelId}`);
    const { id: guildId, features, preferred_locale } = guild.facts;
    return {
      ...common,
      guild_id: guildId,
      guild: { id: guildId, features, locale: preferred_locale },
      guild_locale: preferred_locale,
      channel,
      context: InteractionContextType.Guild,
      member: { ...resident.member, permissions: String(permissionsOf(guild, user.id, channel)) },
      app_permissions: String(permissionsOf(guild, guild.bot.id, channel)),
      authorizing_integration_owners: owners(guildId),
    };
  }

  function metadata(type: InteractionType.ApplicationCommand): APIMessageInteractionMetadata;
  function metadata(type: InteractionType.MessageComponent, sourceId: string): APIMessageInteractionMetadata;
  function metadata(
    type: InteractionType.ApplicationCommand | InteractionType.MessageComponent,
    sourceId = '',
  ): APIMessageInteractionMetadata {
    const common = { id: nextId(), user, authorizing_integration_owners: owners(guild.facts.id) };
    return type === InteractionType.ApplicationCommand
      ? { ...common, type }
      : { ...common, type, interacted_message_id: sourceId };
  }

  /** Whether it was acknowledged in time. */
  async function acknowledged(interaction: Interaction): Promise<boolean> {
    await within(ACKNOWLEDGE_WITHIN, interaction.whenAcknowledged, undefined);
    if (interaction.acknowledged !== null) return true;
    interactions.expire(interaction);
    return false;
  }

  async function outcome(interaction: Interaction): Promise<Outcome> {
    const inTime = await acknowledged(interaction);
    const after = now() - interaction.sentAt;
    const how = interaction.acknowledged;
    const interactionId = interaction.id;
    if (!inTime || how === null || how === 'suggested')
      return { interactionId, acknowledged: 'failed', after, message: null };
    const patience = how === 'updated' ? UPDATE_WITHIN : TOKEN_LIFETIME;
    const message = await within(patience, interaction.whenSettled, null);
    return { interactionId, acknowledged: how, after, message };
  }

  return {
    id: user.id,
    commands: (channelId) => usable(channelId).map(({ command }) => command),
    messages: (channelId) => (sees(channelId) ? messages.list(channelId, user.id) : []),
    say(channelId, content) {
      if (!may(channelId, Permission.ViewChannel | Permission.SendMessages))
        throw new Error(`${user.username} may not write in ${channelId}`);
      const named = [...content.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? '');
      const mentions = named.flatMap((id) => guild.residents.get(id)?.member.user ?? []);
      return messages.create({
        channelId,
        author: user,
        readerId: null,
        content,
        pings: { mentions: [...new Set(mentions)], mention_roles: [], mention_everyone: false },
      });
    },
    async complete(channelId, name, options, focused) {
      const {
        published,
        options: data,
        resolved,
      } = readTyped(guild, usable(channelId), name, options, focused);
      const interaction = interactions.open({
        type: InteractionType.ApplicationCommandAutocomplete,
        person: user,
        channelId,
        name,
        metadata: metadata(InteractionType.ApplicationCommand),
        sourceId: null,
      });
      needs.send({
        ...frame(interaction),
        type: InteractionType.ApplicationCommandAutocomplete,
        data: {
          id: published.command.id,
          name: published.command.name,
          type: ApplicationCommandType.ChatInput,
          options: data,
          ...(published.command.guild_id !== undefined && { guild_id: published.command.guild_id }),
          ...(resolved !== null && { resolved }),
        },
      });
      return (await acknowledged(interaction)) ? interaction.suggestions : [];
    },
    async invoke(channelId, name, options) {
      if (!may(channelId, Permission.ViewChannel | Permission.UseApplicationCommands))
        throw new Error(`${user.username} may use no commands in ${channelId}`);
      const { published, options: data, resolved } = readTyped(guild, usable(channelId), name, options, null);
      const interaction = interactions.open({
        type: InteractionType.ApplicationCommand,
        person: user,
        channelId,
        name,
        metadata: metadata(InteractionType.ApplicationCommand),
        sourceId: null,
      });
      needs.send({
        ...frame(interaction),
        type: InteractionType.ApplicationCommand,
        data: {
          id: published.command.id,
          name: published.command.name,
          type: ApplicationCommandType.ChatInput,
          options: data,
          ...(published.command.guild_id !== undefined && { guild_id: published.command.guild_id }),
          ...(resolved !== null && { resolved }),
        },
      });
      return outcome(interaction);
    },
    async invokeOn(channelId, entry, personId) {
      if (!may(channelId, Permission.ViewChannel | Permission.UseApplicationCommands))
        throw new Error(`${user.username} may use no commands in ${channelId}`);
      const published = usable(channelId).find(
        ({ form }) => form.type === ApplicationCommandType.User && form.name === entry,
      );
      if (published === undefined) throw new Error(`the menu on a person has no entry ${entry}`);
      const resolved = resolvedPerson(guild, personId);
      if (resolved === null) throw new Error(`there is nobody ${personId}`);
      const interaction = interactions.open({
        type: InteractionType.ApplicationCommand,
        person: user,
        channelId,
        name: entry,
        metadata: metadata(InteractionType.ApplicationCommand),
        sourceId: null,
      });
      needs.send({
        ...frame(interaction),
        type: InteractionType.ApplicationCommand,
        data: {
          id: published.command.id,
          name: published.command.name,
          type: ApplicationCommandType.User,
          target_id: personId,
          resolved,
          ...(published.command.guild_id !== undefined && { guild_id: published.command.guild_id }),
        },
      });
      return outcome(interaction);
    },
    async press(messageId, customId, values) {
      const message = visible(messageId);
      const data = componentData(message, customId, values);
      const interaction = interactions.open({
        type: InteractionType.MessageComponent,
        person: user,
        channelId: message.channel_id,
        name: message.interaction?.name ?? '',
        metadata: metadata(InteractionType.MessageComponent, messageId),
        sourceId: messageId,
      });
      needs.send({ ...frame(interaction), type: InteractionType.MessageComponent, message, data });
      return outcome(interaction);
    },
  };
}

type Pressed =
  | APIMessageComponentButtonInteraction['data']
  | { custom_id: string; component_type: ComponentType.StringSelect; values: string[] };

/** Throws where the chat's own client would not let it be used. */
function componentData(message: APIMessage, customId: string, values: readonly string[] = []): Pressed {
  const rows = (message.components ?? []).flatMap((row) =>
    row.type === ComponentType.ActionRow ? row.components : [],
  );
  const component = rows.find((one) => 'custom_id' in one && one.custom_id === customId);
  if (component === undefined) throw new Error(`the message has no component ${customId}`);
  if ('disabled' in component && component.disabled === true) throw new Error(`${customId} is disabled`);
  if (component.type === ComponentType.Button)
    return { custom_id: customId, component_type: ComponentType.Button };
  if (component.type !== ComponentType.StringSelect)
    throw new Error(`${customId} is a menu of a kind that visitors do not use`);
  const { options, min_values = 1, max_values = 1 } = component;
  const offered = values.every((value) => options.some((option) => option.value === value));
  if (!offered || values.length < min_values || values.length > max_values)
    throw new Error(`${customId} does not offer ${values.join(', ')}`);
  return { custom_id: customId, component_type: ComponentType.StringSelect, values: [...values] };
}

async function within<T>(milliseconds: number, promise: Promise<T>, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => late.resolve(otherwise), milliseconds);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
