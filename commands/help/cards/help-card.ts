import { type Card, createCard } from '../../../src/cards/kit/card.ts';
import { commandMention, compact, joinParts } from '../../../src/cards/kit/lines.ts';
import { type Topic, topics } from '../../../src/command-kit/topics.ts';
import type { TextKey, Translator } from '../../../src/i18n/translator.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';

/** One command, or one subcommand, that the reader may use. */
interface HelpEntry {
  readonly name: string;
  readonly subcommand: string | null;
  /** Null: it stands in no list. */
  readonly topic: Topic | null;
  /** True for the command that leads its topic. */
  readonly leads: boolean;
  /** Text key of the description; a subcommand has that of its command. */
  readonly description: TextKey;
  /** Under which Discord has the command; null where nobody knows, and it cannot be tapped. */
  readonly id: string | null;
  /** The command as typed in the reader's language. */
  readonly typed: string;
  /** The command with its options filled in; null if there is nothing to show. */
  readonly example: string | null;
}

/**
 * The reader's commands by topic, on one screen of a phone: the command that leads with its description and an example,
 * the others in a row, since Discord describes each where it is tapped; the subcommands of one command in a line of their
 * own, of which the first can be tapped. `readme`: where more can be read.
 */
export function helpCard(commands: readonly HelpEntry[], readme: string | null, t: Translator): Card {
  const more = readme === null ? null : t('help.readme', { url: readme });
  const list = topics.flatMap((topic) => topicBlock(topic, commands, t));
  const tail = `-# ${compact(t('help.lead'), more).join(' ')}`;
  return createCard({ title: t('help.title'), lead: [], list, tail }, t);
}

/** The commands of a topic in one text, so that a cut never leaves its heading alone. */
function topicBlock(topic: Topic, commands: readonly HelpEntry[], t: Translator): readonly string[] {
  const ofTopic = commands
    .filter((command) => command.topic === topic)
    .toSorted((a, b) => Number(b.leads) - Number(a.leads));
  const [first] = ofTopic;
  if (first === undefined) return [];
  const isLed = first.leads;
  const otherRows = rowsOf(isLed ? ofTopic.slice(1) : ofTopic);
  const heading = `**${t(`help.topic.${topic}`)}**`;
  // One command needs no row of its own.
  if (ofTopic.length === 1 && !isLed) return [`${heading} ${otherRows.join(' ')}`];
  return [
    compact(
      heading,
      isLed ? `${commandText(first)} ${t(first.description)}` : null,
      isLed && first.example !== null ? `\`${first.example}\`` : null,
      ...otherRows,
    ).join('\n'),
  ];
}

/** The commands without subcommands in one row; below it each command with subcommands: "/convoy create · edit · list". */
function rowsOf(commands: readonly HelpEntry[]): readonly string[] {
  const single = commands.filter(({ subcommand }) => subcommand === null);
  const groups = Map.groupBy(
    commands.filter(({ subcommand }) => subcommand !== null),
    ({ name }) => name,
  );
  const lines = [...groups.values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [joinParts(commandText(first), ...rest.map(subcommandTyped))],
  );
  return single.length === 0 ? lines : [single.map(commandText).join(' '), ...lines];
}

function subcommandTyped({ typed }: HelpEntry): string {
  return escapeMarkdown(typed.slice(typed.indexOf(' ') + 1));
}

function commandText({ name, subcommand, id, typed }: HelpEntry): string {
  return id === null ? `\`${typed}\`` : commandMention(name, subcommand, id);
}
