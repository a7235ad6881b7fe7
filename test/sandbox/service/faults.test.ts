import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Car } from '../../../src/service/models/car.ts';
import { ChatStatus } from '../../../src/service/models/chat-status.ts';
import { LiveStatus } from '../../../src/service/models/live-status.ts';
import { Options } from '../../../src/service/models/options.ts';
import { Overview } from '../../../src/service/models/overview.ts';
import { Profile } from '../../../src/service/models/profile.ts';
import { everyFlag, START, started } from './started.ts';

const PROFILE = '/drivesim/profile/get';
const asked = { username: 'Marek Nowicki', ...everyFlag };

describe('the list of faults', () => {
  test('names each, none on at first', async () => {
    const { service } = await started({ hostileNames: false });
    expect(service.faults.map(({ name }) => name)).toEqual([
      'down',
      'unreachable',
      'slow',
      'html',
      'broken-json',
      'unauthorised',
      'host-not-allowed',
      'over-limit',
      'widget-off',
      'frozen-clock',
      'later-generation',
      'php-empties',
      'hostile-names',
    ]);
    expect(service.faults.some(({ on }) => on)).toBe(false);
    service.setFault('slow', true);
    expect(service.faults.filter(({ on }) => on).map(({ name }) => name)).toEqual(['slow']);
  });

  test('refuses a name that is not in it', async () => {
    const { service } = await started();
    expect(() => service.setFault('donw', true)).toThrow(/donw/);
  });

  test.each([
    'down',
    'html',
    'broken-json',
    'unauthorised',
    'host-not-allowed',
    'over-limit',
    'later-generation',
    'php-empties',
  ])('%s is over as soon as it is switched off', async (name) => {
    const { service, ask } = await started();
    const usual = await (await ask(PROFILE, asked)).text();
    service.setFault(name, true);
    expect(await (await ask(PROFILE, asked)).text()).not.toBe(usual);
    service.setFault(name, false);
    expect(await (await ask(PROFILE, asked)).text()).toBe(usual);
  });
});

describe('hostile names', () => {
  const Members = z.object({ members: z.array(z.object({ username: z.string() })) });
  const Preowned = z.object({ preOwners: z.array(z.object({ buyer: z.string() })) });

  /** Everybody who is named anywhere: drivers, on the road too, members, and former owners of cars. */
  async function named({ service, body }: Awaited<ReturnType<typeof started>>): Promise<ReadonlySet<string>> {
    const live = await Promise.all(
      ['one', 'two', 'three', 'four'].map((name) => body(`/json/status_${name}.json`)),
    );
    const cars = await Promise.all(
      service.vins.map(async (vin) =>
        Preowned.parse(await body('/drivesim/carinfo', { vin, preowners: '1' })),
      ),
    );
    return new Set([
      ...service.drivers,
      ...service.records().map(({ username }) => username),
      ...live.flatMap((file) => LiveStatus.parse(file).players.flatMap(({ username }) => username ?? [])),
      ...Members.parse(await body('/chat_status')).members.map(({ username }) => username),
      ...cars.flatMap(({ preOwners }) => preOwners.map(({ buyer }) => buyer)),
    ]);
  }

  test("are nobody's until they are switched on, and no longer anybody's afterwards", async () => {
    const sandbox = await started({ hostileNames: false, namedLiveFiles: true });
    const own = await named(sandbox);
    sandbox.service.setFault('hostile-names', true);
    const hostile = await named(sandbox);
    for (const name of ['__proto__', 'zalgo', 'rtl_rami', '50%off', 'mention me', 'constructor', 'ghost'])
      expect([name, own.has(name), hostile.has(name)]).toEqual([name, false, true]);
    // Not one is called by both names anywhere.
    expect(hostile.size).toBe(own.size);
    sandbox.service.setFault('hostile-names', false);
    expect(await named(sandbox)).toEqual(own);
  });

  test("leave nothing in their ordinary form but a name's usual decoration", async () => {
    const { service } = await started({ hostileNames: false });
    for (const name of service.drivers) expect(name).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_' -]{2,}$/u);
  });

  test('belong to the same person as the ordinary one, who has the same record', async () => {
    const { service, body } = await started();
    const before = Profile.parse(await body(PROFILE, { ...asked, username: 'zalgo' }));
    service.setFault('hostile-names', false);
    const after = Profile.parse(await body(PROFILE, { ...asked, username: 'Sigurjón' }));
    expect(after).toEqual({ ...before, username: 'Sigurjón', nickname: after.nickname });
    service.setFault('hostile-names', true);
    expect(Profile.parse(await body(PROFILE, { ...asked, username: 'ZALGO' }))).toEqual(before);
  });
});

describe('a service in trouble', () => {
  test('down answers 503 with a web page, the live files too', async () => {
    const { service, ask } = await started();
    service.setFault('down', true);
    for (const path of [PROFILE, '/json/status_one.json']) {
      const response = await ask(path, asked);
      expect(response.status).toBe(503);
      expect(response.headers.get('content-type')).toMatch('text/html');
    }
  });

  test('unreachable resets the connection, and the request is noted without a status', async () => {
    const { service, ask } = await started();
    service.setFault('unreachable', true);
    await expect(ask(PROFILE, asked)).rejects.toThrow();
    expect(service.requests.every(({ status }) => status === 0)).toBe(true);
    expect(service.requests.length).toBeGreaterThan(0);
  });

  test('slow answers late, but has counted the request at once', async () => {
    const { service, ask } = await started({ slowness: 80 });
    service.setFault('slow', true);
    const since = performance.now();
    const response = await ask(PROFILE, asked);
    expect(performance.now() - since).toBeGreaterThan(75);
    expect(response.status).toBe(200);
    expect(service.requests).toHaveLength(1);
  });

  test('a slow answer does not hold up the end of the service', async () => {
    const { service, ask } = await started();
    service.setFault('slow', true);
    const waiting = ask(PROFILE, asked).catch(() => 'cut off');
    await expect.poll(() => service.requests.length).toBe(1);
    await service.close();
    expect(await waiting).toBe('cut off');
  });

  test('html is a web page with status 200', async () => {
    const { service, ask } = await started();
    service.setFault('html', true);
    const response = await ask(PROFILE, asked);
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/^<!doctype html>/);
  });

  test('broken-json cuts every answer so that none can be parsed', async () => {
    const { service, ask } = await started();
    service.setFault('broken-json', true);
    const paths = [
      PROFILE,
      '/json/status_one.json',
      '/chat_status',
      '/drivesim/live/status',
      '/drivesim/stats/online',
    ];
    for (const path of paths) {
      const response = await ask(path, { ...asked, server: 'all' });
      expect(response.status).toBe(200);
      await expect(response.json()).rejects.toThrow(SyntaxError);
    }
  });
});

describe('a service that refuses', () => {
  test.each([
    ['unauthorised', 'not authorised'],
    ['host-not-allowed', 'host not allowed'],
    ['over-limit', 'rate limit exceeded'],
  ])('%s says "%s" to keyed requests only', async (name, message) => {
    const { service, ask } = await started();
    service.setFault(name, true);
    const response = await ask(PROFILE, asked);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ errorCode: 403, errorMessage: message });
    expect((await ask('/json/status_one.json', {}, null)).status).toBe(200);
  });

  test('over-limit reports that nothing remains, and a reset that is soon', async () => {
    const { service, ask } = await started();
    service.setFault('over-limit', true);
    const { headers } = await ask(PROFILE, asked);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    expect(headers.get('x-ratelimit-reset')).toBe(String(START / 1000 + 30));
  });
});

test('frozen-clock stops the live files where they were, and nothing else', async () => {
  const { service, ask, body, pass } = await started();
  const [before, chat] = [await body('/json/status_one.json'), await body('/chat_status')];
  service.setFault('frozen-clock', true);
  pass(3600);
  const frozen = await ask('/json/status_one.json');
  expect(await frozen.json()).toEqual(before);
  expect(frozen.headers.get('date')).toBe(new Date(START + 3_600_000).toUTCString());
  expect(await body('/chat_status')).not.toEqual(chat);
  service.setFault('frozen-clock', false);
  expect(await body('/json/status_one.json')).toMatchObject({ time: START / 1000 + 3600 });
});

describe('the later generation', () => {
  test('dates a profile in ISO 8601, spells licences, numbers stats, names property', async () => {
    const { service, body } = await started();
    const usual = Profile.parse(await body(PROFILE, asked));
    service.setFault('later-generation', true);
    const raw = z
      .looseObject({
        dateJoined: z.iso.datetime(),
        stats: z.record(z.string().regex(/^\d+$/), z.number()),
        licences: z.array(
          z.strictObject({
            id: z.string(),
            name: z.string(),
            dateIssued: z.iso.datetime(),
            validUntil: z.iso.datetime().nullable(),
            suspendedUntil: z.iso.datetime().nullable(),
            revoked: z.boolean(),
            expired: z.boolean(),
            suspended: z.boolean(),
          }),
        ),
        properties: z.array(z.looseObject({ name: z.string() })),
        cars: z.array(z.looseObject({ upgrades: z.array(z.looseObject({ name: z.string() })) })),
      })
      .parse(await body(PROFILE, asked));
    expect(raw).not.toHaveProperty('licenses');
    const later = Profile.parse(raw);
    expect(later).toMatchObject({
      joined: usual.joined,
      cars: usual.cars?.map(({ vin, odometerKm }) => ({ vin, odometerKm })),
      licences: usual.licences?.map(({ type, validUntil }) => ({ type, validUntil })),
    });
    expect(later.stats?.known.sent_money).toBe(usual.stats?.known.sent_money);
    expect(later.stats?.other).toHaveLength(43 - 7);
  });

  test('dates a car in ISO 8601, its earlier owners too', async () => {
    const { service, body } = await started();
    const query = { vin: service.vins[0] ?? '', preowners: '1', upgrades: '1' };
    const usual = Car.parse(await body('/drivesim/carinfo', query));
    service.setFault('later-generation', true);
    const raw = await body('/drivesim/carinfo', query);
    z.looseObject({
      dateBuilt: z.iso.datetime(),
      preOwners: z.array(z.looseObject({ datePurchase: z.iso.datetime() })).min(1),
    }).parse(raw);
    expect(Car.parse(raw)).toMatchObject({ built: usual.built, preOwners: usual.preOwners });
  });

  test('says in the live file who is there, where, and in which car', async () => {
    const { service, body } = await started();
    service.advance(3 * 3600);
    const usual = LiveStatus.parse(await body('/json/status_one.json'));
    service.setFault('later-generation', true);
    const raw = await body('/json/status_one.json');
    expect(raw).toMatchObject({ t: START, n: 'One', tk: expect.any(String) });
    const later = LiveStatus.parse(raw);
    const numbers = (players: LiveStatus['players']) =>
      players.flatMap(({ plid }) => (plid === null ? [] : [plid])).toSorted();
    const onTrack = usual.players.filter(({ isJoining }) => isJoining !== true);
    expect(numbers(later.players)).toEqual(numbers(onTrack));
    // The map is keyed by connection: whoever takes its keys for the players' numbers is found out here.
    const { ps } = z.object({ ps: z.record(z.string(), z.looseObject({ u: z.int() })) }).parse(raw);
    expect(Object.entries(ps).every(([connection, { u }]) => connection === String(u))).toBe(true);
    expect(Object.keys(ps).toSorted()).not.toEqual(numbers(later.players));
    expect(later.players).toHaveLength(usual.players.length);
    expect(later.players.length).toBeGreaterThan(0);
    for (const { username } of later.players) expect(service.drivers).toContain(username);
    expect(later.players.some(({ job }) => job?.startsWith('^3Barrier Fixing') === true)).toBe(true);
  });
});

test('php-empties loosens every type, and the models of the bot read the same from it', async () => {
  const { service, body } = await started();
  const car = { vin: service.vins[0] ?? '', preowners: '1', upgrades: '1' };
  const all = async () => ({
    profile: Profile.parse(await body(PROFILE, asked)),
    car: Car.parse(await body('/drivesim/carinfo', car)),
    options: Options.parse(await body('/drivesim/profile/getopts', { username: 'newbie2026' })),
    overview: Overview.parse(await body('/drivesim/live/status', { server: 'all' })),
    live: LiveStatus.parse(await body('/json/status_one.json')),
    chat: ChatStatus.parse(await body('/chat_status')),
  });
  const usual = await all();
  service.setFault('php-empties', true);
  expect(await all()).toEqual(usual);
  expect(await body('/drivesim/profile/getopts', { username: 'newbie2026' })).toEqual([]);
  expect(await body(PROFILE, { username: 'hoarder' })).toMatchObject({
    id: '2',
    insimAdmin: expect.any(Number),
  });
});

test('several faults at once: the later generation, loosely typed', async () => {
  const { service, body } = await started();
  service.setFault('later-generation', true);
  service.setFault('php-empties', true);
  const { stats } = z.object({ stats: z.record(z.string(), z.string()) }).parse(await body(PROFILE, asked));
  expect(Object.keys(stats)).toContain('1');
});
