/** What people can make happen in the game, as the data service then tells it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Car } from '../../../src/service/models/car.ts';
import { LiveStatus } from '../../../src/service/models/live-status.ts';
import { Profile } from '../../../src/service/models/profile.ts';
import { everyFlag, started } from './started.ts';

const Slots = z.object({ guests: z.int(), maxGuests: z.int() });

async function slots({ body }: Awaited<ReturnType<typeof started>>, server: string) {
  const name = server.toLowerCase();
  const live = LiveStatus.parse(await body(`/json/status_${name}.json`));
  const overview = Slots.parse(await body('/drivesim/live/status', { server: name }));
  return { ...overview, driving: live.players.length };
}

test('a filled server has no free slot, and keeps its drivers as long as it says', async () => {
  const sandbox = await started();
  const filled = sandbox.service.fillServer();
  expect(filled).not.toBeNull();
  const { server = '', drivers = 0, minutes = 0 } = filled ?? {};
  const full = { guests: drivers, maxGuests: drivers, driving: drivers };
  expect(await slots(sandbox, server)).toEqual(full);
  sandbox.service.advance((minutes - 1) * 60);
  expect(await slots(sandbox, server)).toEqual(full);
  sandbox.service.advance(3600);
  expect(await slots(sandbox, server)).not.toEqual(full);
});

test('fills servers one by one until people run out, and nobody is on two', async () => {
  const sandbox = await started({ namedLiveFiles: true });
  const filled: string[] = [];
  for (let one = sandbox.service.fillServer(); one !== null; one = sandbox.service.fillServer())
    filled.push(one.server);
  expect(filled.length).toBeGreaterThan(0);
  expect(new Set(filled).size).toBe(filled.length);
  const files = await Promise.all(
    ['one', 'two', 'three', 'four'].map((name) => sandbox.body(`/json/status_${name}.json`)),
  );
  const names = files.flatMap((file) => LiveStatus.parse(file).players.map(({ username }) => username));
  expect(new Set(names).size).toBe(names.length);
});

test('a car that is put on sale can be bought at that price, and for less each time', async () => {
  const { service, body } = await started();
  const [vin = ''] = service.vins;
  const car = async () => Car.parse(await body('/drivesim/carinfo', { vin }));
  for (const _again of [1, 2]) {
    const before = (await car()).marketPrice;
    const offered = service.offerCar();
    expect(offered).toMatchObject({ vin, owner: (await car()).owner });
    expect(await car()).toMatchObject({ onMarket: true, marketPrice: offered?.price });
    if (before !== null && before > 0) expect(offered?.price).toBeLessThan(before);
  }
});

test('licences of the suggested driver expire one at a time until none is valid', async () => {
  const { service, body } = await started();
  const [username = ''] = service.drivers;
  const valid = async () => {
    const profile = Profile.parse(await body('/drivesim/profile/get', { ...everyFlag, username }));
    return (profile.licences ?? []).filter(({ expired }) => expired === false).length;
  };
  const before = await valid();
  const expired = service.expireLicence();
  expect(expired).toMatchObject({ driver: username });
  expect(await valid()).toBe(before - 1);
  let others = 0;
  while (service.expireLicence() !== null) others += 1;
  expect(others).toBeGreaterThan(1);
  expect(await valid()).toBeLessThan(before - others);
});

test('a driver who takes a name drives under it where everybody sees it', async () => {
  const { service, body } = await started({ namedLiveFiles: true });
  const onServers = async () => {
    const files = ['one', 'two', 'three', 'four'].map((name) => body(`/json/status_${name}.json`));
    return (await Promise.all(files)).map((file) => LiveStatus.parse(file));
  };
  for (const [index, driver] of service.drivers.entries()) {
    const name = `^1pw^7-${index}`;
    const facts = service.driveAs(driver.toUpperCase(), name);
    expect(facts).toMatchObject({ driver, name });
    service.advance(14 * 60);
    const there = (await onServers()).find(({ server }) => server === facts?.server);
    expect(there?.players.filter(({ username }) => username === driver)).toMatchObject([{ nickname: name }]);
    const { nickname } = Profile.parse(
      await body('/drivesim/profile/get', { ...everyFlag, username: driver }),
    );
    expect(nickname).toBe(name);
  }
  expect(service.driveAs('nobody at all', 'x')).toBeNull();
});
