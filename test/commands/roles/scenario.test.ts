/** Roles that drivers earn, by the real bot over the sandbox. */
import { PermissionFlagsBits } from 'discord.js';
import { expect, vi } from 'vitest';
import type { LocalChat } from '../../../src/sandbox/chat/chat-server.ts';
import { test } from '../../support/sandbox.ts';

function holders(chat: LocalChat, role: string): readonly string[] {
  return chat.members.flatMap(({ user, roles }) => (roles.includes(role) ? [user.id] : [])).toSorted();
}

test('a rule gives its role once to who earned it, and takes it from nobody else', async ({
  chat,
  dataService,
  bot,
  visitor,
  neighbour,
}) => {
  const role = chat.roles.find(({ name }) => name === 'Police')?.id ?? '';
  const before = holders(chat, role);
  expect(before).not.toContain(neighbour.id);
  await neighbour.ask('link', { player: dataService.drivers[0] ?? '' });

  const rule = { role, requirement: 'member-days', 'at-least': 100, linked: true };
  expect((await visitor.ask('roles preview', rule)).text).toContain(`➕ <@${neighbour.id}>`);
  expect(holders(chat, role)).toEqual(before);
  expect((await visitor.ask('roles add', rule)).text).toContain('100 days in this server');
  await vi.waitFor(() => expect(holders(chat, role)).toContain(neighbour.id), { timeout: 20_000 });

  await bot.stop();
  await bot.start();
  expect((await visitor.ask('roles list', {})).text).toContain(`1 qualifies: <@${neighbour.id}>`);
  expect((await visitor.ask('roles preview', rule)).text).toContain(`✔ <@${neighbour.id}> (has it already)`);
  const asked = await visitor.ask('roles remove', { role });
  await visitor.press(asked.message, 'Remove the role');
  await vi.waitFor(() => expect(holders(chat, role)).toEqual(before), { timeout: 20_000 });
  expect((await visitor.ask('roles list', {})).text).toContain('No rules yet');
});

test("refuses a managing role, the bot's own role, and people without the right", async ({
  chat,
  bot: _,
  visitor,
  neighbour,
}) => {
  const named = (wanted: string) => chat.roles.find(({ name }) => name === wanted)?.id ?? '';
  const rule = { role: named('Race Control'), requirement: 'proved' };
  expect((await visitor.ask('roles add', rule)).text).toContain('can moderate or manage');
  expect((await visitor.ask('roles add', { ...rule, role: named('Pitwall') })).text).toContain(
    'belongs to a bot',
  );
  await expect(neighbour.ask('roles add', { ...rule, role: named('Driver') })).rejects.toThrow();
});

test.for(['member', 'role', 'everyone'] as const)(
  'a right in one channel is none in the server: an overwrite for %s allows nothing',
  async (whose, { chat, bot: _, visitor, neighbour }) => {
    const named = (wanted: string) => chat.roles.find(({ name }) => name === wanted)?.id ?? '';
    const own = chat.members.find(({ user }) => user.id === neighbour.id)?.roles[0] ?? '';
    const id = { member: neighbour.id, role: own, everyone: chat.guildId }[whose];
    const type = whose === 'member' ? 'member' : 'role';
    const rule = { role: named('Recovery'), requirement: 'member-days', 'at-least': 1, linked: true };
    expect((await visitor.ask('roles add', rule)).text).toContain('Saved');
    chat.moderator.openCommand('roles');
    chat.moderator.setOverwrite(neighbour.channelId, {
      ...{ id, type, deny: 0n },
      allow: PermissionFlagsBits.ManageRoles,
    });
    const refused = /You need \*Manage Roles\* for this, from one of your roles/;
    expect((await neighbour.ask('roles add', { ...rule, role: named('Driver') })).text).toMatch(refused);
    for (const way of ['list', 'preview', 'add'])
      expect((await neighbour.ask(`roles ${way}`, {})).text).toMatch(refused);
    expect((await neighbour.ask('roles remove', { role: rule.role })).text).toMatch(refused);
    expect((await visitor.ask('roles list', {})).text).toContain(`<@&${rule.role}>`);
  },
);
