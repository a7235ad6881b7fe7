import { describe, expect } from 'vitest';
import { test } from '../support/chat-test.ts';

const GUILD = 0;
const BOT_DM = 1;
const [GUILD_INSTALL, USER_INSTALL] = [0, 1];

describe('what is offered', () => {
  test('goes by the place that a command is for', async ({ chat, channel, client, visitor }) => {
    await client.application.commands.set([
      { name: 'here', description: 'x', contexts: [GUILD] },
      { name: 'there', description: 'x', contexts: [BOT_DM] },
      { name: 'anywhere', description: 'x' },
    ]);
    const names = (place?: string) => visitor.commands(place).map(({ name }) => name);
    expect(names(channel)).toEqual(['here', 'anywhere']);
    expect(names(chat.directChannel(visitor.id))).toEqual(['there', 'anywhere']);
    expect(names()).toEqual(['here', 'there', 'anywhere']);
    await expect(visitor.invoke(channel, 'there', [])).rejects.toThrow(/no command/);
  });

  test('goes by who has installed the bot, and interactions say so', async ({
    chat,
    channel,
    client,
    visitor,
    answer,
  }) => {
    await client.application.commands.set([
      { name: 'both', description: 'x', integrationTypes: [GUILD_INSTALL, USER_INSTALL] },
      { name: 'guilds', description: 'x' },
    ]);
    const alone = chat.visitor(visitor.id, { installed: 'user' });
    expect(alone.commands(channel).map(({ name }) => name)).toEqual(['both']);
    answer(async (interaction) => {
      if (!interaction.isChatInputCommand()) throw new Error('no command');
      const { guildId, userId } = interaction.authorizingIntegrationOwners;
      await interaction.reply(`${guildId} ${userId}`);
    });
    expect((await alone.invoke(channel, 'both', [])).message?.content).toBe(`null ${visitor.id}`);
    expect((await visitor.invoke(channel, 'both', [])).message?.content).toBe(`${chat.guildId} null`);
    const direct = chat.directChannel(visitor.id);
    expect((await alone.invoke(direct, 'both', [])).message?.content).toBe(`null ${visitor.id}`);
  });
});
