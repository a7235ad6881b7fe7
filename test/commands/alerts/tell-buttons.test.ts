/** *Tell me* below cards: each sets the alert that `/watch` would set, once, says so privately and can be taken back. */
import { expect, test } from 'vitest';
import watch from '../../../commands/alerts/watch.ts';
import car from '../../../commands/cars/car.ts';
import profile from '../../../commands/drivers/profile.ts';
import seen from '../../../commands/drivers/seen.ts';
import uptime from '../../../commands/history/uptime.ts';
import duty from '../../../commands/servers/duty.ts';
import live from '../../../commands/servers/live.ts';
import slots from '../../../commands/servers/slots.ts';
import { readCustomId } from '../../../src/cards/kit/custom-id.ts';
import { dutyRows } from '../../../src/cards/kit/tell-buttons.ts';
import type { Context } from '../../../src/command-kit/context.ts';
import type { Reply } from '../../../src/command-kit/reply.ts';
import { noFacts } from '../../../src/service/models/facts.ts';
import { contextOf } from '../../support/context.ts';
import { noHistory } from '../../support/no-history.ts';
import { press } from '../../support/press.ts';
import { controls, rowsOf } from '../../support/readable.ts';
import {
  carJson,
  driverJson,
  liveJson,
  NOON,
  overviewJson,
  servers,
  serviceOf,
} from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const known = { startKnown: true, endKnown: true, duty: null };
const session = { server: 'one', from: 1, to: 2, played: 1, ...known } as const;

const usual = { profile: driverJson, car: carJson, overview: overviewJson, live: liveJson() };

function contextWith(bodies: Readonly<Record<string, unknown>>): Context {
  const { overview } = { ...usual, ...bodies };
  const { history, hidden } = noHistory;
  const past = {
    driver: 'k3nny',
    current: null,
    sessions: [session],
    since: 1,
    until: 2,
    holes: [],
  };
  return contextOf({
    service: serviceOf({ ...usual, ...bodies }),
    poll: { facts: { ...noFacts, overview: { record: servers(overview), asOf: NOON } } },
    hidden,
    history: { ...history, driver: async () => past },
  });
}

const stepsBelow = (reply: Reply) =>
  controls(reply).filter(({ customId }) => /^1:(?:watch|slots):tell:/.test(customId));

const away = { profile: { ...driverJson, isOnline: false } };
const full = {
  overview: { one: { ...overviewJson.one, guests: 1, maxGuests: 1 } },
  live: liveJson({ 1: {} }),
};
const freeSlot = { kind: 'server', server: 'one', free: 1, drivers: null };
const notForSale = { car: { ...carJson, marketPrice: 0, isOnMarket: false } };
type Ask = (context: Context) => Promise<Reply>;

const cards: readonly (readonly [string, object, Ask, readonly unknown[]])[] = [
  [
    'a driver who is away',
    away,
    (context) => profile.run({ player: 'k3nny', picture: null }, context),
    [{ kind: 'driver', player: 'k3nny' }],
  ],
  [
    'the visits of a driver who is away',
    away,
    (context) => seen.run({ player: 'k3nny' }, context),
    [{ kind: 'driver', player: 'k3nny' }],
  ],
  [
    'a car that is not for sale',
    notForSale,
    (context) => car.run({ vin: 'AB12C' }, context),
    [{ kind: 'car', vin: 'AB12C', below: null }],
  ],
  [
    'duty with nobody',
    { live: liveJson({ 1: {} }) },
    (context) => duty.run({}, context),
    ['police', 'medic', 'tow', 'chase'].map((each) => ({ kind: 'duty', duty: each, atLeast: 1 })),
  ],
  ['the slots of a full server', full, (context) => slots.run({}, context), [freeSlot]],
  ['a full server', full, (context) => live.run({ server: 'one' }, context), [freeSlot]],
  [
    'the uptime of a server',
    {},
    (context) => uptime.run({ server: 'one', span: null }, context),
    [{ kind: 'outage', server: 'one', goes: 'both', after: 5 }],
  ],
  [
    'the uptime of the data service',
    {},
    (context) => uptime.run({ server: 'service', span: null }, context),
    [{ kind: 'outage', server: null, goes: 'both', after: 5 }],
  ],
];

test.each(cards)('below %s', async (_what, bodies, ask, conditions) => {
  const context = contextWith({ ...bodies });
  const { alerts } = context.features;
  const steps = stepsBelow(await ask(context));
  expect(steps).toHaveLength(conditions.length);
  for (const [index, { customId }] of steps.entries()) {
    const { command, action = '', subject = '' } = readCustomId(customId) ?? {};
    const tell = () => press(command === 'slots' ? slots : watch, { action, subject }, context);
    // Pressed twice, it is one alert.
    for (const made of [await tell(), await tell()])
      expect([made.ephemeral, made.content]).toEqual([
        true,
        expect.stringMatching(/^🔔 (?:Alert set: |I'll )/),
      ]);
    const made = await tell();
    const { own } = await alerts.list(context.person);
    expect(own.map(({ condition }) => condition)).toEqual([conditions[index]]);

    const remove = readCustomId(controls(made).find(({ label }) => label === 'Remove')?.customId ?? '');
    await press(watch, { action: remove?.action ?? '', subject: remove?.subject ?? '' }, context);
    expect((await alerts.list(context.person)).own).toEqual([]);
  }
});

const others: readonly (readonly [string, object, Ask])[] = [
  [
    'a driver who is on a server',
    { profile: { ...driverJson, isOnline: true } },
    (context) => profile.run({ player: 'k3nny', picture: null }, context),
  ],
  ['a car that is for sale', {}, (context) => car.run({ vin: 'AB12C' }, context)],
  ['duty with somebody', { live: liveJson({ 1: { cop: true } }) }, (context) => duty.run({}, context)],
];

test.each(others)('not below %s', async (_what, bodies, ask) => {
  expect(stepsBelow(await ask(contextWith({ ...bodies })))).toEqual([]);
});

test('there is one for each kind of duty, with the id that old messages have', () => {
  const rows = dutyRows(createTranslators()('en-GB'));
  expect(
    rowsOf({ components: rows }).flatMap(({ components }) => components.map((each) => each.custom_id)),
  ).toEqual([
    '1:watch:tell:duty police',
    '1:watch:tell:duty medic',
    '1:watch:tell:duty tow',
    '1:watch:tell:duty chase',
  ]);
});
