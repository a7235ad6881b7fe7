import { expect, test } from 'vitest';
import { createWatchRequests } from '../../../../commands/alerts/models/watch-requests.ts';
import { MINUTE, SECOND } from '../../../../src/base/duration.ts';
import type { Access } from '../../../../src/cards/board/board.ts';
import { carJson, serviceOf, vehicle } from '../../../support/records.ts';
import { alertsInMemory } from '../support/alerts-in-memory.ts';
import { channelWatch, directWatch } from '../support/watches.ts';

const sale = { kind: 'car', vin: 'AB12C', below: null } as const;

function setUp() {
  const alerts = alertsInMemory();
  let access: Access = { kind: 'open' };
  const requests = createWatchRequests({
    ...{ watches: alerts.watches, unwatched: async () => alerts.hidden, access: () => access },
    outages: async () => [],
  });
  return { alerts, requests, may: (now: Access) => (access = now) };
}

test('the first sale of a car is reported even if the alert was set during an outage', async () => {
  const { alerts, requests } = setUp();
  const away = serviceOf(
    () => ({ ...carJson, vin: 'AB12C' }),
    () => ({ asOf: alerts.now() - MINUTE, stale: 'unavailable' }),
  );
  const { id: _, since: __, ...asked } = directWatch('aaaaaa', { condition: sale });
  expect((await requests.create(asked, away, alerts.now())).kind).toBe('created');
  const process = alerts.start();
  await alerts.pass(15 * SECOND, process);
  for (const _time of [1, 2, 3]) {
    process.observed({ kind: 'car', record: vehicle({ isOnMarket: true }) }, alerts.now());
    await alerts.pass(MINUTE, process);
  }
  expect(alerts.texts()).toEqual([expect.stringContaining('is for sale')]);
});

test('no alert is set where the bot may not write, nor on whom nobody may watch', async () => {
  const { alerts, requests, may } = setUp();
  const { id: _, since: __, ...there } = channelWatch('aaaaaa', { condition: sale });
  may({ kind: 'missing', rights: ['SendMessages', 'EmbedLinks'] });
  const service = serviceOf();
  expect(await requests.create(there, service, alerts.now())).toEqual({
    kind: 'missing',
    rights: ['SendMessages'],
  });
  may({ kind: 'missing', rights: ['EmbedLinks'] });
  expect((await requests.create(there, service, alerts.now())).kind).toBe('created');
  alerts.hidden.add('k3nny');
  const { id: ___, since: ____, ...driver } = directWatch('bbbbbb');
  expect(await requests.create(driver, service, alerts.now())).toMatchObject({ kind: 'forbidden' });
  expect(await alerts.watches.all()).toHaveLength(1);
});

test('nobody changes others’ alerts, nor those of a guild that they do not manage', async () => {
  const { alerts, requests } = setUp();
  await alerts.watching(
    directWatch('aaaaaa'),
    directWatch('bbbbbb', { person: '12' }),
    channelWatch('cccccc'),
  );
  const ids = ['aaaaaa', 'bbbbbb', 'cccccc'];
  const member = { id: '12', guildId: '1', mayManage: false };
  expect((await requests.snooze(ids, member, alerts.now())).map(({ id }) => id)).toEqual(['bbbbbb']);
  const elsewhere = { id: '13', guildId: '2', mayManage: true };
  expect(await requests.stop(ids, elsewhere)).toEqual([]);
  expect(await requests.list(member)).toMatchObject({ own: [{ id: 'bbbbbb' }], here: [] });
  const manager = { ...member, mayManage: true };
  expect((await requests.stop(ids, manager)).map(({ id }) => id)).toEqual(['bbbbbb', 'cccccc']);
  expect((await alerts.watches.all()).map(({ id }) => id)).toEqual(['aaaaaa']);
});
