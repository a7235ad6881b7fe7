/** A person on the server: builds interactions as Discord does, sends them to the bot, and sees the result. */
import { type APIUser, InteractionType, PermissionFlagsBits as Permission } from 'discord.js';
import type { Resident } from '../guild/guild.ts';
import type { Guilds } from '../guild/guilds.ts';
import type { Commands } from '../state/commands.ts';
import type { Messages } from '../state/messages.ts';
import { type Asking, type AskingNeeds, createAsking } from './asking.ts';
import type { Asker } from './interaction-frame.ts';
import { offeredCommands } from './offered-commands.ts';
import { pickedEntry } from './picked-entry.ts';
import { pressedComponent } from './pressed-component.ts';
import { createSight, type Sight } from './sight.ts';
import { submittedForm } from './submitted-form.ts';
import { typedCommand } from './typed-command.ts';
import type { Installed, Outcome, Visitor } from './visitor.ts';

interface VisitorNeeds extends AskingNeeds {
  readonly guilds: Guilds;
  readonly messages: Messages;
  readonly commands: Commands;
  readonly installed: Installed;
}

/** A person as they ask, with what that takes. */
interface Person {
  readonly needs: VisitorNeeds;
  readonly user: APIUser;
  readonly sight: Sight;
  readonly asking: Asking;
  /** As they ask in that channel, or in the community. */
  askerIn(channelId?: string): Asker;
}

export function createVisitor(needs: VisitorNeeds, resident: Resident): Visitor {
  const { guilds, messages, installed } = needs;
  const { user } = resident.member;
  const sight = createSight(guilds, messages, user);
  const person: Person = {
    needs,
    user,
    sight,
    asking: createAsking(needs),
    askerIn: (channelId = '') => ({ guild: guilds.of(channelId), resident, installed }),
  };
  return {
    id: user.id,
    locale: resident.locale,
    messages: (channelId) => (sight.sees(channelId) ? messages.list(channelId, user.id) : []),
    say: (channelId, content) => say(person, channelId, content),
    ...withCommands(person),
    ...withComponents(person),
  };
}

function say({ needs: { guilds, messages }, user, sight }: Person, channelId: string, content: string) {
  if (!sight.may(channelId, Permission.ViewChannel | Permission.SendMessages))
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
}

/** The bot's commands: typed, or picked from the menu on somebody. */
function withCommands({
  needs,
  user,
  sight,
  asking,
  askerIn,
}: Person): Pick<Visitor, 'commands' | 'complete' | 'invoke' | 'invokeOn'> {
  const usable = (channelId?: string) => offeredCommands(askerIn(channelId), needs.commands.all, channelId);

  function use(
    channelId: string,
    named: (asker: Asker) => ReturnType<typeof typedCommand> | ReturnType<typeof pickedEntry>,
  ): Promise<Outcome> {
    if (!sight.may(channelId, Permission.ViewChannel | Permission.UseApplicationCommands))
      throw new Error(`${user.username} may use no commands in ${channelId}`);
    const asker = askerIn(channelId);
    const { name, data } = named(asker);
    const type = InteractionType.ApplicationCommand;
    const asked = { type, channelId, name, sourceId: null };
    return asking.outcome(asking.send(asker, asked, (frame) => ({ ...frame, type, data })));
  }

  return {
    commands: (channelId) => usable(channelId).map(({ command }) => command),
    async complete(channelId, command, options, focused) {
      const asker = askerIn(channelId);
      const { name, data } = typedCommand(asker, usable(channelId), command, options, focused);
      const type = InteractionType.ApplicationCommandAutocomplete;
      const asked = { type, channelId, name, sourceId: null };
      const interaction = asking.send(asker, asked, (frame) => ({ ...frame, type, data }));
      return (await asking.acknowledged(interaction)) ? interaction.suggestions : [];
    },
    invoke: async (channelId, command, options) =>
      use(channelId, (asker) => typedCommand(asker, usable(channelId), command, options, null)),
    invokeOn: async (channelId, entry, personId) =>
      use(channelId, (asker) => pickedEntry(asker, usable(channelId), entry, personId)),
  };
}

/** Buttons and menus of messages, and the forms that they or commands open. */
function withComponents({
  needs: { guilds, messages },
  user,
  sight,
  asking,
  askerIn,
}: Person): Pick<Visitor, 'press' | 'submit'> {
  return {
    async press(messageId, customId, values) {
      const message = sight.message(messageId);
      const { channel_id: channelId } = message;
      const data = pressedComponent(message, customId, values, () => guilds.of(channelId));
      const type = InteractionType.MessageComponent;
      const asked = { type, channelId, name: message.interaction?.name ?? '', sourceId: messageId };
      return asking.outcome(
        asking.send(askerIn(channelId), asked, (frame) => ({ ...frame, type, message, data })),
      );
    },
    async submit(interactionId, filled) {
      const opened = asking.forms.get(interactionId);
      if (opened === undefined) throw new Error(`${user.username} has no form ${interactionId} open`);
      const { channelId, name, sourceId } = opened.interaction;
      const data = submittedForm(opened.form, filled, guilds.of(channelId));
      const type = InteractionType.ModalSubmit;
      const message = sourceId === null ? undefined : messages.find(sourceId);
      const source = message === undefined ? {} : { message };
      const asked = { type, channelId, name, sourceId };
      const ended = await asking.outcome(
        asking.send(askerIn(channelId), asked, (frame) => ({ ...frame, type, data, ...source })),
      );
      // A form that gets no answer stays open with all that is in it.
      if (ended.acknowledged !== 'failed') asking.forms.delete(interactionId);
      return ended;
    },
  };
}
