/** Who is which driver: said by oneself, corrected by those who manage the server. */
import { describe, expect } from 'vitest';
import { titledDriver } from '../support/readable.ts';
import { questions, test } from '../support/sandbox.ts';

describe('a link', () => {
  test('lets /profile do without a name, and the menu on the person show the driver', async ({
    bot: _,
    dataService,
    visitor,
    neighbour,
  }) => {
    const [driver = ''] = dataService.drivers;
    for (const ask of [visitor.ask, visitor.askDirectly]) {
      const unlinked = await ask('profile', { picture: false });
      expect(unlinked.text).toMatch(/\/link/);
    }
    expect(questions(dataService)).toEqual([]);

    const linked = await visitor.ask('link', { player: driver.toUpperCase() });
    expect(linked.private).toBe(true);
    expect(linked.text).toContain(driver);
    expect(linked.text).toMatch(/self-declared/);

    const own = await visitor.ask('profile', { picture: false });
    expect(titledDriver(own.message)).toBe(driver);
    expect(own.private).toBe(false);
    expect(titledDriver((await visitor.askDirectly('profile', { picture: false })).message)).toBe(driver);

    const seen = await neighbour.open('Driver profile', visitor.id);
    expect(seen.private).toBe(true);
    expect(titledDriver(seen.message)).toBe(driver);
    expect(seen.text).toContain(`<@${visitor.id}>`);
    expect(seen.text).toMatch(/self-declared/);
    // One request found the driver, and all the rest was known.
    expect(questions(dataService)).toHaveLength(1);
  });

  test('is shown to members of the same server, not in a direct message or once hidden', async ({
    bot: _,
    dataService,
    visitor,
    neighbour,
  }) => {
    const [driver = '', another = ''] = dataService.drivers;
    await visitor.ask('link', { player: driver });
    const mention = `<@${visitor.id}>`;
    expect(titledDriver((await neighbour.ask('profile', { picture: false, player: mention })).message)).toBe(
      driver,
    );
    const pair = { first: another, second: mention };
    expect((await neighbour.ask('compare', pair)).message.embeds).toHaveLength(1);
    const refused = async (ask: typeof neighbour.ask) => {
      for (const [command, options] of [
        ['profile', { picture: false, player: mention }],
        ['compare', pair],
      ] as const) {
        const { text } = await ask(command, options);
        expect(text).toMatch(/hasn't linked a driver that I can show/);
        expect(text).not.toContain(driver);
      }
    };
    await refused(neighbour.askDirectly);
    await visitor.press((await visitor.ask('privacy', {})).message, 'Hide me');
    await refused(neighbour.ask);
    expect((await neighbour.open('Driver profile', visitor.id)).text).toMatch(
      /hasn't linked a driver that I can show/,
    );
    expect((await visitor.ask('profile', { picture: false, player: mention })).message.embeds).toHaveLength(
      1,
    );
  });

  test('survives a restart, and is taken back for good', async ({ bot, dataService, visitor, neighbour }) => {
    await visitor.ask('link', { player: dataService.drivers[0] ?? '' });
    await bot.stop();
    await bot.start();
    expect((await visitor.ask('profile', { picture: false })).message.embeds).toHaveLength(1);
    expect((await visitor.ask('unlink', {})).text).toMatch(/is unlinked/);
    expect((await visitor.ask('unlink', {})).text).toMatch(/no linked driver/);
    expect((await visitor.ask('profile', { picture: false })).text).toMatch(/\/link/);
    const menu = await neighbour.open('Driver profile', visitor.id);
    expect(menu.message.embeds).toEqual([]);
    expect(menu.text).toContain(`<@${visitor.id}>`);
    expect((await neighbour.open('Driver profile', neighbour.id)).text).toMatch(/\/link/);
  });

  test('is one to one, and only those who manage the server can correct it', async ({
    bot: _,
    dataService,
    visitor: manager,
    neighbour,
  }) => {
    const [first = '', second = ''] = dataService.drivers;
    await manager.ask('link', { player: first });
    const taken = await neighbour.ask('link', { player: first.toLowerCase() });
    expect(taken.text).toMatch(/someone else/);
    expect((await neighbour.ask('profile', { picture: false })).text).toMatch(/\/link/);

    for (const attempt of [
      await neighbour.ask('link', { player: second, user: manager.id }),
      await neighbour.ask('unlink', { user: manager.id }),
    ]) {
      expect(attempt.text).toMatch(/Manage Server/);
      expect(attempt.private).toBe(true);
    }
    expect(titledDriver((await manager.ask('profile', { picture: false })).message)).toBe(first);

    const corrected = await manager.ask('link', { player: first, user: neighbour.id });
    expect(corrected.text).toContain(`<@${neighbour.id}>`);
    expect(titledDriver((await neighbour.ask('profile', { picture: false })).message)).toBe(first);
    expect((await manager.ask('profile', { picture: false })).text).toMatch(/\/link/);
    expect((await manager.open('Driver profile', neighbour.id)).text).toMatch(/administrator/);

    expect((await manager.ask('unlink', { user: neighbour.id })).text).toMatch(/no longer/);
    expect((await manager.ask('unlink', { user: neighbour.id })).text).toMatch(/has no linked driver/);
    expect((await neighbour.ask('profile', { picture: false })).text).toMatch(/\/link/);
  });

  test('of someone else cannot be changed from a direct message', async ({
    bot: _,
    dataService,
    visitor: manager,
    neighbour,
  }) => {
    const [first = '', second = ''] = dataService.drivers;
    await neighbour.ask('link', { player: first });
    await manager.askDirectly('link', { player: second, user: neighbour.id });
    await manager.askDirectly('unlink', { user: neighbour.id });
    expect(titledDriver((await neighbour.ask('profile', { picture: false })).message)).toBe(first);
    // The own one can.
    expect((await manager.askDirectly('link', { player: second })).text).toContain(second);
  });

  test('to a driver that does not exist, or while nobody can tell, is not made', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    expect((await visitor.ask('link', { player: 'nobody of this name' })).text).toMatch(/no driver/i);
    dataService.setFault('down', true);
    expect((await visitor.ask('link', { player: dataService.drivers[0] ?? '' })).text).toMatch(/service/i);
    expect((await visitor.ask('link', { player: '' })).text).toMatch(/1 to 64/);
    expect((await visitor.ask('profile', { picture: false })).text).toMatch(/\/link/);
  });
});
