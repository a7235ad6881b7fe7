/** What a guild decides for those who read in it. */
import { InteractionContextType } from 'discord.js';
import { expect } from 'vitest';
import { test } from '../support/sandbox.ts';

test('are shown to everyone, and changed only by those who manage the server', async ({
  bot,
  chat,
  visitor: manager,
  neighbour,
}) => {
  const shown = await neighbour.ask('settings', {});
  expect(shown.private).toBe(true);
  expect(shown.text).toMatch(/Kilometres/);

  const [role = { id: '' }] = chat.roles;
  const refused = await neighbour.ask('settings', { convoys: role.id });
  expect(refused.text).toMatch(/Manage Server/);
  expect((await neighbour.ask('settings', {})).text).toMatch(/Kilometres/);

  const changed = await manager.fillIn('settings', { distances: 'miles', more: ['sharing'] });
  for (const text of [changed.text, (await neighbour.ask('settings', {})).text]) {
    expect(text).toMatch(/Miles/);
    expect(text).toMatch(/Only the person who asked/);
    expect(text).toMatch(/Coloured names\W+Hidden/);
    expect(text).toMatch(/Each reader's own/);
  }
  await manager.fillIn('settings', { language: 'de' });
  await manager.fillIn('settings', { language: 'reader' });
  await bot.stop();
  await bot.start();
  const kept = (await neighbour.ask('settings', {})).text;
  expect(kept).toMatch(/Miles/);
  expect(kept).toMatch(/Each reader's own/);

  const published = chat
    .visitor(manager.id)
    .commands()
    .find(({ name }) => name === 'settings');
  expect(published?.contexts).toEqual([InteractionContextType.Guild]);
  await expect(manager.askDirectly('settings', {})).rejects.toThrow(/no command/);
});

test('take effect for everyone there, and not in direct messages', async ({
  bot: _,
  dataService,
  visitor: manager,
  neighbour,
}) => {
  const driver = dataService.drivers.find((name) => name !== '') ?? '';
  const garage = async (ask: typeof neighbour.ask) => {
    const { message } = await ask('profile', { picture: false, player: driver });
    return JSON.stringify(message.embeds);
  };
  const before = await garage(neighbour.ask);
  expect(before).toMatch(/\d\skm/);
  expect(before).not.toMatch(/\d\smi/);

  await manager.fillIn('settings', { distances: 'miles' });
  const inMiles = await garage(neighbour.ask);
  expect(inMiles).toMatch(/\d\smi/);
  expect(inMiles).not.toMatch(/\d\skm/);
  expect(await garage(neighbour.askDirectly)).toMatch(/\d\skm/);

  await manager.fillIn('settings', { distances: 'kilometres', language: 'de' });
  const german = await garage(neighbour.ask);
  // Figures are grouped as German has them, 1.234, and not as in English, 1,234.
  expect(before).not.toMatch(/\d\.\d{3}/);
  expect(german).toMatch(/\d\.\d{3}/);
});

test('names lose their colours where the guild wants none', async ({
  bot: _,
  dataService,
  visitor: manager,
}) => {
  const [player = ''] = dataService.drivers;
  const asked = async () =>
    JSON.stringify((await manager.ask('profile', { picture: false, player })).message.embeds);
  expect(await asked()).toMatch(/"title":"Marek Nowicki".*```ansi.*u001b\[31mTC/);
  await manager.fillIn('settings', { more: ['refresh', 'sharing'] });
  const plain = await asked();
  expect(plain).toContain('"title":"\\\\[TC\\\\] Marek » \\\\(Marek Nowicki\\\\)"');
  expect(plain).not.toMatch(/```|u001b/);
});

test("distances follow the asker's own driver where the guild wants that", async ({
  bot: _,
  dataService,
  visitor: manager,
  neighbour,
}) => {
  // In the seeded world some drive in miles.
  const [shown = ''] = dataService.drivers;
  await manager.fillIn('settings', { distances: 'driver' });
  const units = new Set<string>();
  for (const driver of dataService.drivers.slice(0, 12)) {
    await neighbour.ask('unlink', {});
    await manager.ask('link', { player: driver, user: neighbour.id });
    const { message } = await neighbour.ask('profile', { picture: false, player: shown });
    const text = JSON.stringify(message.embeds);
    const isMiles = /\d\smi/.test(text);
    expect(/\d\skm/.test(text)).toBe(!isMiles);
    units.add(isMiles ? 'miles' : 'kilometres');
    if (units.size === 2) break;
  }
  expect(units).toEqual(new Set(['miles', 'kilometres']));
  await neighbour.ask('unlink', {});
  expect(
    JSON.stringify((await neighbour.ask('profile', { picture: false, player: shown })).message.embeds),
  ).toMatch(/\d\skm/);
});

test('only the person who asked may refresh, where the guild wants that', async ({
  bot: _,
  dataService,
  visitor: manager,
  neighbour,
}) => {
  const { message } = await manager.ask('profile', { picture: false, player: dataService.drivers[0] ?? '' });
  expect((await neighbour.press(message, 'Refresh')).message.embeds).toHaveLength(1);
  await manager.fillIn('settings', { more: ['colours', 'sharing'] });
  const refused = await neighbour.press(message, 'Refresh');
  expect(refused.private).toBe(true);
  expect(refused.message.embeds).toEqual([]);
  expect(refused.text).toMatch(/only the person who asked/);
  // The other buttons show cached data, and the person who asked may refresh as before.
  expect((await neighbour.press(message, 'Garage')).message.embeds).toHaveLength(1);
  expect((await manager.press(message, 'Refresh')).message.id).toBe(message.id);
});
