/** The cards of a driver who has everything, on a phone: an answer is on the screen when it arrives. */
import { describe, expect } from 'vitest';
import type { ProfilePast } from '../../../src/cards/history/gains.ts';
import type { Card } from '../../../src/cards/kit/card.ts';
import { garageCard } from '../../../src/cards/profile/garage-card.ts';
import { profileCard } from '../../../src/cards/profile/profile-card.ts';
import { createTranslators } from '../../../src/i18n/translator.ts';
import { answer, driver, NOON } from '../../support/records.ts';
import { hasChromium } from '../../support/requirements.ts';
import { test } from './support/page-test.ts';

const t = createTranslators()('en-GB');
const PHONE = { width: 390, height: 844 };
/** Pixels of the line above an answer that says who used which command. */
const USED = 25;

const day = NOON / 1000;
const figures = `sent_money received_money earned_refunds paid_for_renting received_fines paid_fines paid_radar_fines
  driven_distance driving_money_plus driving_money_minus paid_donation received_donation paid_compensation
  received_compensation crashes chases_won_robber chases_lost_robber chases_won_cop chases_lost_cop outran_cops
  net_value gaming_time_total gaming_time_cop gaming_time_civil gaming_time_tow gaming_time_chasing
  gaming_time_chased driven_distance_cop driven_distance_civil driven_distance_tow driven_distance_offroad
  driven_distance_chasing driven_distance_chased driven_distance_sos cop_xp robber_xp rp_xp gumball_distance
  gumball_time winch_used ramps_placed sos_called sos_responded`;
const licences = [
  'Driving',
  'Heavy goods',
  'Race',
  'Taxi',
  'Administrator',
  'Medical service',
  'Police',
  'Tow',
];
const rich = driver({
  nickname: '^4[TC]^7 Old^1·^7Timer',
  adminLevel: 3,
  insimAdmin: true,
  stats: Object.fromEntries(
    figures.split(/\s+/).map((name) => [name, name.includes('distance') ? 123_456_789 : 234_567]),
  ),
  licenses: licences.map((name, index) => ({
    ...{ name: `${name} licence`, dateIssued: day - 9e7, issuedBy: index, validUntil: day + 9e7 },
    ...{ revoked: index === 7, suspended: index === 5, suspendedUntil: index === 5 ? day + 9e5 : 0 },
  })),
  properties: Array.from({ length: 6 }, () => ({ type: 'garage', condition: 0.5, value: 89_380 })),
  cars: Array.from({ length: 39 }, (_, index) => ({
    ...{ vin: `AB${100 + index}`, type: 'FBM', odometerKm: 53_947 + index, condition: 28 + index },
    upgrades: ['ramp', 'radar_warner', 'winch'].map((type) => ({ type, condition: 0.14, value: 1580 })),
  })),
});
const before = {
  driven_distance: 1,
  gaming_time_total: 1,
  chases_won_cop: 1,
  chases_won_robber: 1,
  money: 1,
};
const past: ProfilePast = {
  earlier: { at: NOON - 6e8, figures: before },
  best: { subject: 'chases', rank: 9, count: 57 },
};
const offers = ['AB100', 'AB101', 'AB102'].map((vin) => ({
  vin,
  model: 'XRT',
  at: NOON - 9e7,
  gone: null,
  price: 21_079,
}));
const shown = answer(rich);
const cards: readonly (readonly [name: string, most: number, card: Card])[] = [
  ['the overview', 600, profileCard(shown, 'overview', t, { past })],
  ['the record', 690, profileCard(shown, 'record', t)],
  ['the licences', 690, profileCard(shown, 'licences', t)],
  ['the money', 690, profileCard(shown, 'properties', t)],
  ['the garage', 690, garageCard(shown, { order: 'condition', page: 1 }, t, [])],
  ['a garage with three cars for sale', 690, garageCard(shown, { order: 'condition', page: 0 }, t, offers)],
];

describe.runIf(hasChromium)('On a phone', () => {
  test.for(cards)('%s takes at most %i pixels', async ([, most, card], { page, chat }) => {
    await page.setViewportSize(PHONE);
    chat.post({ embeds: [...card.embeds], components: [...card.components] });
    const item = page.getByRole('log').getByRole('listitem').last();
    await item.getByText('As of').waitFor();
    const height = (await item.boundingBox())?.height ?? 0;
    expect(height).toBeGreaterThan(300);
    expect(height + USED).toBeLessThanOrEqual(most);
  });
});
