import { describe, expect, test } from 'vitest';
import { START, started } from './started.ts';

const PATH = '/drivesim/stats/online';
const refusal = (errorMessage: string, errorCode = 403) => ({ errorCode, errorMessage });

function limits(response: Response) {
  return ['limit', 'remaining', 'reset'].map((name) => response.headers.get(`x-ratelimit-${name}`));
}

const endOfHour = String(Math.ceil(START / 3_600_000) * 3600);

describe('keys', () => {
  test('a client key has 720 requests in 3600 seconds, stated on every answer', async () => {
    const { ask } = await started();
    expect(limits(await ask(PATH))).toEqual(['720/3600', '719', endOfHour]);
    expect(limits(await ask('/drivesim/profile/get', { username: 'nobody at all' }))).toEqual([
      '720/3600',
      '718',
      endOfHour,
    ]);
    expect(limits(await ask('/drivesim/no/such'))).toEqual(['720/3600', '717', endOfHour]);
  });

  test('an IP-restricted key has a limit of its own, and works from its own address only', async () => {
    const { service, ask } = await started({ limits: { restricted: { requests: 50, windowSeconds: 60 } } });
    expect(limits(await ask(PATH, {}, service.restrictedKey))).toEqual([
      '50/60',
      '49',
      String(START / 1000 + 34),
    ]);
    const elsewhere = await ask(PATH, {}, service.elsewhereKey);
    expect(elsewhere.status).toBe(403);
    expect(await elsewhere.json()).toEqual(refusal('host not allowed'));
  });

  test('a missing and an unknown key are not authorised, whatever is asked', async () => {
    const { ask } = await started();
    for (const key of [null, '', 'nonsense']) {
      const response = await ask('/drivesim/profile/get', { username: 'hoarder' }, key);
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual(refusal('not authorised'));
      expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    }
  });
});

describe('the limit', () => {
  test('refuses what is over it with 403 until the window ends', async () => {
    const { ask, pass } = await started({ limits: { client: { requests: 2, windowSeconds: 60 } } });
    const statuses = async (times: number) => {
      const all: number[] = [];
      for (let time = 0; time < times; time += 1) all.push((await ask(PATH)).status);
      return all;
    };
    expect(await statuses(3)).toEqual([200, 200, 403]);
    const refused = await ask(PATH);
    expect(await refused.json()).toEqual(refusal('rate limit exceeded'));
    expect(limits(refused)).toEqual(['2/60', '0', String(START / 1000 + 34)]);
    pass(34);
    expect(await statuses(3)).toEqual([200, 200, 403]);
  });

  test('is counted by the model that was chosen', async () => {
    const { ask, pass } = await started({
      limits: { model: 'gcra', client: { requests: 2, windowSeconds: 60 } },
    });
    for (const expected of [200, 200, 403]) expect((await ask(PATH)).status).toBe(expected);
    pass(30);
    for (const expected of [200, 403]) expect((await ask(PATH)).status).toBe(expected);
  });

  test('does not touch the live files', async () => {
    const { ask } = await started({ limits: { client: { requests: 1, windowSeconds: 60 } } });
    await ask(PATH);
    expect((await ask(PATH)).status).toBe(403);
    expect((await ask('/json/status_one.json', {}, null)).status).toBe(200);
  });

  test('is not refilled when life passes faster than the clock', async () => {
    const { service, ask } = await started({ limits: { client: { requests: 1, windowSeconds: 60 } } });
    await ask(PATH);
    service.advance(3600);
    expect((await ask(PATH)).status).toBe(403);
  });
});

describe('what cannot be answered', () => {
  test.each([
    ['/drivesim/profile/get', { username: 'nobody at all' }, 404, 'Unknown user'],
    ['/drivesim/profile/getopts', { username: 'nobody at all' }, 404, 'Unknown user'],
    ['/drivesim/carinfo', { vin: '!!!!!' }, 404, 'Unknown car'],
    ['/drivesim/profile/get', {}, 400, 'bad request: username'],
    ['/drivesim/profile/get', { username: 'hoarder', stats: '2' }, 400, 'bad request: stats'],
    ['/drivesim/carinfo', { preowners: '1' }, 400, 'bad request: vin'],
    ['/drivesim/live/status', { server: 'five' }, 400, 'bad request: server'],
    ['/drivesim/profile/set', { username: 'hoarder' }, 501, 'not implemented'],
  ] as const)('%s %o is refused with %i', async (path, query, status, message) => {
    const { ask } = await started();
    const response = await ask(path, { ...query });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(refusal(message, status));
  });
});
