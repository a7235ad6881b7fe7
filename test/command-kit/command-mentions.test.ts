/** Commands that answers name can be tapped: in every language, and nowhere else than where the bot itself names them. */
import { expect, test } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
import { languages } from '../../src/base/languages.ts';
import { mentioningCommands } from '../../src/command-kit/command-mentions.ts';
import { listFacts, loadCommands } from '../../src/discord/publish/load.ts';
import { escapeMarkdown } from '../../src/text/names.ts';
import { breaches } from '../support/embed-limits.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { textLimits } from '../support/text-limits.ts';
import { createTranslators } from '../support/translators.ts';

const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const facts = listFacts(commands);
const plain = createTranslators();
const ids = new Map([...commands.keys()].map((name, at) => [name, `12345678901234567${10 + at}`]));
const translatorFor = mentioningCommands(plain, facts, (name) => ids.get(name) ?? null);

test.each(languages)('in %s', (language) => {
  const t = translatorFor(language);
  expect(t.locale).toBe(plain(language).locale);
  expect(t('link.none')).toContain(`</link:${ids.get('link')}>`);
  expect(t('board.list.none')).toContain(`</board create:${ids.get('board')}>`);
  // A group alone cannot be used; all else that is named can.
  const { content = '' } = { content: t('setup.next') };
  expect(content.match(/<\/settings:\d+>|`\/[^`]+`/g)).toHaveLength(2);
});

test('a name of somebody else is no command, and an unknown id leaves the name', () => {
  const t = translatorFor('en-GB');
  expect(t('link.doneProved', { player: escapeMarkdown('`/unlink`') })).not.toContain('</');
  expect(mentioningCommands(plain, facts, () => null)('en-GB')('link.none')).toBe(
    plain('en-GB')('link.none'),
  );
});

test('no text that Discord shows as it is written names a command', () => {
  const english = createAllCatalogues()('en').texts;
  for (const key of textLimits(commands).keys()) {
    const text = key.split('.').reduce<unknown>((part, name) => Object(part)[name], english);
    expect(text, key).not.toMatch(/`\//);
  }
});

test('every answer with them is one that Discord takes', async () => {
  const answers = await everyAnswer(commands, 'de', translatorFor);
  const replies = answers.flatMap((each) => ('reply' in each ? [each.reply] : []));
  expect(replies.flatMap((reply) => breaches(reply))).toEqual([]);
  expect(JSON.stringify(replies)).toMatch(/<\/verknüpfen|<\/link:\d+>/);
  // Labels, titles and the texts of pictures show no mention.
  for (const reply of replies) {
    const shown = JSON.stringify(reply, (key, value: unknown) =>
      ['content', 'description', 'value'].includes(key) ? undefined : value,
    );
    expect(shown).not.toContain('</');
  }
});
