import { expect } from 'vitest';
import { z } from 'zod';
import { controls } from '../support/readable.ts';
import { postedIn, questions, test } from '../support/sandbox.ts';

const MessageId = z.object({ id: z.string() });
const views = ['Overview', 'Record', 'Licences', 'Money', 'Garage', 'Profile'];

test('the views of a profile change in place and cost no request', async ({
  bot: _,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  let { message } = await visitor.ask('profile', { picture: false, player });
  const first = message.id;
  for (const view of views.slice(1)) {
    const pressed = await visitor.press(message, view);
    expect(pressed.message.id).toBe(first);
    message = pressed.message;
  }
  expect(questions(dataService)).toHaveLength(1);
});

test('buttons work after a restart', async ({ bot, dataService, visitor }) => {
  const { message } = await visitor.ask('profile', { picture: false, player: dataService.drivers[0] ?? '' });
  await bot.stop();
  await bot.start();
  const pressed = await visitor.press(message, 'Garage');
  expect(pressed.message.id).toBe(message.id);
  expect(pressed.text).toMatch(/km/);
});

test("another person's press is answered privately and leaves the message unchanged", async ({
  bot: _,
  chat,
  dataService,
  visitor,
  neighbour,
}) => {
  const { message } = await visitor.ask('profile', { picture: false, player: dataService.drivers[0] ?? '' });
  const pressed = await neighbour.press(message, 'Licences');
  expect(pressed.private).toBe(true);
  expect(pressed.message.id).not.toBe(message.id);
  const unchanged = chat
    .visitor(visitor.id)
    .messages(message.channel_id)
    .find(({ id }) => id === message.id);
  expect(unchanged?.embeds).toEqual(message.embeds);
});

test("a car leads to its owner's profile and a garage to its cars", async ({
  bot: _,
  chat,
  dataService,
  visitor,
}) => {
  const { message } = await visitor.ask('profile', { picture: false, player: dataService.drivers[0] ?? '' });
  const garage = await visitor.press(message, 'Garage');
  const menu = controls(garage.message).find(({ customId }) => customId.startsWith('1:car:'));
  const [vin = ''] = menu?.values ?? [];
  const outcome = await chat.visitor(visitor.id).press(garage.message.id, menu?.customId ?? '', [vin]);
  expect(outcome.message?.embeds[0]?.title ?? '').not.toBe('');
  expect(JSON.stringify(outcome.message?.embeds)).toContain(vin);
});

test('a button of another bot or of an older version says so and harms nothing', async ({
  bot: _,
  chat,
  dataService,
  visitor,
}) => {
  const ids = [
    'x',
    '1:profile',
    '0:profile:garage:x',
    '1:nosuch:a:b',
    '1:profile:nosuch:x',
    '1:profile:garage:',
    '1:car:overview:../',
  ];
  // Posted in the bot's own name, as an older version of it would have.
  const posted = await fetch(`${chat.apiUrl}/v10/channels/${visitor.channelId}/messages`, {
    method: 'POST',
    headers: { authorization: `Bot ${chat.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      content: 'old',
      components: [ids.slice(0, 4), ids.slice(4)].map((some) => ({
        type: 1,
        components: some.map((custom_id) => ({ type: 2, style: 2, label: 'old', custom_id })),
      })),
    }),
  });
  const { id } = MessageId.parse(await posted.json());
  for (const customId of ids) {
    const outcome = await chat.visitor(visitor.id).press(id, customId);
    expect(outcome.acknowledged).toBe('replied');
    expect(outcome.message?.content).toMatch(/older version|1 to 64|five letters/);
  }
  expect(questions(dataService)).toEqual([]);
});

test('suggests what was seen, without a request, and the typed text', async ({
  bot: _,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  expect(await visitor.suggestions('profile', 'player', 'zz')).toEqual(['zz']);
  await visitor.ask('profile', { picture: false, player });
  const before = questions(dataService).length;
  const typed = player.slice(0, 3).toLowerCase();
  const offered = await visitor.suggestions('profile', 'player', typed);
  expect(offered).toContain(player);
  expect(offered).toContain(typed);
  expect(await visitor.suggestions('car', 'vin', '')).not.toEqual([]);
  expect(questions(dataService)).toHaveLength(before);
});

test('a profile is shared once although Discord takes it and answers with a 500', async ({
  bot,
  chat,
  dataService,
  visitor,
}) => {
  const { message } = await visitor.ask('profile', {
    picture: false,
    player: dataService.drivers[0] ?? '',
    private: true,
  });
  chat.setFault('post-500-after-create', true, 1);
  await visitor.press(message, 'Share');
  const mine = () => chat.visitor(visitor.id).messages(visitor.channelId);
  await expect
    .poll(() =>
      mine()
        .map(({ content }) => content)
        .join(),
    )
    .toContain("didn't confirm");
  const shared = postedIn(chat, visitor.channelId).filter(({ content }) => content.includes('Shared by'));
  expect(shared).toHaveLength(1);
  expect(bot.output).not.toContain('"bug"');
});
