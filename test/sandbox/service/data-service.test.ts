import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { Car } from '../../../src/service/models/car.ts';
import { ChatStatus } from '../../../src/service/models/chat-status.ts';
import { LiveStatus } from '../../../src/service/models/live-status.ts';
import { Options } from '../../../src/service/models/options.ts';
import { Overview } from '../../../src/service/models/overview.ts';
import { Profile } from '../../../src/service/models/profile.ts';
import { everyFlag, START, started } from './started.ts';

/** The interface's field lists, letter by letter. */
const fields = {
  live: 'server time players',
  player: 'siren med caution tow cop isChased isJoining hazard',
  profile:
    'id username isOnline nickname insimAdmin adminLevel needsCopTraining money dateJoined dateLastSeen countryCode flag stats licenses properties cars',
  stats:
    'sent_money received_money earned_refunds paid_for_renting received_fines paid_fines paid_radar_fines driven_distance driving_money_plus driving_money_minus paid_donation received_donation paid_compensation received_compensation crashes chases_won_robber chases_lost_robber chases_won_cop chases_lost_cop outran_cops net_value gaming_time_total gaming_time_cop gaming_time_civil gaming_time_tow gaming_time_chasing gaming_time_chased driven_distance_cop driven_distance_civil driven_distance_tow driven_distance_offroad driven_distance_chasing driven_distance_chased driven_distance_sos cop_xp robber_xp rp_xp gumball_distance gumball_time winch_used ramps_placed sos_called sos_responded',
  licence: 'type name dateIssued issuedBy validUntil suspendedUntil revoked expired suspended',
  property: 'id type condition value',
  car: 'vin type odometerKm condition wear damage upgrades',
  upgrade: 'id type condition value',
  overview: 'online track guests maxGuests trackName',
  vehicle:
    'id vin owner nickname idOwner type dateBuilt datePurchase odometerKm isOnMarket numPreowners isWrecked marketPrice condition wear damage preOwners upgrades',
  preowner: 'buyer buyerId datePurchase odometerKm',
  chat: 'id name instant_invite channels members',
  channel: 'position id name',
  member: 'username status avatar_url avatar discriminator id',
};

const anything = z.record(z.string(), z.unknown());
const rows = z.array(anything);

function expectFields(record: unknown, list: string): void {
  expect(Object.keys(anything.parse(record)).sort()).toEqual(list.split(' ').sort());
}

const profileOf = '/drivesim/profile/get';

describe('profile/get', () => {
  test('has exactly the fields of the interface, with its types, when every flag is set', async () => {
    const { service, body } = await started();
    const raw = anything.parse(await body(profileOf, { username: service.drivers[0] ?? '', ...everyFlag }));
    expectFields(raw, fields.profile);
    expectFields(raw['stats'], fields.stats);
    for (const licence of rows.min(1).parse(raw['licenses'])) expectFields(licence, fields.licence);
    for (const property of rows.min(1).parse(raw['properties'])) expectFields(property, fields.property);
    for (const car of rows.min(1).parse(raw['cars'])) {
      expectFields(car, fields.car);
      for (const upgrade of rows.parse(car['upgrades'])) expectFields(upgrade, fields.upgrade);
    }
    z.object({
      id: z.int(),
      money: z.int(),
      adminLevel: z.int(),
      dateJoined: z.int(),
      dateLastSeen: z.int().max(START / 1000),
      isOnline: z.boolean(),
      insimAdmin: z.boolean(),
      needsCopTraining: z.boolean(),
      countryCode: z.string().regex(/^[a-z]{2}$/),
      flag: z.string().startsWith('//'),
      licenses: z.array(
        z.object({ dateIssued: z.int(), validUntil: z.int(), suspendedUntil: z.int(), revoked: z.boolean() }),
      ),
      cars: z.array(
        z.object({ vin: z.string().regex(/^[A-Z0-9]{5}$/), condition: z.number().min(0).max(100) }),
      ),
    }).parse(raw);
  });

  test('leaves a block out whose flag is off, and upgrades with it', async () => {
    const { body } = await started();
    const blocks = 'stats licenses properties cars'.split(' ');
    const plain = fields.profile.split(' ').filter((name) => !blocks.includes(name));
    expectFields(await body(profileOf, { username: 'hoarder' }), plain.join(' '));
    for (const block of blocks) {
      expectFields(await body(profileOf, { username: 'hoarder', [block]: '1' }), [...plain, block].join(' '));
    }
    const { cars } = z
      .object({ cars: rows })
      .parse(await body(profileOf, { username: 'hoarder', cars: '1', upgrades: '0' }));
    expectFields(cars[0], fields.car.replace(' upgrades', ''));
  });

  test('of all 60 drivers is read by the model of the bot, names as they are', async () => {
    const { service, body } = await started();
    for (const username of service.drivers) {
      const profile = Profile.parse(await body(profileOf, { username, ...everyFlag }));
      expect(profile.username).toBe(username);
      expect(profile.stats?.other).toEqual([]);
      for (const value of Object.values(profile)) expect(value).not.toBeNull();
    }
  });

  test('does not tell the case of names apart', async () => {
    const { body } = await started();
    expect(await body(profileOf, { username: 'ŁUKASZ k' })).toMatchObject({ username: 'Łukasz K' });
  });
});

describe('the other keyed operations', () => {
  test('carinfo has exactly the fields of the interface, for a VIN in either case', async () => {
    const { service, body } = await started();
    const vin = service.vins[0] ?? '';
    const flags = { preowners: '1', upgrades: '1' };
    const raw = anything.parse(await body('/drivesim/carinfo', { vin: vin.toLowerCase(), ...flags }));
    expectFields(raw, fields.vehicle);
    for (const preowner of rows.min(1).parse(raw['preOwners'])) {
      expectFields(preowner, fields.preowner);
      expect(preowner['buyerId']).toEqual(expect.any(String));
    }
    for (const upgrade of rows.min(1).parse(raw['upgrades'])) expectFields(upgrade, fields.upgrade);
    expect(Car.parse(raw)).toMatchObject({ vin, preOwnerCount: rows.parse(raw['preOwners']).length });
    const bare = fields.vehicle.replace(' preOwners upgrades', '');
    expectFields(await body('/drivesim/carinfo', { vin }), bare);
  });

  test('getopts is a flat object of text, and empty for who changed nothing', async () => {
    const { service, body } = await started();
    const raw = await body('/drivesim/profile/getopts', { username: service.drivers[0] ?? '' });
    expect(Object.keys(z.record(z.string(), z.string()).parse(raw))).toHaveLength(14);
    expect(Options.parse(raw)).toHaveLength(14);
    expect(await body('/drivesim/profile/getopts', { username: 'newbie2026' })).toEqual({});
  });

  test('live/status answers for all servers and for each by its name', async () => {
    const { body } = await started();
    const names = ['one', 'two', 'three', 'events', 'training'];
    const all = anything.parse(await body('/drivesim/live/status', { server: 'all' }));
    expectFields(all, names.join(' '));
    expect(Overview.parse(all).map(({ name }) => name)).toEqual(names);
    for (const server of names) {
      const single = await body('/drivesim/live/status', { server });
      expectFields(single, fields.overview);
      expect(single).toEqual(all[server]);
    }
  });

  test('chat_status has the shape of a guild widget, channels unsorted, invite null', async () => {
    const { body } = await started();
    const raw = anything.parse(await body('/chat_status'));
    expectFields(raw, fields.chat);
    const channels = rows.parse(raw['channels']);
    for (const channel of channels) expectFields(channel, fields.channel);
    const positions = channels.map(({ position }) => Number(position));
    expect(positions).not.toEqual(positions.toSorted((a, b) => a - b));
    const members = rows.min(10).max(100).parse(raw['members']);
    for (const member of members) expectFields(member, fields.member);
    expect(new Set(members.map(({ status }) => status))).toEqual(new Set(['online', 'idle', 'dnd']));
    expect(raw['instant_invite']).toBeNull();
    expect(ChatStatus.parse(raw).members).toHaveLength(members.length);
  });

  test('stats/online counts who is online', async () => {
    const { body } = await started();
    const { online } = z.object({ online: z.int() }).parse(await body('/drivesim/stats/online'));
    expect(online).toBeGreaterThan(0);
  });
});

describe('the live files', () => {
  test('need no key, carry no limit, and have exactly the fields of the interface', async () => {
    const { service, ask } = await started();
    service.advance(3 * 3600);
    let players = 0;
    for (const [name, label] of Object.entries({ one: 'One', two: 'Two', three: 'Three', four: 'Four' })) {
      const response = await ask(`/json/status_${name}.json`, {}, null);
      expect(response.headers.has('x-ratelimit-limit')).toBe(false);
      const raw = anything.parse(await response.json());
      expectFields(raw, fields.live);
      expect(raw).toMatchObject({ server: label, time: START / 1000 });
      for (const [plid, player] of Object.entries(anything.parse(raw['players']))) {
        expect(plid).toMatch(/^[1-9]\d*$/);
        expectFields(player, fields.player);
        expect(Object.values(anything.parse(player)).every((value) => typeof value === 'boolean')).toBe(true);
        players += 1;
      }
      expect(LiveStatus.parse(raw)).toMatchObject({ server: label, time: START });
    }
    expect(players).toBeGreaterThan(5);
  });

  test('change with the clock, once a second', async () => {
    const { body, pass } = await started();
    const time = async () => LiveStatus.parse(await body('/json/status_one.json')).time;
    pass(0.7);
    expect(await time()).toBe(START);
    pass(0.3);
    expect(await time()).toBe(START + 1000);
  });

  test('list as many players as the overview counts guests', async () => {
    const { body, pass } = await started();
    for (let minute = 0; minute < 30; minute += 1) {
      pass(60);
      const live = LiveStatus.parse(await body('/json/status_two.json'));
      expect(await body('/drivesim/live/status', { server: 'two' })).toMatchObject({
        guests: live.players.length,
      });
    }
  });
});

describe('HTTP', () => {
  test("keeps connections open, and states the body's length and its own time", async () => {
    const { service } = await started();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const connections = new Set<unknown>();
    const fetched = () =>
      new Promise<{ response: IncomingMessage; length: number }>((resolve, reject) => {
        httpGet(`${service.url}/json/status_one.json`, { agent }, (response) => {
          connections.add(response.socket);
          let length = 0;
          response.on('data', (chunk: Buffer) => {
            length += chunk.length;
          });
          response.on('end', () => resolve({ response, length }));
        }).on('error', reject);
      });
    const first = await fetched();
    await fetched();
    expect(connections.size).toBe(1);
    expect(first.response.httpVersion).toBe('1.1');
    expect(first.response.headers['content-length']).toBe(String(first.length));
    expect(first.response.headers.date).toBe(new Date(START).toUTCString());
  });

  test('another method is refused, and another address is a web page', async () => {
    const { service, ask } = await started();
    const posted = await fetch(`${service.url}${profileOf}?key=${service.key}`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    const elsewhere = await ask('/robots.txt');
    expect([elsewhere.status, elsewhere.headers.get('content-type')]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
  });

  test('requests are noted in their order, without the key', async () => {
    const { service, ask } = await started();
    await ask(profileOf, { username: 'hoarder', cars: '1' });
    await ask('/json/status_one.json', {}, null);
    expect(service.requests).toEqual([
      { path: profileOf, query: { username: 'hoarder', cars: '1' }, status: 200, at: START },
      { path: '/json/status_one.json', query: {}, status: 200, at: START },
    ]);
  });
});
