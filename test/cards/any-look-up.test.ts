import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareCard } from '../../commands/drivers/cards/compare-card.ts';
import { garageCard } from '../../commands/drivers/cards/garage-card.ts';
import { optionsCard } from '../../commands/drivers/cards/options-card.ts';
import { profileCard } from '../../commands/drivers/cards/profile-card.ts';
import { dutyCard } from '../../commands/servers/cards/duty-card.ts';
import { slotsCard } from '../../commands/servers/cards/slots-card.ts';
import { languages } from '../../src/base/languages.ts';
import { orders } from '../../src/cards/car/garage-page.ts';
import { MAX_TEXT_LENGTH } from '../../src/service/models/leaves.ts';
import { LiveStatus } from '../../src/service/models/live-status.ts';
import { Options } from '../../src/service/models/options.ts';
import { Overview } from '../../src/service/models/overview.ts';
import { tableOf } from '../support/card-text.ts';
import { breaches } from '../support/embed-limits.ts';
import { longNames } from '../support/hostile-names.ts';
import { strayMarkup } from '../support/markup.ts';
import { answer, driver, driverJson, NOON } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';
import { inGameText } from '../text/in-game.ts';

const translatorFor = createTranslators();
const _t = translatorFor('en-GB');
type Card = ReturnType<typeof garageCard>;

function expectSound(card: Card): void {
  expect(breaches(card)).toEqual([]);
  expect(strayMarkup(card.embeds[0])).toEqual([]);
  expect(JSON.stringify(card.embeds)).not.toMatch(/\b(null|NaN|undefined|Infinity)\b|\[object|Invalid Date/);
}

const everyRole = Object.fromEntries(
  ['', '_civil', '_cop', '_tow', '_chasing', '_chased', '_offroad', '_sos'].flatMap((role) => [
    [`driven_distance${role}`, 123_456_789],
    [`gaming_time_${role === '' ? 'total' : role.slice(1)}`, 234_567],
  ]),
);
const money = `sent_money received_money earned_refunds paid_for_renting received_fines paid_fines paid_radar_fines
  driving_money_plus driving_money_minus paid_donation received_donation paid_compensation received_compensation`;
const everyFigure = {
  ...everyRole,
  ...Object.fromEntries(money.split(/\s+/).map((name) => [name, 1_234_567])),
};
const everyState = [
  { name: 'Race', revoked: false, validUntil: NOON / 1000 + 3600 },
  { name: 'Car', revoked: false },
  { name: 'Tow', suspended: true, suspendedUntil: NOON / 1000 + 3600 },
  { name: 'Bus', expired: true },
  { name: 'Taxi', revoked: true },
  { name: 'Van' },
];

test.each(languages)('in %s, tables have whole labels and the width of a phone', (language) => {
  const of = translatorFor(language);
  const other = answer(driver({ username: 'mad_max', cars: [] }));
  for (const card of [
    compareCard(answer(driver()), other, of),
    garageCard(answer(driver()), { order: 'condition', page: 0 }, of),
    ...(['record', 'licences', 'properties'] as const).map((view) =>
      profileCard(answer(driver({ stats: everyFigure, licenses: everyState })), view, of),
    ),
  ]) {
    const lines = tableOf(card);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      // A long name of a car is cut.
      expect(line.replace(/^UF 1000 \(X.*?…/, '')).not.toContain('…');
      expect(line.length, line).toBeLessThanOrEqual(32);
    }
  }
});

// ── Whatever may come ───────────────────────────────────────────────────────────────────────────────

/** All languages of the bot, and two with other figures. */
const locales = [...languages, 'ja', 'ar'];
const absurd = fc.constantFrom(1.7e308, -1.7e308, 5e-324, -0, 1e15, 999_999_999_999_999, null, '12', 'x', 7);
const name = fc
  .oneof(inGameText, fc.constantFrom(...Object.values(longNames), '', '```', '__proto__'))
  .map((text) => text.slice(0, MAX_TEXT_LENGTH));
const anyCar = fc.record({
  vin: fc.oneof(name, fc.stringMatching(/^[A-Z0-9]{5}$/)),
  type: fc.oneof(name, fc.constantFrom('XRT', 'UF1.XMAS', 'A1B2C3', null)),
  odometerKm: absurd,
  condition: absurd,
  damage: absurd,
  upgrades: fc.constantFrom(
    null,
    [],
    [
      { type: 'winch', value: 1.7e308 },
      { type: 'ramp', value: 1.7e308 },
    ],
  ),
});
const anyDriver = fc.record({
  username: fc.constantFrom('k3nny', '|'.repeat(64), 'Zoë *B*', '^1'),
  nickname: name,
  money: absurd,
  stats: fc.record(Object.fromEntries(Object.keys(driverJson.stats).map((key) => [key, absurd]))),
  cars: fc.oneof(fc.array(anyCar, { maxLength: 40 }), fc.constantFrom(null, {}, 'x')),
});

describe('whatever the service sends of', () => {
  test('garages, every order and page is a message that Discord accepts', () => {
    fc.assert(
      fc.property(
        anyDriver,
        fc.constantFrom(...locales),
        fc.constantFrom(...orders),
        fc.nat(3),
        (json, locale, order, page) => {
          expectSound(
            garageCard(answer(driver(json), 'unavailable'), { order, page }, translatorFor(locale)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test('two drivers, the comparison is a message that Discord accepts', () => {
    fc.assert(
      fc.property(anyDriver, anyDriver, fc.constantFrom(...locales), (a, b, locale) => {
        expectSound(
          compareCard(
            answer(driver(a), 'unavailable'),
            answer(driver(b), 'unavailable'),
            translatorFor(locale),
          ),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('options, the card is a message that Discord accepts', () => {
    const option = fc.oneof(name, fc.constantFrom('mph', 'loccol', 'theme', 'pri_uf1_cop'));
    fc.assert(
      fc.property(
        fc.dictionary(option, name, { maxKeys: 60 }),
        fc.constantFrom(...locales),
        (json, locale) => {
          expectSound(
            optionsCard(
              { username: 'k3nny', nickname: null },
              answer(Options.parse(json), 'unavailable'),
              translatorFor(locale),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  test('servers, free slots and duty are messages that Discord accepts', () => {
    const server = fc.record({ online: fc.boolean(), guests: absurd, maxGuests: absurd, trackName: name });
    const player = fc.record({
      cop: fc.constantFrom(true, false, null),
      med: fc.constantFrom(true, null),
      un: name,
      nn: name,
    });
    fc.assert(
      fc.property(
        fc.dictionary(name, server, { maxKeys: 30 }),
        fc.dictionary(fc.string(), player, { maxKeys: 60 }),
        fc.constantFrom(...locales),
        (overview, ps, locale) => {
          expectSound(slotsCard(answer(Overview.parse(overview), 'unavailable'), [], translatorFor(locale)));
          const file = answer(LiveStatus.parse({ ps, t: NOON }));
          expectSound(
            dutyCard(
              { one: file, two: { fault: 'unavailable' }, three: file, four: file },
              NOON,
              translatorFor(locale),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
