import { expect, test } from 'vitest';
import settings from '../../../commands/guild/settings.ts';
import { startLocalBot } from '../../support/local-bot.ts';

test('/settings with a role changes at once who may plan convoys', async () => {
  await using bot = await startLocalBot(new Map([['settings', settings]]));
  const [role = { id: '' }] = bot.chat.roles;
  const done = await bot.manager.invoke(bot.channel, 'settings', [{ name: 'convoys', value: role.id }]);
  expect(done.form).toBeNull();
  const guildId = bot.chat.guilds[0]?.id ?? '';
  expect((await bot.store.guildSettings.of(guildId)).convoyRole).toBe(role.id);
});
