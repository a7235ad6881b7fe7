import {
  type APIActionRowComponent,
  type APIComponentInMessageActionRow,
  type APIEmbed,
  ButtonStyle,
  ChannelType,
  ComponentType,
} from 'discord.js';
import type { Translator } from '../../i18n/translator.ts';
import type { Chart } from '../../pictures/chart.ts';
import { cutRendered, cutText } from '../../text/cut.ts';
import { toMarkdown } from '../../text/markdown.ts';
import { type CustomId, writeCustomId } from './custom-id.ts';
import { fitLines, type Lines, type Room } from './fit-lines.ts';
import { compact } from './lines.ts';

export type ActionRow = APIActionRowComponent<APIComponentInMessageActionRow>;

/** A record as shown in Discord: one embed, and the components below it. */
export interface Card {
  readonly embeds: readonly [APIEmbed];
  readonly components: readonly ActionRow[];
  /** The view for *Share*, where no *Refresh* names it. */
  readonly view?: CustomId | null;
  /** Shown where it can be drawn and attached; the rest has to say it all without it. */
  readonly picture?: {
    /** Name of the file, without its ending. */
    readonly name: string;
    readonly chart: Chart;
    /** The facts in it, for those who cannot see it; at most 1024 characters. */
    readonly alt: string;
    /** A line of text above it. */
    readonly lineAbove?: string | null;
    /** Nobody has asked for it: it is not waited for long, and left out without a word where it cannot be drawn. */
    readonly isUnasked?: boolean;
    /** Stand beside the picture in place of the card's own, which say all of it in words. */
    readonly embeds?: readonly APIEmbed[];
    readonly components?: readonly ActionRow[];
  };
}

/** Discord's limits for one embed, in characters. */
const MAX_LENGTHS = { title: 256, description: 4096, fieldValue: 1024, embed: 6000 };

const noLines: Lines = [];

export interface Section extends Omit<Room, 'characters'> {
  readonly name: string;
  /** Ready to show, most important first, at least one; or what fits itself into so many characters. */
  readonly lines: Lines | ((characters: number) => string);
  readonly inline?: boolean;
}

/** A card's content before it is cut to fit. All but `title` is already markdown. */
export interface Content extends Partial<Pick<Card, 'components' | 'picture'>> {
  /** Plain text, not empty. */
  readonly title: string;
  /** The stripe at its side, 0xRRGGBB; null for none. */
  readonly colour?: number | null;
  /** Always shown in full, but for missing lines: a dozen short ones, at most 2000 characters. */
  readonly lead: readonly (string | null)[];
  /** Shown below the lead, as much as fits. */
  readonly list?: Lines;
  /** A short line, always shown: the last one of the card. */
  readonly tail?: string;
  /** At most a dozen. */
  readonly sections?: readonly Section[];
}

/** A rank at the beginning of a line, in languages that write "14.": Discord would make it an item of a list. */
const LIST_MARK = /^(\d+)\. /gm;

/**
 * A card that Discord accepts for any content: every part of its embed within its own limit, all within 6000. List entries
 * that do not fit are counted. Room is assigned from the end, where the short parts are: each takes at most an
 * equal part, and what they leave goes to the long list before them.
 */
export function createCard(content: Content, t: Translator): Card {
  const { colour = null, list = noLines, sections = [], components = [], picture } = content;
  const title = cutRendered(content.title, MAX_LENGTHS.title, toMarkdown);
  const lead = compact(...content.lead)
    .join('\n')
    .replaceAll(LIST_MARK, '$1\\. ');
  const apart = list.fence === undefined ? '\n\n' : '\n';
  const gap = lead === '' || list.length === 0 ? '' : apart;
  const tail = content.tail === undefined ? '' : `\n${content.tail}`;

  const names = sections.map(({ name }) => name);
  let room = [title, lead, gap, tail, ...names].reduce(
    (remaining, { length }) => remaining - length,
    MAX_LENGTHS.embed,
  );
  let lists = sections.length + (list.length === 0 ? 0 : 1);
  const take = (entries: Section['lines'], limit: number, as: Omit<Room, 'characters'> = {}): string => {
    const characters = Math.min(limit, Math.floor(room / lists));
    const text =
      typeof entries === 'function' ? entries(characters) : fitLines(entries, { ...as, characters }, t);
    lists -= 1;
    room -= text.length;
    return text;
  };

  const fields = sections
    .toReversed()
    .map((section, after) => {
      const end = after === 0 ? tail : '';
      const value = take(section.lines, MAX_LENGTHS.fieldValue - end.length, section) + end;
      return { name: section.name, value, inline: section.inline ?? false };
    })
    .toReversed();
  const free = MAX_LENGTHS.description - lead.length - gap.length - tail.length;
  const end = sections.length === 0 ? tail : '';
  const description = lead + gap + (list.length === 0 ? '' : take(list, free)) + end;
  const embed = {
    title,
    ...(description === '' ? {} : { description }),
    ...(colour === null ? {} : { color: colour }),
    fields,
  };
  return { embeds: [embed], components, ...(picture === undefined ? {} : { picture }) };
}

/** Characters that Discord takes for a button's label, and for a choice of a menu. */
const MAX_LABEL_LENGTHS = { button: 80, choice: 100 };

export interface Button extends CustomId {
  /** Plain text. */
  readonly label: string;
  readonly emoji?: string;
  /** Marks the current view; it cannot be pressed. */
  readonly here?: boolean;
  readonly disabled?: boolean;
  /** Marks an action that cannot be undone. */
  readonly danger?: boolean;
}

/** Shows the same view with a newer record. */
export function refreshButton(id: CustomId, t: Translator): Button {
  return { ...id, refresh: true, label: t('card.refresh'), emoji: '🔄' };
}

/** At most five. */
export function buttonRow(...row: readonly Button[]): ActionRow {
  return {
    type: ComponentType.ActionRow,
    components: row.map((button) => {
      const { label, emoji, here = false, disabled = false, danger = false } = button;
      return {
        type: ComponentType.Button,
        style: here ? ButtonStyle.Primary : danger ? ButtonStyle.Danger : ButtonStyle.Secondary,
        label: cutText(label, MAX_LABEL_LENGTHS.button),
        custom_id: writeCustomId(button),
        disabled: here || disabled,
        ...(emoji === undefined ? {} : { emoji: { name: emoji } }),
      };
    }),
  };
}

/** Discord's limit for the choices of a menu. */
const MAX_CHOICES = 25;

/** A menu of the first 25 choices, of which there is one at least; each value once. */
export function menuRow(
  id: CustomId,
  placeholder: string,
  choices: readonly {
    /** Plain text, like the others. */
    readonly label: string;
    readonly description?: string;
    readonly value: string;
    /** Marks the current choice. */
    readonly here?: boolean;
  }[],
): ActionRow {
  return {
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.StringSelect,
        custom_id: writeCustomId(id),
        placeholder,
        options: choices.slice(0, MAX_CHOICES).map(({ label, value, description = '', here = false }) => ({
          label: cutText(label, MAX_LABEL_LENGTHS.choice),
          value,
          ...(description === '' ? {} : { description: cutText(description, MAX_LABEL_LENGTHS.choice) }),
          ...(here ? { default: true } : {}),
        })),
      },
    ],
  };
}

/** Channels for boards and alerts: no voice channels, and no threads, which close after a while. */
export const TEXT_CHANNELS = [ChannelType.GuildText, ChannelType.GuildAnnouncement] as const;

/** A menu of the text channels of the server. */
export function channelRow(id: CustomId, placeholder: string): ActionRow {
  return {
    type: ComponentType.ActionRow,
    components: [
      {
        type: ComponentType.ChannelSelect,
        custom_id: writeCustomId(id),
        placeholder,
        channel_types: [...TEXT_CHANNELS],
      },
    ],
  };
}
