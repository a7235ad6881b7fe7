import { expect } from 'vitest';
import { complaintsAt, test } from '../support/chat-test.ts';

const command = (part: object = {}) => ({ name: 'profile', description: 'A driver', ...part });
const option = (part: object = {}) => ({ type: 3, name: 'player', description: 'Who', ...part });
const long = (length: number) => 'x'.repeat(length);

const REFUSED: readonly (readonly [what: string, body: object, path: string, code: string])[] = [
  ['a name with a space', command({ name: 'my profile' }), 'name', 'APPLICATION_COMMAND_INVALID_NAME'],
  ['a name in capitals', command({ name: 'Profile' }), 'name', 'APPLICATION_COMMAND_INVALID_NAME'],
  ['a name over 32', command({ name: long(33) }), 'name', 'BASE_TYPE_BAD_LENGTH'],
  ['no description', command({ description: '' }), 'description', 'BASE_TYPE_REQUIRED'],
  ['a description over 100', command({ description: long(101) }), 'description', 'BASE_TYPE_BAD_LENGTH'],
  [
    'a translation over 100',
    command({ description_localizations: { de: long(101) } }),
    'description_localizations.de',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'an option name with a capital',
    command({ options: [option({ name: 'Player' })] }),
    'options.0.name',
    'APPLICATION_COMMAND_INVALID_NAME',
  ],
  [
    'a required option after an optional one',
    command({ options: [option(), option({ name: 'second', required: true })] }),
    'options.1',
    'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  ],
  [
    'an option twice',
    command({ options: [option(), option()] }),
    'options.1.name',
    'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS',
  ],
  [
    '26 options',
    command({ options: Array.from({ length: 26 }, (_, i) => option({ name: `o${i}` })) }),
    'options',
    'BASE_TYPE_BAD_LENGTH',
  ],
  [
    'a choice over 100',
    command({ options: [option({ choices: [{ name: long(101), value: 'v' }] })] }),
    'options.0.choices.0.name',
    'BASE_TYPE_BAD_LENGTH',
  ],
];

test.for(REFUSED)('%s is refused at its path', async ([, body, path, code], { ask, chat }) => {
  const told = await ask('PUT', `/applications/${chat.botId}/commands`, [body]);
  expect([told.status, told.body.code]).toEqual([400, 50035]);
  expect(complaintsAt(told, `0.${path}`)).toContain(code);
});

test('a language that Discord does not have is refused', async ({ ask, chat }) => {
  const body = command({ name_localizations: { xx: 'profil' } });
  expect((await ask('PUT', `/applications/${chat.botId}/commands`, [body])).body.code).toBe(50035);
});

test('a list replaces what was there, and what stays the same keeps its id and version', async ({
  ask,
  chat,
}) => {
  const path = `/applications/${chat.botId}/commands`;
  const first = await ask('PUT', path, [command(), command({ name: 'car' })]);
  expect(first.list).toHaveLength(2);
  const second = await ask('PUT', path, [command({ options: [option()] }), command({ name: 'car' })]);
  expect(second.list[0]?.id).toBe(first.list[0]?.id);
  expect(second.list[0]?.version).not.toBe(first.list[0]?.version);
  expect(second.list[1]).toEqual(first.list[1]);
  await ask('PUT', path, [command()]);
  expect((await ask('GET', path)).list.map(({ name }) => name)).toEqual(['profile']);
  const twice = await ask('PUT', path, [command(), command()]);
  expect(complaintsAt(twice, '1.name')).toEqual(['APPLICATION_COMMANDS_DUPLICATE_NAME']);
});

test('what is given back leaves out what is false, and translations unless asked for', async ({
  ask,
  chat,
}) => {
  const path = `/applications/${chat.botId}/commands`;
  const names = { name_localizations: { de: 'profil' } };
  await ask('PUT', path, [command({ ...names, options: [option({ required: false, autocomplete: true })] })]);
  const [plain] = (await ask('GET', path)).list;
  expect(plain?.['name_localizations']).toBeUndefined();
  expect(plain?.['options']).toEqual([{ type: 3, name: 'player', description: 'Who', autocomplete: true }]);
  const [full] = (await ask('GET', `${path}?with_localizations=true`)).list;
  expect(full).toMatchObject(names);
});

test("the guild's own command hides the one for everywhere", async ({ ask, chat, visitor }) => {
  await ask('PUT', `/applications/${chat.botId}/commands`, [command()]);
  const here = `/applications/${chat.botId}/guilds/${chat.guildId}/commands`;
  await ask('PUT', here, [command({ description: 'Here' })]);
  expect(visitor.commands().map(({ description }) => description)).toEqual(['Here']);
  expect((await ask('GET', '/applications/1/commands')).body.code).toBe(10002);
});
