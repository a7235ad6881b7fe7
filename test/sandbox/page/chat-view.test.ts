import { type APIApplicationCommand, ApplicationCommandOptionType, ChannelType, Locale } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { namesIn, viewOfCommands, viewOfMembers, widgetOf } from '../../../src/sandbox/page/chat-view.ts';
import { startDataService } from '../../../src/sandbox/service/data-service.ts';
import { ChatStatus } from '../../../src/service/models/chat-status.ts';
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

test.each([
  [[ChannelType.GuildText] as const, ['#general', '#servers']],
  [[ChannelType.GuildVoice] as const, ['Pit Lane']],
  [[] as const, ['#general', '#servers', 'Pit Lane']],
])('An option for channels of the types %j offers %j', (types, offered) => {
  const option = {
    ...{ type: ApplicationCommandOptionType.Channel as const, name: 'where', description: '' },
    channel_types: [...types],
  };
  const chat = createFakeChat(commands.map((command) => ({ ...command, options: [option] })));
  const [first] = viewOfCommands(chat.visitor(ALICE), chat).guild;
  expect(first?.options[0]?.choices.map(({ name }) => name)).toEqual(offered);
});

test('An option for a role offers the roles', () => {
  const option = { type: ApplicationCommandOptionType.Role as const, name: 'convoys', description: '' };
  const chat = createFakeChat(commands.map((command) => ({ ...command, options: [option] })));
  const colours = { color: 0, colors: { primary_color: 0, secondary_color: null, tertiary_color: null } };
  const look = { hoist: false, position: 1, permissions: '0', managed: false, mentionable: false, flags: 0 };
  const roles = [{ id: '7', name: 'Drivers', ...colours, ...look }];
  const [first] = viewOfCommands(chat.visitor(ALICE), { ...chat, roles }).guild;
  expect(first?.options[0]).toMatchObject({ kind: 'role', choices: [{ name: '@Drivers', value: '7' }] });
});

test("The data service lists the page's people, and invented ones with hostile names", async () => {
  const chat = createFakeChat(commands);
  const service = await startDataService({ hostileNames: false, guild: () => widgetOf(chat) });
  onTestFinished(() => service.close());
  const told = async () =>
    ChatStatus.parse(await (await fetch(`${service.url}/chat_status?key=${service.key}`)).json());
  const here = viewOfMembers(chat).filter(({ status }) => status !== 'offline');
  const { name, members, channels } = await told();
  expect(name).toBe(chat.guildName);
  expect(members.map(({ username, status }) => [username, status])).toEqual(
    here.map((member) => [member.name, member.status]),
  );
  expect(channels.map((channel) => channel.name)).toEqual(['Pit Lane']);
  service.setFault('hostile-names', true);
  expect((await told()).members.length).toBeGreaterThan(here.length);
});
