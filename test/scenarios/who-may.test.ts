/**
 * Who may do what: every command, by everyone, by managers of the server, in direct messages, and for a bot that
 * only one person has installed.
 */
import { type APIApplicationCommand, ApplicationCommandOptionType, MessageFlags } from 'discord.js';
import { expect } from 'vitest';
import { languages } from '../../src/base/languages.ts';
import { loadCommands } from '../../src/discord/publish/load.ts';
import type { TextKey } from '../../src/i18n/translator.ts';
import type { Visitor } from '../../src/sandbox/chat/visitor/visitor.ts';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import { featureParts } from '../support/feature-parts.ts';
import { readable } from '../support/readable.ts';
import {
  type Given,
  hiddenToManage,
  lookUp,
  ofAnother,
  onGuild,
  type Right,
  type Row,
} from '../support/rights.ts';
import { test } from '../support/sandbox.ts';
import { createTranslators } from '../support/translators.ts';

/** Rows of the commands, one for each way to use them. A command that is left out is for everybody. */
const ownRows: Readonly<Record<string, readonly Row[]>> = {
  // Each is refused in words by the boards where there is nothing to do, which is no refusal of the person.
  board: ['list', 'create', 'test', 'remove'].map((subcommand) => ({ ...hiddenToManage, subcommand })),
  diagnose: [hiddenToManage],
  link: [lookUp, { ...ofAnother, options: ({ player, person }) => ({ player, user: person }) }],
  settings: [onGuild],
  setup: [hiddenToManage],
  unlink: [lookUp, { ...ofAnother, options: ({ person }) => ({ user: person }) }],
};

const rowsOfFeatures = await featureParts<typeof ownRows>('who-may', 'rows');

const table = Object.fromEntries(
  Object.entries(
    Object.groupBy(
      [ownRows, ...Object.values(rowsOfFeatures)].flatMap((rows) => Object.entries(rows)),
      ([command]) => command,
    ),
  ).map(([command, rows = []]) => [command, rows.flatMap(([, ofCommand]) => ofCommand)]),
);

const commands = [...(await loadCommands(new URL('../../commands/', import.meta.url))).keys()];

function rowsOf(command: string): readonly Row[] {
  return table[command] ?? [lookUp];
}

/** People read in their own languages. */
const translatorOf = createTranslators();
const said = (...keys: readonly TextKey[]): readonly string[] =>
  languages.flatMap((language) => keys.map((key) => translatorOf(language)(key)));
const refusals = said('discord.notAllowed', 'discord.notAllowedRoles', 'discord.guildOnly');
/** No answer in any of the tests below may be one of these. */
const trouble = [
  ...said('discord.oldButton', 'discord.oldCommand', 'discord.late'),
  ...languages.flatMap((language) => {
    const t = translatorOf(language);
    const whole = [
      t('discord.bug', { id: '' }),
      t('fault.over-budget.burst', { in: '' }),
      t('fault.over-budget.person', { in: '' }),
    ];
    return whole.flatMap((text) => text.split('\n', 1));
  }),
];

/** What comes of it. Every refusal has to be private. */
async function right(who: Visitor, place: string, command: string, options: Given): Promise<Right> {
  const typed = Object.entries(options).map(([name, value]) => ({ name, value }));
  if (!who.commands(place).some(({ name }) => name === command.split(' ', 1)[0])) {
    await expect(who.invoke(place, command, typed)).rejects.toThrow(/no command/);
    return 'not';
  }
  const { acknowledged, message, form } = await who.invoke(place, command, typed);
  if (form !== null) return 'may';
  if (message === null) throw new Error(`nothing came of /${command}: ${acknowledged}`);
  const text = readable(message);
  for (const t of trouble) expect(text, command).not.toContain(t);
  expect(text, command).not.toBe('');
  if (!refusals.some((refusal) => text.includes(refusal))) return 'may';
  expect((message.flags ?? 0) & MessageFlags.Ephemeral, command).toBe(MessageFlags.Ephemeral);
  return 'told';
}

/** An example for each option of the command that has one. */
function examplesOf(path: string, offered: readonly APIApplicationCommand[], service: DataService): Given {
  const [player = '', second = ''] = service.drivers;
  const examples = { player, first: player, second, vin: service.vins[0] ?? '', server: 'one' };
  const [name, subcommand] = path.split(' ');
  const own = offered.find((command) => command.name === name)?.options ?? [];
  const options = own.flatMap((option) =>
    option.type !== ApplicationCommandOptionType.Subcommand
      ? option
      : option.name === subcommand
        ? (option.options ?? [])
        : [],
  );
  return Object.fromEntries(
    Object.entries(examples).filter(([example]) => options.some((option) => option.name === example)),
  );
}

test('every row is of a command', () => {
  expect(Object.keys(table).filter((name) => !commands.includes(name))).toEqual([]);
});

test('everyone, managers, direct messages, user installs: as the table says', async ({
  bot: _,
  chat,
  dataService,
}) => {
  const place = chat.channels[0]?.id ?? '';
  const [{ id: role } = { id: '' }] = chat.roles;
  const [manager = '', ...members] = chat.people;
  const manages = (id: string): boolean =>
    chat
      .visitor(id)
      .commands(place)
      .some(({ name }) => name === 'board');
  const others = members.filter((id) => !manages(id));
  const found: Record<string, readonly unknown[]> = {};
  let turn = 0;
  // The board is the first in the table, and waits its turn for what nobody has asked for.
  await chat.visitor(manager).invoke(place, 'members', []);
  const offered = chat.visitor(manager).commands(place);
  for (const command of commands) {
    found[command] = [];
    for (const { options, subcommand } of rowsOf(command)) {
      const path = subcommand === undefined ? command : `${command} ${subcommand}`;
      // Everybody in turn, so that nobody's share of the budget is used up.
      turn += 1;
      const someone = others[turn % (others.length - 1)] ?? '';
      const other = others.at(-1) ?? '';
      const named = { player: dataService.drivers[1] ?? '', person: other, place, role };
      const typed = options?.(named) ?? examplesOf(path, offered, dataService);
      const everyone = await right(chat.visitor(someone), place, path, typed);
      const outcome = {
        everyone,
        manager: await right(chat.visitor(manager), place, path, typed),
        direct: await right(chat.visitor(someone), chat.directChannel(someone), path, typed),
        userData: await right(chat.visitor(manager, { installed: 'user' }), place, path, typed),
      };
      found[command] = [...found[command], outcome];
    }
  }
  const expected = Object.fromEntries(
    commands.map((command) => [
      command,
      rowsOf(command).map(({ everyone, manager, direct, userData }) => ({
        everyone,
        manager,
        direct,
        userData,
      })),
    ]),
  );
  expect(found).toEqual(expected);
}, 60_000);

test('refuses privately what a guild offers to more people than it should', async ({
  bot: _,
  chat,
  visitor,
  neighbour,
}) => {
  const hidden = Object.keys(table).filter((command) =>
    table[command]?.some(({ everyone, manager }) => everyone === 'not' && manager === 'may'),
  );
  expect(hidden.length).toBeGreaterThan(0);
  for (const command of hidden) {
    chat.moderator.openCommand(command);
    const path = [command, table[command]?.[0]?.subcommand ?? []].flat().join(' ');
    expect(await right(chat.visitor(neighbour.id), neighbour.channelId, path, {})).toBe('told');
    expect(await right(chat.visitor(visitor.id), visitor.channelId, path, {})).toBe('may');
  }
});
