import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Card } from '../kit/card.ts';
import { embed } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';

/** One command that the reader may use. */
export interface Helped {
  readonly name: string;
  readonly description: TextKey;
  /** How it is typed; without one its name alone says it. */
  readonly example?: TextKey;
}

/** What the reader can ask for, with an example each. `readme`: where more can be read. */
export function helpCard(commands: readonly Helped[], readme: string | null, t: Translator): Card {
  const body = {
    title: t('help.title'),
    lead: [t('help.lead'), ...(readme === null ? [] : [t('help.readme', { url: readme })])],
    list: each(commands, (command) => entry(command, t)),
    sections: [],
  };
  return { embeds: [embed(body, t)], components: [] };
}

function entry({ name, description, example }: Helped, t: Translator): string {
  const typed = example === undefined ? `/${t.typed(name) ?? name}` : t(example);
  return `\`${typed}\`\n${t(description)}`;
}
