import { once } from 'node:events';
import { ButtonStyle, ComponentType, Events, MessageFlags } from 'discord.js';
import { describe, expect } from 'vitest';
import { slash, test } from '../support/chat-test.ts';

const PLAYER = [{ name: 'player', value: 'tom' }];
const BUTTONS = [
  {
    type: ComponentType.ActionRow as const,
    components: [
      {
        type: ComponentType.Button as const,
        style: ButtonStyle.Primary as const,
        label: 'More',
        custom_id: 'more',
      },
    ],
  },
];

describe('a slash command', () => {
  test('that is deferred shows a thinking reply, and then what it was filled with', async ({
    chat,
    channel,
    visitor,
    answer,
  }) => {
    const seen: (number | undefined)[] = [];
    chat.subscribe((event) => event.type === 'message' && seen.push(event.message.flags));
    answer(async (interaction) => {
      await slash(interaction).deferReply();
      await slash(interaction).editReply(`hello ${slash(interaction).options.getString('player')}`);
    });
    const outcome = await visitor.invoke(channel, 'profile', PLAYER);
    expect(outcome.acknowledged).toBe('deferred');
    expect(outcome.message).toMatchObject({
      content: 'hello tom',
      edited_timestamp: null,
      interaction_metadata: { id: outcome.interactionId, user: { id: visitor.id } },
    });
    expect(seen).toEqual([MessageFlags.Loading, 0]);
    expect(visitor.messages(channel)).toEqual([outcome.message]);
  });

  test("may be typed in the person's language, and reaches the bot by its own name", async ({
    chat,
    client,
    channel,
    answer,
  }) => {
    const option = { type: 3, name: 'player', name_localizations: { pl: 'gracz' }, description: 'Who' };
    await client.application.commands.set([
      { name: 'profile', name_localizations: { pl: 'profil' }, description: 'A driver', options: [option] },
    ]);
    answer(async (interaction) => {
      const { commandName, options } = slash(interaction);
      await slash(interaction).reply(`${commandName} ${options.getString('player')}`);
    });
    const polish = chat.visitor(chat.people[1] ?? '');
    const typed = [{ name: 'gracz', value: 'tom' }];
    const { message } = await polish.invoke(channel, 'profil', typed);
    expect(message).toMatchObject({ content: 'profile tom', interaction: { name: 'profile' } });
    expect((await polish.invoke(channel, 'profile', PLAYER)).message?.content).toBe('profile tom');
    const british = chat.visitor(chat.people[0] ?? '');
    await expect(british.invoke(channel, 'profil', typed)).rejects.toThrow(/no command/);
  });

  test('that is deferred privately stays private, whatever the later message asks for', async ({
    channel,
    visitor,
    neighbour,
    answer,
  }) => {
    answer(async (interaction) => {
      await slash(interaction).deferReply({ flags: MessageFlags.Ephemeral });
      await slash(interaction).followUp('only you');
    });
    const { message } = await visitor.invoke(channel, 'profile', PLAYER);
    expect(message).toMatchObject({ content: 'only you', flags: MessageFlags.Ephemeral });
    expect(visitor.messages(channel)).toHaveLength(1);
    expect(neighbour.messages(channel)).toHaveLength(0);
    await expect(neighbour.press(message?.id ?? '', 'more')).rejects.toThrow(/sees no message/);
  });

  test('carries who asks, where, and what the bot may do there', async ({
    client,
    channel,
    visitor,
    answer,
  }) => {
    const asked = once(client, Events.InteractionCreate);
    answer((interaction) => slash(interaction).reply('ok'));
    await visitor.invoke(channel, 'board create', [{ name: 'channel', value: channel }]);
    const interaction = slash((await asked)[0]);
    expect(interaction.options.getSubcommand()).toBe('create');
    expect(interaction.options.getChannel('channel')?.id).toBe(channel);
    expect(interaction.memberPermissions?.has('ManageGuild')).toBe(true);
    expect(interaction.appPermissions.has('EmbedLinks')).toBe(true);
    expect(interaction.locale).toBe('en-GB');
    expect(interaction.guildLocale).toBe('en-US');
  });

  test('is offered only to those who may use it', async ({ client, channel, visitor, neighbour }) => {
    expect(client.isReady()).toBe(true);
    expect(visitor.commands().map(({ name }) => name)).toEqual(['profile', 'board']);
    expect(neighbour.commands().map(({ name }) => name)).toEqual(['profile']);
    const options = [{ name: 'channel', value: channel }];
    await expect(neighbour.invoke(channel, 'board create', options)).rejects.toThrow(/no command/);
  });

  test('is not sent with an option missing, unknown or unfitting', async ({
    client,
    chat,
    channel,
    visitor,
  }) => {
    expect(client.isReady()).toBe(true);
    await expect(visitor.invoke(channel, 'profile', [])).rejects.toThrow(/needs player/);
    await expect(visitor.invoke(channel, 'profile', [...PLAYER, { name: 'x', value: 1 }])).rejects.toThrow(
      /x/,
    );
    await expect(visitor.invoke(channel, 'board', [])).rejects.toThrow(/subcommand/);
    const voice = chat.channels.at(-1)?.id ?? '';
    await expect(
      visitor.invoke(channel, 'board create', [{ name: 'channel', value: voice }]),
    ).rejects.toThrow(/kind/);
  });

  test('works in a direct conversation, without a guild', async ({ chat, client, neighbour, answer }) => {
    const asked = once(client, Events.InteractionCreate);
    answer((interaction) => slash(interaction).reply('between us'));
    const { message } = await neighbour.invoke(chat.directChannel(neighbour.id), 'profile', PLAYER);
    expect(message?.content).toBe('between us');
    const interaction = slash((await asked)[0]);
    expect(interaction.guildId).toBeNull();
    expect(interaction.user.id).toBe(neighbour.id);
  });

  test('on a person comes with that person, under the name of its entry in the menu', async ({
    chat,
    channel,
    client,
    visitor,
    neighbour,
    answer,
  }) => {
    await expect(visitor.invokeOn(channel, 'Driver profile', neighbour.id)).rejects.toThrow(/no entry/);
    await client.application.commands.set([{ name: 'Driver profile', type: 2 }]);
    expect(visitor.commands().find(({ type }) => type === 2)?.name).toBe('Driver profile');
    answer(async (interaction) => {
      if (!interaction.isUserContextMenuCommand()) throw new Error('not the menu on a person');
      const { targetUser, targetMember, commandName } = interaction;
      await interaction.reply(`${commandName} ${targetUser.username} ${targetMember !== null}`);
    });
    const name = chat.members.find(({ user }) => user.id === neighbour.id)?.user.username;
    const { message } = await visitor.invokeOn(channel, 'Driver profile', neighbour.id);
    expect(message?.content).toBe(`Driver profile ${name} true`);
    expect(message?.interaction_metadata?.user.id).toBe(visitor.id);
    await expect(visitor.invokeOn(channel, 'Driver profile', '1')).rejects.toThrow(/nobody/);
  });

  test('that nobody answers fails after three seconds, and a later answer is unknown', async ({
    channel,
    visitor,
    client,
  }) => {
    const asked = once(client, Events.InteractionCreate);
    const outcome = await visitor.invoke(channel, 'profile', PLAYER);
    expect(outcome).toMatchObject({ acknowledged: 'failed', message: null });
    expect(outcome.after).toBeGreaterThanOrEqual(2990);
    await expect(slash((await asked)[0]).reply('late')).rejects.toMatchObject({ code: 10062 });
  });

  test('answered later than three seconds by the server clock is unknown', async ({
    clock,
    channel,
    visitor,
    answer,
  }) => {
    const refused = Promise.withResolvers<unknown>();
    answer((interaction) => {
      clock.ahead += 3001;
      return slash(interaction).reply('late').catch(refused.resolve);
    });
    void visitor.invoke(channel, 'profile', PLAYER);
    expect(await refused.promise).toMatchObject({ code: 10062 });
    expect(visitor.messages(channel)).toEqual([]);
  });

  test('answered twice is refused the second time', async ({ ask, channel, visitor, answer }) => {
    const second = Promise.withResolvers<number | undefined>();
    answer(async (interaction) => {
      await slash(interaction).reply('one');
      const path = `/interactions/${interaction.id}/${interaction.token}/callback`;
      const { status, body } = await ask('POST', path, { type: 4, data: { content: 'two' } });
      expect(status).toBe(400);
      second.resolve(body.code);
    });
    await visitor.invoke(channel, 'profile', PLAYER);
    expect(await second.promise).toBe(40060);
    expect(visitor.messages(channel)).toHaveLength(1);
  });

  test('answered with an invalid form can still be answered', async ({ channel, visitor, answer }) => {
    answer(async (interaction) => {
      await slash(interaction)
        .reply('x'.repeat(2001))
        .catch((error) => slash(interaction).reply(`sorry: ${error.code}`));
    });
    expect((await visitor.invoke(channel, 'profile', PLAYER)).message?.content).toBe('sorry: 50035');
  });

  test('gives the message with the answer when that is asked for', async ({ channel, visitor, answer }) => {
    const response = Promise.withResolvers<string | undefined>();
    answer(async (interaction) => {
      const { resource } = await slash(interaction).reply({ content: 'here', withResponse: true });
      response.resolve(resource?.message?.id);
    });
    const { message } = await visitor.invoke(channel, 'profile', PLAYER);
    expect(await response.promise).toBe(message?.id);
  });

  test('can be edited, fetched, followed and deleted for fifteen minutes', async ({
    clock,
    channel,
    visitor,
    answer,
  }) => {
    const done = Promise.withResolvers<unknown>();
    answer(async (interaction) => {
      const command = slash(interaction);
      await command.reply('one');
      const more = await command.followUp({ content: 'two', flags: MessageFlags.Ephemeral });
      await command.editReply({ message: more, content: 'two, edited' });
      expect((await command.fetchReply()).content).toBe('one');
      clock.ahead += 15 * 60_000 + 1;
      done.resolve(await command.editReply('too late').catch((error) => error.code));
    });
    await visitor.invoke(channel, 'profile', PLAYER);
    expect(await done.promise).toBe(50027);
    expect(visitor.messages(channel).map(({ content }) => content)).toEqual(['one', 'two, edited']);
  });

  test('that reaches the bot too late fails', async ({ chat, channel, visitor, answer }) => {
    const refused = Promise.withResolvers<unknown>();
    answer((interaction) => slash(interaction).reply('now').catch(refused.resolve));
    chat.setFault('late-interactions', true, 1);
    expect((await visitor.invoke(channel, 'profile', PLAYER)).acknowledged).toBe('failed');
    expect(await refused.promise).toMatchObject({ code: 10062 });
    expect((await visitor.invoke(channel, 'profile', PLAYER)).acknowledged).toBe('replied');
  });
});

describe('suggestions', () => {
  test('reach the person who is typing', async ({ channel, visitor, answer }) => {
    answer(async (interaction) => {
      if (interaction.isAutocomplete())
        await interaction.respond([{ name: `${interaction.options.getFocused()}my`, value: 'tommy' }]);
    });
    expect(await visitor.complete(channel, 'profile', PLAYER, 'player')).toEqual([
      { name: 'tommy', value: 'tommy' },
    ]);
  });

  test('over 25 are refused', async ({ channel, visitor, answer }) => {
    const refused = Promise.withResolvers<{ code: number; rawError: unknown }>();
    answer(async (interaction) => {
      if (!interaction.isAutocomplete()) return;
      const many = Array.from({ length: 26 }, (_, index) => ({ name: `n${index}`, value: `v${index}` }));
      await interaction.respond(many).catch(refused.resolve);
    });
    void visitor.complete(channel, 'profile', PLAYER, 'player');
    expect(await refused.promise).toMatchObject({
      code: 50035,
      rawError: { errors: { data: { choices: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH' }] } } } },
    });
  });
});

describe('a press', () => {
  test('that is deferred and edited changes the message it is on', async ({
    channel,
    visitor,
    neighbour,
    answer,
  }) => {
    answer(async (interaction) => {
      if (interaction.isButton()) {
        await interaction.deferUpdate();
        await interaction.editReply(`pressed by ${interaction.user.id}`);
      } else await slash(interaction).reply({ content: 'press me', components: BUTTONS });
    });
    const first = await visitor.invoke(channel, 'profile', PLAYER);
    const pressed = await neighbour.press(first.message?.id ?? '', 'more');
    expect(pressed.acknowledged).toBe('updated');
    expect(pressed.message).toMatchObject({ id: first.message?.id, content: `pressed by ${neighbour.id}` });
    expect(pressed.message?.interaction_metadata?.user.id).toBe(visitor.id);
    expect(visitor.messages(channel)).toHaveLength(1);
  });

  test('that updates at once changes it too', async ({ channel, visitor, answer }) => {
    answer(async (interaction) => {
      if (interaction.isButton()) await interaction.update({ content: 'changed', components: [] });
      else await slash(interaction).reply({ content: 'press me', components: BUTTONS });
    });
    const { message } = await visitor.invoke(channel, 'profile', PLAYER);
    const pressed = await visitor.press(message?.id ?? '', 'more');
    expect(pressed).toMatchObject({
      acknowledged: 'updated',
      message: { content: 'changed', components: [] },
    });
    await expect(visitor.press(message?.id ?? '', 'more')).rejects.toThrow(/no component/);
  });

  test('can be answered with a message of its own, privately', async ({
    channel,
    visitor,
    neighbour,
    answer,
  }) => {
    answer(async (interaction) => {
      if (interaction.isButton())
        await interaction.reply({ content: 'for you', flags: MessageFlags.Ephemeral });
      else await slash(interaction).reply({ content: 'press me', components: BUTTONS });
    });
    const { message } = await visitor.invoke(channel, 'profile', PLAYER);
    const pressed = await neighbour.press(message?.id ?? '', 'more');
    expect(pressed).toMatchObject({ acknowledged: 'replied', message: { content: 'for you' } });
    expect(neighbour.messages(channel)).toHaveLength(2);
    expect(visitor.messages(channel)).toHaveLength(1);
  });

  test('in a menu hands over what was picked, and only what the menu offers', async ({
    channel,
    visitor,
    answer,
  }) => {
    const options = [
      { label: 'Overview', value: 'overview' },
      { label: 'Garage', value: 'garage' },
    ];
    const menu = { type: ComponentType.StringSelect as const, custom_id: 'view', options };
    answer(async (interaction) => {
      if (interaction.isStringSelectMenu()) await interaction.update(interaction.values.join());
      else
        await slash(interaction).reply({
          content: 'pick',
          components: [{ type: ComponentType.ActionRow, components: [menu] }],
        });
    });
    const { message } = await visitor.invoke(channel, 'profile', PLAYER);
    expect((await visitor.press(message?.id ?? '', 'view', ['garage'])).message?.content).toBe('garage');
    await expect(visitor.press(message?.id ?? '', 'view', ['kitchen'])).rejects.toThrow(/does not offer/);
  });
});
