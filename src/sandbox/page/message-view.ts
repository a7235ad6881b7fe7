import {
  type APIEmbed,
  type APIMessage,
  type APIMessageComponentEmoji,
  type APIMessageTopLevelComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord.js';
import { type NameOf, parseMarkdown } from './markdown.ts';
import type { ComponentView, EmbedView, MessageView, Picture } from './protocol.ts';

/** A message as the page draws it. */
export function viewOfMessage(message: APIMessage, nameOf: NameOf): MessageView {
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
    rows: (message.components ?? []).map(viewOfRow),
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
    author: embed.author?.name ?? null,
    title: marks(embed.title),
    url: embed.url ?? null,
    description: marks(embed.description),
    fields: (embed.fields ?? []).map(({ name, value, inline }) => ({
      name: marks(name),
      value: marks(value),
      inline: inline ?? false,
    })),
    thumbnail: viewOfImage(embed.thumbnail?.url),
    image: viewOfImage(embed.image?.url),
    footer: embed.footer?.text ?? null,
    at: embed.timestamp === undefined ? null : Date.parse(embed.timestamp),
  };
}

/** The service's flags have URLs that end in the country's code: `…/flags/de.png`. */
function viewOfImage(address: string | undefined): Picture | null {
  if (address === undefined) return null;
  const country = /(?:^|[^a-z])([a-z]{2})\.(?:png|svg|gif|webp|jpe?g)(?:$|[?#])/i.exec(address)?.[1];
  return { address, country: country?.toLowerCase() ?? null };
}

function viewOfRow(row: APIMessageTopLevelComponent): readonly ComponentView[] {
  if (row.type !== ComponentType.ActionRow) return [{ type: 'unknown', kind: row.type }];
  return row.components.map((component): ComponentView => {
    if (component.type === ComponentType.StringSelect) {
      return {
        type: 'menu',
        customId: component.custom_id,
        placeholder: component.placeholder ?? null,
        disabled: component.disabled ?? false,
        min: component.min_values ?? 1,
        max: component.max_values ?? 1,
        choices: component.options.map((option) => ({
          value: option.value,
          label: option.label,
          description: option.description ?? '',
          emoji: emojiText(option.emoji),
          picked: option.default ?? false,
        })),
      };
    }
    if (component.type !== ComponentType.Button || component.style === ButtonStyle.Premium)
      return { type: 'unknown', kind: component.type };
    return {
      type: 'button',
      style: styles[component.style],
      label: component.label ?? '',
      emoji: emojiText(component.emoji),
      disabled: component.disabled ?? false,
      customId: component.style === ButtonStyle.Link ? null : component.custom_id,
      url: component.style === ButtonStyle.Link ? component.url : null,
    };
  });
}

const styles = {
  [ButtonStyle.Primary]: 'primary',
  [ButtonStyle.Secondary]: 'secondary',
  [ButtonStyle.Success]: 'success',
  [ButtonStyle.Danger]: 'danger',
  [ButtonStyle.Link]: 'link',
} as const;

/** A custom emoji's image is external, so its name is shown. */
function emojiText(emoji: APIMessageComponentEmoji | undefined): string {
  if (emoji === undefined) return '';
  return emoji.id === undefined ? (emoji.name ?? '') : `:${emoji.name ?? ''}:`;
}
