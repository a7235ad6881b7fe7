import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';

/** In the order in which they stand below each other. */
const topics = ['drivers', 'servers', 'yours', 'guild', 'bot'] as const;

/** What a command is about, and so the heading below which it stands; `guild` is for those who manage the Discord server. */
export type Topic = (typeof topics)[number];

/** One command, or one subcommand, that the reader may use. */
export interface Helped {
  readonly name: string;
  readonly subcommand: string | null;
  readonly topic: Topic;
  /** Whether it stands first below its topic. */
  readonly leads: boolean;
  /** Of a subcommand, that of its command. */
  readonly description: TextKey;
  /** Under which Discord has the command; null where nobody knows, and it cannot be tapped. */
  readonly id: string | null;
  /** What is typed for it in the reader's language. */
  readonly typed: string;
  /** The same with its options filled in; null where there is nothing to show. */
  readonly example: string | null;
}

/** What the reader can ask for, by topic. `readme`: where more can be read. */
export function helpCard(commands: readonly Helped[], readme: string | null, t: Translator): Card {
  const body = {
    title: t('help.title'),
    lead: [t('help.lead'), ...(readme === null ? [] : [t('help.readme', { url: readme })])],
    list: topics
      .map((topic) => below(topic, commands, t))
      .filter((entries) => entries.length > 0)
      // A blank line in front of every topic but the first.
      .flatMap(([first = '', ...others], at) => [at === 0 ? first : `\n${first}`, ...others]),
    sections: [],
  };
  return { embeds: [embed(body, t)], components: [] };
}

/** The commands of a topic. The heading goes with the first of them, so that it never stands alone where the room ends. */
function below(topic: Topic, commands: readonly Helped[], t: Translator): readonly string[] {
  const ofTopic = commands
    .filter((command) => command.topic === topic)
    .toSorted((a, b) => Number(b.leads) - Number(a.leads));
  return [...Map.groupBy(ofTopic, ({ name }) => name).values()]
    .map((parts) => entry(parts, t))
    .map((text, at) => (at === 0 ? `**${t(`help.topic.${topic}`)}**\n${text}` : text));
}

/** One command in a line, or its subcommands in a row below what it is for. */
function entry(parts: readonly Helped[], t: Translator): string {
  const [first] = parts;
  if (first === undefined) return '';
  const { subcommand, description, example } = first;
  if (subcommand !== null) return `${t(description)}\n${parts.map(called).join(' ')}`;
  const line = `${called(first)} ${t(description)}`;
  return example !== null ? `${line}\n\`${example}\`` : line;
}

function called({ name, subcommand, id, typed }: Helped): string {
  return id === null ? `\`${typed}\`` : `</${[name, subcommand].filter(Boolean).join(' ')}:${id}>`;
}
