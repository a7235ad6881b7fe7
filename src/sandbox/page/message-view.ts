import {
  type APIEmbed,
  type APIMessage,
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import type { ChatServer } from '../chat/chat-server.ts';
import { type NameOf, parseMarkdown } from './markdown.ts';
import type { ComponentView, EmbedView, MessageView } from './protocol.ts';

/** A message as the page draws it. */
export function viewOfMessage(
  message: APIMessage,
  nameOf: NameOf,
  channels: ChatServer['channels'],
): MessageView {
  const flags = message.flags ?? 0;
  const { author } = message;
  return {
    id: message.id,
    channelId: message.channel_id,
    at: Date.parse(message.timestamp),
    edited: message.edited_timestamp !== null,
    author: {
      id: author.id,
      name: nameOf('user', author.id) ?? author.global_name ?? author.username,
      app: author.bot ?? false,
    },
    usedBy: viewOfUse(message, nameOf),
    thinking: (flags & MessageFlags.Loading) !== 0,
    private: (flags & MessageFlags.Ephemeral) !== 0,
    marks: parseMarkdown(message.content, nameOf),
    embeds: message.embeds.map((embed) => viewOfEmbed(embed, nameOf)),
    rows: (message.components ?? []).map((row) => viewOfRow(row, channels)),
    files: message.attachments.map(({ filename, url, size, width, height, description }) => ({
      name: filename,
      url,
      bytes: size,
      image: width && height ? { width, height, alt: description ?? '' } : null,
    })),
  };
}

function viewOfUse(message: APIMessage, nameOf: NameOf): MessageView['usedBy'] {
  // `interaction` is the older field, and the only one with the command's name.
  const user = message.interaction_metadata?.user ?? message.interaction?.user;
  if (user === undefined) return null;
  const name = message.interaction?.name;
  return {
    id: user.id,
    name: nameOf('user', user.id) ?? user.global_name ?? user.username,
    command: name === undefined ? null : (nameOf('command', name) ?? name),
  };
}

function viewOfEmbed(embed: APIEmbed, nameOf: NameOf): EmbedView {
  const marks = (text: string | undefined) => (text === undefined ? [] : parseMarkdown(text, nameOf));
  return {
    colour: embed.color === undefined ? null : `#${embed.color.toString(16).padStart(6, '0')}`,
    title: marks(embed.title),
    description: marks(embed.description),
    fields: (embed.fields ?? []).map(({ name, value, inline }) => ({
      name: marks(name),
      value: marks(value),
      inline: inline ?? false,
    })),
  };
}

function viewOfRow(
  row: APIMessageTopLevelComponent,
  channels: ChatServer['channels'],
): readonly ComponentView[] {
  if (row.type !== ComponentType.ActionRow) return [{ type: 'unknown', kind: row.type }];
  return row.components.map((component): ComponentView => {
    if (component.type === ComponentType.StringSelect) {
      return {
        type: 'menu',
        customId: component.custom_id,
        placeholder: component.placeholder,
        disabled: component.disabled ?? false,
        choices: component.options.map((option) => ({
          value: option.value,
          label: option.label,
          description: option.description ?? '',
          picked: option.default ?? false,
        })),
      };
    }
    if (component.type === ComponentType.ChannelSelect)
      return {
        type: 'menu',
        customId: component.custom_id,
        placeholder: component.placeholder,
        disabled: component.disabled ?? false,
        choices: channels
          .filter(({ type }) => component.channel_types?.some((one) => one === type) ?? true)
          .map(({ id, name }) => ({ value: id, label: `# ${name ?? id}`, description: '', picked: false })),
      };
    if (component.type !== ComponentType.Button || !('custom_id' in component))
      return { type: 'unknown', kind: component.type };
    return {
      type: 'button',
      style: styles[component.style],
      label: component.label ?? '',
      emoji: component.emoji?.name ?? '',
      disabled: component.disabled ?? false,
      customId: component.custom_id,
    };
  });
}

const styles = {
  [ButtonStyle.Primary]: 'primary',
  [ButtonStyle.Secondary]: 'secondary',
  // As others: the bot has none.
  [ButtonStyle.Success]: 'secondary',
  [ButtonStyle.Danger]: 'danger',
} as const;
