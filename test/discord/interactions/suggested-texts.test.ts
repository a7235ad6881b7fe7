/** Discord sometimes sends the text of a suggestion or of a choice in place of its value, and people copy such texts. */
import { ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from 'discord.js';
import { expect, test } from 'vitest';
import link from '../../../commands/people/link.ts';
import { features } from '../../../commands/subjects.ts';
import { languages } from '../../../src/base/languages.ts';
import { readArgs } from '../../../src/discord/interactions/args.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import { dispatchInMemory } from '../../support/dispatch-in-memory.ts';
import { typedIn } from '../../support/interaction.ts';
import { noNames } from '../../support/no-names.ts';
import { createTranslators } from '../../support/translators.ts';

const commands = await loadCommands(new URL('../../../commands/', import.meta.url));
const translatorFor = createTranslators();

/** The driver zsolt, called Zsolt Racer, drives on Two; there is one car, and one licence. */
const recentNames = {
  ...noNames,
  players: () => ['zsolt'],
  nicknameOf: () => '^1Zsolt Racer',
  vins: () => [{ vin: 'ABCDE', type: 'FXO' }],
  licences: () => ['police_a'],
};

const text = (name: string, value: string, more = {}) => ({
  ...{ name, value, type: ApplicationCommandOptionType.String as const },
  ...more,
});

const options = [...commands].flatMap(([name, command]) => {
  const groups = 'subcommands' in command ? Object.entries(command.subcommands) : [[null, command] as const];
  return groups.flatMap(([subcommand, one]) =>
    'options' in one
      ? Object.entries(one.options).map(([option, declaration]) => ({
          called: [name, subcommand, option].filter((part) => part !== null).join(' '),
          declaration,
        }))
      : [],
  );
});

const expected = ['choice', 'zsolt', 'ABCDE', 'all', ...('roles' in features ? ['police_a'] : [])];

test.for(languages)('every text of a suggestion and of a choice is read as its value in %s', (locale) => {
  const t = translatorFor(locale);
  const seen: string[] = [];
  for (const { called, declaration } of options) {
    const read = (value: string) =>
      readArgs({ it: declaration }, typedIn({ options: [text('it', value)] }), {
        guild: null,
        t,
        clientT: t,
        recentNames,
      })['it'];
    if (declaration.kind === 'choice')
      for (const [value, key] of Object.entries(declaration.choices)) {
        expect(read(t(key)), called).toBe(value);
        seen.push('choice');
      }
    if (declaration.kind !== 'text') continue;
    // Read with the reader's time zone, which its own tests try.
    if (called === 'convoy create when') continue;
    const asker = { own: 'zsolt', serverOf: () => 'two' as const, zone: 'UTC', now: 0 };
    const context = { t, recentNames, ...asker };
    for (const { name, value } of declaration.complete?.('', context) ?? []) {
      expect(read(name), `${called}: ${name}`).toBe(value);
      seen.push(value);
    }
  }
  expect(seen).toEqual(expect.arrayContaining(expected));
});

test('a choice in the language of the person is read in a guild of another language', () => {
  const server = options.find(({ called }) => called === 'live server')?.declaration;
  if (server === undefined) throw new Error('there is no such option');
  const typed = typedIn({ options: [text('server', translatorFor('ru')('server.two'))] });
  const asker = { guild: null, t: translatorFor('de'), clientT: translatorFor('ru'), recentNames };
  expect(readArgs({ server }, typed, asker)).toEqual({ server: 'two' });
});

test('a text that was chosen before is offered as its driver again', async () => {
  const bot = dispatchInMemory({ commands: new Map([['link', link]]), context: { recentNames } });
  bot.ask({
    type: InteractionType.ApplicationCommandAutocomplete,
    data: {
      ...{ id: '1', name: 'link', type: ApplicationCommandType.ChatInput },
      options: [text('player', 'Zsolt Racer (zsolt) · 🟢 Two', { focused: true })],
    },
  });
  await expect.poll(() => bot.heard.length).toBe(1);
  expect(JSON.parse(bot.heard[0]?.body ?? '').data.choices[0]).toEqual({
    name: 'Zsolt Racer (zsolt)',
    value: 'zsolt',
  });
});
