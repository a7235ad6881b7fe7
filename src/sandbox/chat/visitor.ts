/** A person on the server: builds interactions as Discord does, sends them to the bot, and sees the result. */
import {
  type APIInteraction,
  type APIMessage,
  ApplicationCommandType,
  InteractionType,
  PermissionFlagsBits as Permission,
} from 'discord-api-types/v10';
import type { Installed, Outcome, TypedOption, Visitor } from './chat.ts';
import type { Commands, Published } from './commands.ts';
import type { Resident } from './guild.ts';
import type { Guilds } from './guilds.ts';
import { type Asker, frameOf, metadataOf } from './interaction-frame.ts';
import { ACKNOWLEDGE_WITHIN, type Interaction, type Interactions, TOKEN_LIFETIME } from './interactions.ts';
import type { Messages } from './messages.ts';
import type { ModalForm } from './modal-form.ts';
import { offeredCommands } from './offered-commands.ts';
import { permissionsOf } from './permissions.ts';
import { pressedComponent } from './pressed-component.ts';
import { submittedForm } from './submitted-form.ts';
import { isCalled, readTyped, resolvedPerson } from './typed-command.ts';

/** An acknowledged press may still lead to a change; after this time nobody expects it (ms). */
const UPDATE_WITHIN = 10_000;

export interface VisitorNeeds {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly interactions: Interactions;
  readonly commands: Commands;
  readonly now: () => number;
  readonly nextId: () => string;
  readonly installed: Installed;
  /** Sends to the bot over the gateway. */
  readonly send: (interaction: APIInteraction) => void;
}

export function createVisitor(needs: VisitorNeeds, resident: Resident): Visitor {
  const { guilds, messages, interactions, commands, now, nextId, installed } = needs;
  const { user } = resident.member;
  /** As they ask in that channel, or in the community. */
  const askerIn = (channelId = ''): Asker => ({ guild: guilds.of(channelId), resident, installed });

  function sees(channelId: string): boolean {
    const guild = guilds.of(channelId);
    if (guild.direct.has(channelId)) return guild.direct.get(channelId)?.recipients?.[0]?.id === user.id;
    const channel = guild.channels.get(channelId);
    return channel !== undefined && (permissionsOf(guild, user.id, channel) & Permission.ViewChannel) !== 0n;
  }

  function may(channelId: string, needed: bigint): boolean {
    const guild = guilds.of(channelId);
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

  const usable = (channelId?: string) => offeredCommands(askerIn(channelId), commands.all, channelId);
  /** Registers the interaction before the bot gets it. */
  function open(
    type: Interaction['type'],
    channelId: string,
    name: string,
    sourceId: string | null,
  ): Interaction {
    const metadata = metadataOf(askerIn(channelId), nextId(), sourceId);
    return interactions.open({ type, person: user, channelId, name, metadata, sourceId });
  }

  function mayUseCommands(channelId: string): void {
    if (!may(channelId, Permission.ViewChannel | Permission.UseApplicationCommands))
      throw new Error(`${user.username} may use no commands in ${channelId}`);
  }

  /** Open on this person's screen, by the interaction that each answered. */
  const forms = new Map<string, { readonly form: ModalForm; readonly interaction: Interaction }>();

  /** A slash command as typed, complete or with one option still being typed. */
  function typed(
    channelId: string,
    command: string,
    options: readonly TypedOption[],
    focused: string | null,
  ) {
    const read = readTyped(
      { guild: guilds.of(channelId), locale: resident.locale },
      usable(channelId),
      command,
      options,
      focused,
    );
    const type = ApplicationCommandType.ChatInput as const;
    const resolved = read.resolved === null ? {} : { resolved: read.resolved };
    return { name: read.name, data: { ...named(read.published), type, options: read.options, ...resolved } };
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
      return { interactionId, acknowledged: 'failed', after, message: null, form: null };
    const { form } = interaction;
    if (form !== null) forms.set(interactionId, { form, interaction });
    const patience = how === 'updated' ? UPDATE_WITHIN : TOKEN_LIFETIME;
    const message = await within(patience, interaction.whenSettled, null);
    return { interactionId, acknowledged: how, after, message, form };
  }

  return {
    id: user.id,
    locale: resident.locale,
    commands: (channelId) => usable(channelId).map(({ command }) => command),
    messages: (channelId) => (sees(channelId) ? messages.list(channelId, user.id) : []),
    say(channelId, content) {
      if (!may(channelId, Permission.ViewChannel | Permission.SendMessages))
        throw new Error(`${user.username} may not write in ${channelId}`);
      const named = [...content.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? '');
      const mentions = named.flatMap((id) => guilds.main.residents.get(id)?.member.user ?? []);
      return messages.create({
        channelId,
        author: user,
        readerId: null,
        content,
        pings: { mentions: [...new Set(mentions)], mention_roles: [], mention_everyone: false },
      });
    },
    async complete(channelId, command, options, focused) {
      const { name, data } = typed(channelId, command, options, focused);
      const type = InteractionType.ApplicationCommandAutocomplete;
      const interaction = open(type, channelId, name, null);
      needs.send({ ...frameOf(askerIn(channelId), interaction), type, data });
      return (await acknowledged(interaction)) ? interaction.suggestions : [];
    },
    async invoke(channelId, command, options) {
      mayUseCommands(channelId);
      const { name, data } = typed(channelId, command, options, null);
      const type = InteractionType.ApplicationCommand;
      const interaction = open(type, channelId, name, null);
      needs.send({ ...frameOf(askerIn(channelId), interaction), type, data });
      return outcome(interaction);
    },
    async invokeOn(channelId, entry, personId) {
      mayUseCommands(channelId);
      const published = usable(channelId).find(
        ({ form }) => form.type === ApplicationCommandType.User && isCalled(form, entry, resident.locale),
      );
      if (published === undefined) throw new Error(`the menu on a person has no entry ${entry}`);
      const resolved = resolvedPerson(guilds.of(channelId), personId);
      if (resolved === null) throw new Error(`there is nobody ${personId}`);
      const type = InteractionType.ApplicationCommand;
      const interaction = open(type, channelId, published.command.name, null);
      const data = {
        ...named(published),
        type: ApplicationCommandType.User as const,
        target_id: personId,
        resolved,
      };
      needs.send({ ...frameOf(askerIn(channelId), interaction), type, data });
      return outcome(interaction);
    },
    async press(messageId, customId, values) {
      const message = visible(messageId);
      const data = pressedComponent(message, customId, values);
      const type = InteractionType.MessageComponent;
      const interaction = open(type, message.channel_id, message.interaction?.name ?? '', messageId);
      needs.send({ ...frameOf(askerIn(message.channel_id), interaction), type, message, data });
      return outcome(interaction);
    },
    async submit(interactionId, filled) {
      const opened = forms.get(interactionId);
      if (opened === undefined) throw new Error(`${user.username} has no form ${interactionId} open`);
      const { channelId, name, sourceId } = opened.interaction;
      const data = submittedForm(opened.form, filled, guilds.of(channelId));
      const type = InteractionType.ModalSubmit;
      const interaction = open(type, channelId, name, sourceId);
      const message = sourceId === null ? undefined : messages.find(sourceId);
      const frame = frameOf(askerIn(channelId), interaction);
      needs.send({ ...frame, type, data, ...(message === undefined ? {} : { message }) });
      const ended = await outcome(interaction);
      // A form that gets no answer stays open with all that is in it.
      if (ended.acknowledged !== 'failed') forms.delete(interactionId);
      return ended;
    },
  };
}

/** A published command as named in an interaction. */
function named({ command: { id, name, guild_id } }: Published) {
  return { id, name, ...(guild_id !== undefined && { guild_id }) };
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
