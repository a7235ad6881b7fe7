import type { APIEmbed } from 'discord-api-types/v10';
import type { Translator } from '../../i18n/translator.ts';
import { cutRendered } from '../../text/cut.ts';
import { markdown } from '../../text/markdown.ts';
import { fitLines, type Lines, type Room } from './fit-lines.ts';

/** Discord's limits for one embed, in characters. */
const LIMIT = { title: 256, description: 4096, fieldValue: 1024, embed: 6000 };

export interface Section extends Omit<Room, 'characters'> {
  readonly name: string;
  /** Ready to show, most important first. At least one. */
  readonly lines: Lines;
  readonly inline?: boolean;
}

/** An embed's content before it is cut to fit. All but `title` is already markdown. */
interface Content {
  /** Plain text, not empty. */
  readonly title: string;
  /** The stripe at its side, 0xRRGGBB; null for none. */
  readonly colour?: number | null;
  /** Always shown in full: a dozen short lines, at most 2000 characters. */
  readonly lead: readonly string[];
  /** Shown below the lead, as much as fits. */
  readonly list?: Lines;
  /** A short line, always shown: the last one of the card. */
  readonly tail?: string;
  /** At most a dozen. */
  readonly sections: readonly Section[];
}

/**
 * An embed that Discord accepts for any content: every part within its own limit, all within 6000. List entries
 * that do not fit are counted. Room is assigned from the end, where the short parts are: each takes at most an
 * equal part, and what they leave goes to the long list before them.
 */
export function embed(content: Content, t: Translator): APIEmbed {
  const more = (left: number): string => t('card.more', { n: left });
  const title = cutRendered(content.title, LIMIT.title, markdown);
  const lead = content.lead.join('\n');
  const gap = lead === '' || content.list === undefined ? '' : '\n\n';
  const tail = content.tail === undefined ? '' : `\n${content.tail}`;
  const names = content.sections.map(({ name }) => name);
  /** The description ends with it, or the last section does. */
  const ends = (section: number): string => (section === content.sections.length - 1 ? tail : '');

  let room = [title, lead, gap, tail, ...names].reduce((left, { length }) => left - length, LIMIT.embed);
  let lists = content.sections.length + (content.list === undefined ? 0 : 1);
  const take = (entries: Lines, limit: number, as: Omit<Room, 'characters'> = {}): string => {
    const characters = Math.min(limit, Math.floor(room / lists));
    const text = fitLines(entries, { ...as, characters }, more);
    lists -= 1;
    room -= text.length;
    return text;
  };

  const fields = content.sections
    .map((section, index) => ({ section, end: ends(index) }))
    .toReversed()
    .map(({ section, end }) => ({
      name: section.name,
      value: take(section.lines, LIMIT.fieldValue - end.length, section) + end,
      inline: section.inline ?? false,
    }))
    .toReversed();
  const free = LIMIT.description - lead.length - gap.length - tail.length;
  const description = lead + gap + (content.list === undefined ? '' : take(content.list, free)) + ends(-1);
  return {
    title,
    ...(description === '' ? {} : { description }),
    ...(content.colour === undefined || content.colour === null ? {} : { color: content.colour }),
    fields,
  };
}
