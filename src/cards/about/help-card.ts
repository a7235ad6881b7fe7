import type { WordKey, Words } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';

/** One command that the reader may use. */
export interface Helped {
  readonly name: string;
  readonly description: WordKey;
  /** How it is typed; without one its name alone says it. */
  readonly example?: WordKey;
}

/** What the reader can ask for, with an example each. `readme`: where more can be read. */
export function helpCard(commands: readonly Helped[], readme: string | null, words: Words): Card {
  const body = {
    title: words.text('help.title'),
    lead: [words.text('help.lead'), ...(readme === null ? [] : [words.text('help.readme', { url: readme })])],
    list: each(commands, (command) => entry(command, words)),
    sections: [],
  };
  return { embeds: [embed(body, words)], components: [] };
}

function entry({ name, description, example }: Helped, words: Words): string {
  const typed = example === undefined ? `/${words.typed(name) ?? name}` : words.text(example);
  return `\`${typed}\`\n${words.text(description)}`;
}
