import { expect } from 'vitest';
import { controls } from '../support/readable.ts';
import { test } from '../support/sandbox.ts';

const views = ['Overview', 'Record', 'Licences', 'Garage', 'Properties'];

test('the views of a profile change in place and cost no request', async ({
  bot: _,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  let { message } = await visitor.ask('profile', { player });
  const first = message.id;
  for (const view of views.slice(1).concat('Overview')) {
    const pressed = await visitor.press(message, view);
    expect(pressed.message.id).toBe(first);
    message = pressed.message;
  }
  expect(dataService.requests.filter(({ query }) => 'key' in query)).toHaveLength(1);
});

test('buttons work after a restart', async ({ bot, dataService, visitor }) => {
  const { message } = await visitor.ask('profile', { player: dataService.drivers[0] ?? '' });
  await bot.stop();
  await bot.start();
  const pressed = await visitor.press(message, 'Garage');
  expect(pressed.message.id).toBe(message.id);
  expect(pressed.text).toMatch(/km/);
});

test("another person's press answers that person privately and leaves the message alone", async ({
  bot: _,
  chat,
  dataService,
  visitor,
  neighbour,
}) => {
  const { message } = await visitor.ask('profile', { player: dataService.drivers[0] ?? '' });
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
  const { message } = await visitor.ask('profile', { player: dataService.drivers[0] ?? '' });
  const garage = await visitor.press(message, 'Garage');
  const menu = controls(garage.message).find(({ values }) => values.length > 0);
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
  const { message } = await visitor.ask('profile', { player: dataService.drivers[0] ?? '' });
  for (const id of [
    '',
    'x',
    '1:profile',
    '0:profile:garage:x',
    '1:nosuch:a:b',
    '1:profile:nosuch:x',
    '1:profile:garage:',
    '1:car:overview:../',
  ]) {
    const outcome = await chat.visitor(visitor.id).press(message.id, id);
    expect(outcome.acknowledged).not.toBe('failed');
  }
  expect((await visitor.ask('profile', { player: dataService.drivers[0] ?? '' })).text).toContain(
    dataService.drivers[0],
  );
});

test('suggestions come from what was seen, without a request, the typed text among them', async ({
  bot: _,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  expect(await visitor.suggestions('profile', 'player', 'zz')).toEqual(['zz']);
  await visitor.ask('profile', { player });
  const before = dataService.requests.length;
  const typed = player.slice(0, 3).toLowerCase();
  const offered = await visitor.suggestions('profile', 'player', typed);
  expect(offered).toContain(player);
  expect(offered).toContain(typed);
  expect(await visitor.suggestions('car', 'vin', '')).not.toEqual([]);
  expect(dataService.requests).toHaveLength(before);
});
