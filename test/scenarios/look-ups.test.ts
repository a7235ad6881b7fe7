/** What drivers look up beyond a profile and a car, over the real bot. */
import { describe, expect, onTestFinished } from 'vitest';
import { type DataService, startDataService } from '../../src/sandbox/service/data-service.ts';
import { blocksOf } from '../support/blocks.ts';
import { createBotWithin } from '../support/bot-within.ts';
import { controls } from '../support/readable.ts';
import { questions, test } from '../support/sandbox.ts';

const MINUTE = 60_000;

function asked({ requests }: DataService, path: string): number {
  return requests.filter((request) => request.path.endsWith(path)).length;
}

/** The first driver who has both cars and options: the community's showcase. */
const first = ({ drivers: [driver = ''] }: DataService): string => driver;

describe('/garage', () => {
  test('sorts, turns pages and opens a car with one request for the garage', async ({
    bot: _,
    chat,
    dataService,
    visitor,
  }) => {
    const { message, text, private: isPrivate } = await visitor.ask('garage', { player: first(dataService) });
    expect(isPrivate).toBe(false);
    expect(text).toMatch(/Upgrades\*\*\W+\d+\W+worth\s[\d,]+/);
    expect(text).toMatch(/\nCar +VIN +km +Cond\.\n(?:.+ \d+%.*\n)+/);
    const sort = controls(message).find(({ customId }) => customId.includes(':sort:'));
    const sorted = await chat.visitor(visitor.id).press(message.id, sort?.customId ?? '', ['model']);
    expect(sorted.message?.id).toBe(message.id);
    expect(sorted.message?.embeds[0]?.description).not.toBe(message.embeds[0]?.description);
    if (sorted.message === null) throw new Error('nothing was sorted');
    const next = await visitor.press(sorted.message, 'Next');
    expect(next.text).toMatch(/^2 \/ \d$/m);
    expect(questions(dataService)).toHaveLength(1);

    const menu = controls(next.message).find(({ customId }) => customId.startsWith('1:car:open'));
    const [vin = ''] = menu?.values ?? [];
    const car = await chat.visitor(visitor.id).press(message.id, menu?.customId ?? '', [vin]);
    expect(car.message?.embeds[0]?.title).toContain(vin);
  });

  test('costs nothing after /profile, and the other way round', async ({ bot: _, dataService, visitor }) => {
    await visitor.ask('profile', { picture: false, player: first(dataService) });
    const { message } = await visitor.ask('garage', { player: first(dataService) });
    const profile = await visitor.press(message, 'Profile');
    expect(profile.text).toContain('Overview');
    expect(questions(dataService)).toHaveLength(1);
  });
});

test('/options says in words what a driver has changed', async ({ bot: _, dataService, visitor }) => {
  const { text } = await visitor.ask('options', { player: first(dataService) });
  expect(text).toContain('miles per hour');
  expect(text).toMatch(/Location colour\*\*\n```ansi\n.*(red|yellow|cyan)/);
  expect(asked(dataService, 'getopts')).toBe(1);
});

test('/compare costs two requests at most, and none where both are known', async ({
  bot: _,
  dataService,
  visitor,
}) => {
  const [a = '', b = ''] = dataService.drivers;
  await visitor.ask('profile', { picture: false, player: a });
  const { text, message } = await visitor.ask('compare', { first: a, second: b });
  expect(text).toMatch(/\*\* leads in \d+ · ► \*\*.+\*\* leads in \d+/);
  expect(questions(dataService)).toHaveLength(2);
  await visitor.ask('compare', { first: b, second: a });
  await visitor.press(message, 'Refresh');
  expect(questions(dataService)).toHaveLength(2);
  const same = await visitor.ask('compare', { first: a, second: a.toUpperCase() });
  expect(same).toMatchObject({ private: true });
  expect(same.text).toMatch(/same driver/);
});

test('*Compare* on the own driver says how to name another', async ({ bot: _, dataService, visitor }) => {
  const player = first(dataService);
  await visitor.ask('link', { player });
  const profile = await visitor.ask('profile', { picture: false, player });
  const alone = await visitor.press(profile.message, 'Compare');
  expect(alone.private).toBe(true);
  expect(alone.text).toMatch(/your own driver.*<\/compare:\d+>/s);
});

test('an in-game name finds its driver, unless the driver is hidden', async ({
  bot: _,
  chat,
  dataService,
  neighbour,
  visitor,
}) => {
  const player = first(dataService);
  const { message } = await visitor.ask('profile', { picture: false, player });
  const nickname = blocksOf(message.embeds[0]?.description)[0]?.[0] ?? '';
  const { id, channelId } = visitor;
  const suggested = async () => {
    const offered = await chat
      .visitor(id)
      .complete(channelId, 'options', [{ name: 'player', value: nickname }], 'player');
    return offered.map(({ value }) => value);
  };
  expect(await suggested()).toEqual([player, nickname]);
  const { text } = await visitor.ask('options', { player: nickname });
  expect(text).toContain(`but **${player}** uses it as in-game name`);
  const linked = await neighbour.ask('link', { player });
  // A link that is not proved hides nobody on its first day.
  const proof = await neighbour.press(linked.message, 'Verify');
  dataService.driveAs(player, `${/pw-\w{4}/.exec(proof.text)?.[0]}`);
  expect((await neighbour.press(proof.message, 'Check now')).text).toMatch(/Verified/);
  await neighbour.press((await neighbour.ask('privacy', {})).message, 'Hide me');
  expect(await suggested()).toEqual([nickname]);
  expect((await visitor.ask('options', { player: nickname })).text).toMatch(/No driver named/);
});

describe('/duty', () => {
  test('needs no key, and continues where the budget is spent', async ({ bot: _, dataService, visitor }) => {
    dataService.setFault('over-limit', true);
    const { text } = await visitor.ask('duty', {});
    for (const server of ['One', 'Two', 'Three', 'Four']) expect(text).toContain(server);
    const files = dataService.requests.filter(({ path }) => path.startsWith('/json/'));
    expect(new Set(files.map(({ path }) => path))).toEqual(
      new Set(['one', 'two', 'three', 'four'].map((server) => `/json/status_${server}.json`)),
    );
    for (const request of [...files, ...questions(dataService)]) expect(request.query).toEqual({});
  });

  test('shows *unknown*, not *nobody*, where the files cannot be read', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const empty = async (): Promise<number> =>
      (await visitor.ask('duty', {})).text.match(/nobody|no drivers on duty/gi)?.length ?? 0;
    const before = await empty();
    for (const fault of ['down', 'html', 'broken-json', 'later-generation']) {
      dataService.setFault(fault, true);
      // Of some servers it is known.
      expect(await empty(), fault).toBeLessThanOrEqual(before);
      dataService.setFault(fault, false);
    }
  });

  test('is never nobody where the time of the files stands still', async ({ chat, visitor }) => {
    let later = 0;
    const dataService = await startDataService({ now: () => Date.now() + later });
    onTestFinished(() => dataService.close());
    await using bot = await createBotWithin(chat, dataService, {}, { later: () => later });
    await bot.start();
    dataService.setFault('frozen-clock', true);
    expect((await visitor.ask('duty', {})).text).not.toMatch(/don't report/);
    // The bot's clock as well: if only the service's clock jumps, the bot takes that clock for wrong and the files for current.
    later = MINUTE;
    let text = '';
    await expect
      .poll(async () => {
        ({ text } = await visitor.ask('duty', {}));
        return text;
      })
      .toMatch(/The data service has stopped updating.*One.*Two.*Three.*Four.*duty unknown since/s);
    expect(text).not.toMatch(/no one|no drivers on duty/i);
  });
});

describe('a name that nobody has', () => {
  test('is met with what was nearly typed, and its button asks again', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const driver = first(dataService);
    await visitor.ask('profile', { picture: false, player: driver });
    const typed = driver.slice(0, -1);
    for (const command of ['profile', 'garage', 'options']) {
      const asText = command === 'profile' ? { picture: false } : {};
      const miss = await visitor.ask(command, { player: typed, ...asText });
      expect(miss.private).toBe(true);
      expect(miss.text).toMatch(/No driver[\s\S]*Did you mean/);
      const found = await visitor.press(miss.message, driver);
      expect(found.message.id).toBe(miss.message.id);
      expect(found.message.embeds).toHaveLength(1);
      expect(found.message.content).toBe('');
    }
    const pair = await visitor.ask('compare', { first: typed, second: dataService.drivers[1] ?? '' });
    const compared = await visitor.press(pair.message, driver);
    expect(compared.text).toContain('leads in');
  });

  test('is met with nothing where nothing like it was seen, and so is an outage', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const driver = first(dataService);
    await visitor.ask('profile', { picture: false, player: driver });
    expect((await visitor.ask('profile', { picture: false, player: 'zzzzzzzz' })).text).not.toContain(
      'Did you mean',
    );
    dataService.setFault('down', true);
    expect(
      (await visitor.ask('profile', { picture: false, player: driver.slice(0, -1) })).text,
    ).not.toContain('Did you mean');
  });

  test('of a car is met with VINs that were seen', async ({ bot: _, dataService, visitor }) => {
    const [vin = ''] = dataService.vins;
    await visitor.ask('car', { vin });
    const miss = await visitor.ask('car', { vin: `${vin.slice(0, 4)}${vin.endsWith('0') ? '1' : '0'}` });
    expect((await visitor.press(miss.message, vin)).message.embeds[0]?.title).toContain(vin);
  });
});

describe('a look-up', () => {
  test('is answered privately where that is asked for', async ({
    bot: _,
    dataService,
    visitor,
    neighbour,
  }) => {
    const player = first(dataService);
    const commands = [
      ['profile', { picture: false, player }],
      ['garage', { player }],
      ['options', { player }],
      ['compare', { first: player, second: dataService.drivers[1] ?? '' }],
      ['duty', {}],
      ['car', { vin: dataService.vins[0] ?? '' }],
      ['slots', {}],
      ['servers', {}],
      ['members', {}],
      ['live', { server: 'one' }],
    ] as const;
    for (const [index, [command, options]] of commands.entries()) {
      // Two people, so that neither asks more than their share.
      const person = index < 5 ? visitor : neighbour;
      expect((await person.ask(command, { ...options, private: true })).private, command).toBe(true);
      expect((await person.ask(command, { ...options, private: false })).private, command).toBe(false);
      expect((await person.ask(command, options)).private, command).toBe(false);
    }
  });

  test("suggests the person's own driver first", async ({ bot: _, dataService, visitor, neighbour }) => {
    const [own = '', other = ''] = dataService.drivers;
    await visitor.ask('link', { player: own });
    await visitor.ask('profile', { picture: false, player: other });
    expect((await visitor.suggestions('garage', 'player', ''))[0]).toBe(own);
    expect((await neighbour.suggestions('garage', 'player', ''))[0]).toBe(other);
    expect(await visitor.suggestions('compare', 'second', own.slice(1, 4).toUpperCase())).toContain(own);
  });

  test('suggests who is on a server where the service names them', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    dataService.setFault('later-generation', true);
    expect(await visitor.suggestions('profile', 'player', '')).toEqual([]);
    // The files as they were stay fresh for a second.
    const suggested = async (): Promise<number> => {
      await visitor.ask('duty', {});
      return (await visitor.suggestions('profile', 'player', '')).length;
    };
    await expect.poll(suggested).toBeGreaterThan(0);
    expect(asked(dataService, '/profile/get')).toBe(0);
  });
});
