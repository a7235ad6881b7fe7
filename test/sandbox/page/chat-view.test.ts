import { type APIApplicationCommand, ApplicationCommandOptionType, Locale } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { namesIn } from '../../../src/sandbox/page/chat-view.ts';
import { ALICE, createFakeChat } from './support/fake-chat.ts';
import { commands } from './support/page-test.ts';

const german: Readonly<Record<string, string>> = { 'Driver profile': 'Fahrerprofil', board: 'anzeige' };
const list = {
  ...{ type: ApplicationCommandOptionType.Subcommand as const, name: 'list', description: '' },
  name_localizations: { de: 'liste' },
};
const translated = commands.map(
  (command): APIApplicationCommand => ({
    ...command,
    name_localizations: { de: german[command.name] ?? null },
    ...(command.name === 'board' ? { options: [list] } : {}),
  }),
);

test.each([
  ['board list', 'anzeige liste'],
  ['Driver profile', 'Fahrerprofil'],
  ['profile', 'profile'],
  ['board test', null],
  ['nothing', null],
])('A used command %j is called %j by a German reader', (used, called) => {
  const chat = createFakeChat(translated);
  const nameOf = namesIn(chat, chat.visitor(ALICE, { locale: Locale.German }));
  expect(nameOf('command', used)).toBe(called);
});
