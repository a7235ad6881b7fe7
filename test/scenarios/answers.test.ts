import { describe, expect } from 'vitest';
import type { DataService } from '../../src/sandbox/service/data-service.ts';
import { createBotWithin } from '../support/bot-within.ts';
import { guest, questions, test } from '../support/sandbox.ts';

const MINUTE = 60_000;

/** Requests for profiles that reached the data service. */
function profilesAsked({ requests }: DataService): number {
  return requests.filter(({ path }) => path.endsWith('/profile/get')).length;
}

describe('a question', () => {
  test('is answered with the record, in the channel', async ({ bot: _, dataService, visitor }) => {
    const [player = ''] = dataService.drivers;
    const { text, private: isPrivate } = await visitor.ask('profile', { picture: false, player });
    expect(text).toContain(player);
    expect(isPrivate).toBe(false);

    const [vin = ''] = dataService.vins;
    const car = await visitor.ask('car', { vin: vin.toLowerCase() });
    expect(car.text).toContain(vin);
  });

  test('asked twenty times at once costs one request, and none while it is fresh', async ({
    bot: _,
    dataService,
    visitor,
    neighbour,
  }) => {
    const [player = ''] = dataService.drivers;
    const people = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? visitor : neighbour));
    const names = people.map((_, index) => (index % 3 === 0 ? player.toUpperCase() : player));
    const answers = await Promise.all(
      people.map((person, index) => person.ask('profile', { picture: false, player: names[index] ?? '' })),
    );
    expect(answers.every(({ text }) => text.includes(player))).toBe(true);
    expect(profilesAsked(dataService)).toBe(1);

    await visitor.ask('profile', { picture: false, player });
    expect(profilesAsked(dataService)).toBe(1);
  });

  test('survives a restart of the bot without a second request', async ({ bot, dataService, visitor }) => {
    const [player = ''] = dataService.drivers;
    await visitor.ask('profile', { picture: false, player });
    await bot.stop();
    await bot.start();
    const { text } = await visitor.ask('profile', { picture: false, player });
    expect(text).toContain(player);
    expect(profilesAsked(dataService)).toBe(1);
  });

  test('is acknowledged within three seconds while the service hangs, and answered later', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    dataService.setFault('slow', true);
    const answer = await visitor.ask('profile', { picture: false, player: dataService.drivers[0] ?? '' });
    expect(answer.acknowledged).toBe('deferred');
    expect(answer.text).toMatch(/data service/i);
    expect(answer.text).not.toMatch(/no driver|unknown/i);
  });

  test('gets the last good record, marked with its age, while the service is down', async ({
    bot,
    dataService,
    visitor,
  }) => {
    const [player = ''] = dataService.drivers;
    await visitor.ask('profile', { picture: false, player });
    await bot.stop();
    dataService.setFault('down', true);

    await bot.start(10 * MINUTE);
    const stale = await visitor.ask('profile', { picture: false, player });
    expect(stale.text).toContain(player);
    expect(stale.text).toMatch(/<t:\d+:R>/);
    expect(stale.text).toMatch(/isn't answering/);

    await bot.stop();
    await bot.start(25 * 60 * MINUTE);
    const gone = await visitor.ask('profile', { picture: false, player });
    expect(gone.text).not.toContain('Overview');
  });
});

describe('what is said of a failure', () => {
  const unknown = /no driver/i;
  /** The last one closes the budget. */
  const trouble = [
    { fault: 'down', says: /service/i },
    { fault: 'unreachable', says: /service/i },
    { fault: 'html', says: /service/i },
    { fault: 'broken-json', says: /service/i },
    { fault: 'unauthorised', says: /key/i },
    { fault: 'host-not-allowed', says: /address/i },
    { fault: 'over-limit', says: /Next request (?:<t:\d+:R>|in \d+ seconds?)/ },
  ];

  test('an unknown player is unknown, and is not asked for again within a minute', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const { text } = await visitor.ask('profile', { picture: false, player: 'nobody of this name' });
    expect(text).toMatch(unknown);
    await visitor.ask('profile', { picture: false, player: 'Nobody of this name' });
    expect(profilesAsked(dataService)).toBe(1);
    const car = await visitor.ask('car', { vin: 'ZZZZZ' });
    expect(car.text).toMatch(/no car/i);
  });

  test('no failure of the service ever reads as an unknown player', async ({
    bot: _,
    chat,
    dataService,
    visitor,
  }) => {
    await visitor.fillIn('settings', { language: 'en-GB' });
    for (const [index, { fault, says }] of trouble.entries()) {
      dataService.setFault(fault, true);
      // Each by another person: nobody may look up so much at once.
      const person = guest(chat, chat.people[index] ?? '');
      for (const player of [dataService.drivers[index] ?? '', `nobody of this name ${index}`]) {
        const { text } = await person.ask('profile', { picture: false, player });
        expect(text, fault).toMatch(says);
        expect(text, fault).not.toMatch(unknown);
      }
      dataService.setFault(fault, false);
    }
  });

  test('a widget that is off is no outage: two commands name the setting, servers do not', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    dataService.setFault('widget-off', true);
    expect((await visitor.ask('members', {})).text).toContain('Server Settings → Widget');
    const { text } = await visitor.ask('servers', {});
    expect(text).toContain('One');
    expect(text).not.toMatch(/Incomplete|isn't answering|[Ww]idget/);
    expect((await visitor.ask('diagnose', {})).text).toMatch(/⚪.*Server Settings → Widget/);
  });

  test('keeps what is known through a later generation of the service and its oddities', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    const [first = '', second = ''] = dataService.drivers;
    dataService.setFault('later-generation', true);
    const later = await visitor.ask('profile', { picture: false, player: first });
    expect(later.text).toContain(first);
    dataService.setFault('later-generation', false);
    dataService.setFault('php-empties', true);
    const odd = await visitor.ask('profile', { picture: false, player: second });
    expect(odd.text).toContain(second);
    for (const { text } of [later, odd]) expect(text).not.toMatch(/null|NaN|undefined|\[object/);
  });
});

describe('bad input', () => {
  test('is answered at once, only to the person who typed it, and spends nothing', async ({
    bot: _,
    dataService,
    visitor,
  }) => {
    for (const [command, options] of [
      ['car', { vin: 'ABC' }],
      ['car', { vin: 'AB-12' }],
      ['car', { vin: '../..' }],
      ['profile', { picture: false, player: 'x'.repeat(65) }],
      ['profile', { picture: false, player: '   ' }],
    ] as const) {
      const answer = await visitor.ask(command, options);
      expect(answer).toMatchObject({ private: true, acknowledged: 'replied' });
      expect(answer.text).toMatch(/five letters or digits|1 to 64/);
    }
    expect(questions(dataService)).toEqual([]);
  });

  test('cannot change the path or the other parameters of the request', async ({
    bot: _,
    chat,
    dataService,
  }) => {
    const names = ['../carinfo', 'a&key=x&stats=0', 'a#b', 'a%26b', 'a?b=c', '@everyone', '`'.repeat(3)];
    for (const [index, player] of names.entries()) {
      // Each by another person: nobody may look up so much at once.
      const { message } = await guest(chat, chat.people[index] ?? '').ask('profile', {
        picture: false,
        player,
      });
      expect(message.mention_everyone).toBe(false);
      const request = questions(dataService).at(-1);
      expect(request?.path).toMatch(/\/profile\/get$/);
      expect(request?.query).toEqual({
        username: player,
        stats: '1',
        cars: '1',
        licenses: '1',
        upgrades: '1',
        properties: '1',
      });
    }
  });
});

test('names a second installation with the same token in the log of the late one', async ({
  bot,
  chat,
  dataService,
  visitor,
}) => {
  const [player = ''] = dataService.drivers;
  await using forgotten = await createBotWithin(chat, dataService);
  await forgotten.start();
  const told = () =>
    `${bot.output}${forgotten.output}`.match(/another process with this token has answered/g)?.length;
  expect((await visitor.ask('profile', { picture: false, player })).text).toContain(player);
  await expect.poll(told).toBe(1);
});
