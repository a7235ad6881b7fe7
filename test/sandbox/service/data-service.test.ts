import { describe, expect, onTestFinished, test } from 'vitest';
import { type DataServiceOptions, startDataService } from '../../../src/sandbox/service/data-service.ts';
import { Car, Profile } from '../../../src/service/models.ts';

const START = Date.UTC(2026, 2, 14, 15, 9, 26);

async function started(options: DataServiceOptions = {}) {
  const service = await startDataService({ now: () => START, ...options });
  onTestFinished(() => service.close());
  const ask = (path: string, query: Record<string, string> = {}, key: string | null = service.key) =>
    fetch(`${service.url}${path}?${new URLSearchParams({ ...(key === null ? {} : { key }), ...query })}`);
  return { service, ask };
}

const allFlags = { stats: '1', cars: '1', licenses: '1', upgrades: '1', properties: '1' };

describe('the keyed operations', () => {
  test('a profile with every flag is read by the model of the bot', async () => {
    const { service, ask } = await started();
    const [username = ''] = service.drivers;
    const response = await ask('/drivesim/profile/get', { username, ...allFlags });
    expect(response.status).toBe(200);
    const profile = Profile.parse(await response.json());
    expect(profile.username).toBe(username);
    expect(profile.cars?.length).toBe(40);
  });

  test('a car is found by its VIN in either case', async () => {
    const { service, ask } = await started();
    const [vin = ''] = service.vins;
    for (const spelt of [vin, vin.toLowerCase()]) {
      const response = await ask('/drivesim/carinfo', { vin: spelt, preowners: '1', upgrades: '1' });
      expect(Car.parse(await response.json()).vin).toBe(vin);
    }
  });
});

describe('faults', () => {
  test('down answers 503 with a web page', async () => {
    const { service, ask } = await started();
    service.setFault('down', true);
    const response = await ask('/drivesim/profile/get', { username: 'hoarder' });
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('<h1>');
  });
});
