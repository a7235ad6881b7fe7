import { expect, test } from 'vitest';
import { presenceText } from '../../src/cards/servers/presence-text.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { overviewJson, servers } from '../support/records.ts';

const t = createTranslators()('en-GB');

test.each([
  [overviewJson, '50 of 96 driving'],
  [{ one: { online: true, guests: 3 } }, '3 driving'],
  [{ one: { online: true, guests: 3 }, two: { online: true, guests: 1, maxGuests: 2 } }, '4 driving'],
  [{ one: { online: true, guests: 0, maxGuests: 40 } }, '0 of 40 driving'],
  [{ one: { online: false, guests: 9, maxGuests: 40 } }, 'All servers are offline'],
  [{ one: { online: true } }, 'Driver count unknown'],
])('%j reads %s', (json, text) => {
  expect(presenceText(servers(json), t)).toBe(text);
});

test('a service that does not answer is told as that, never as nobody', () => {
  expect(presenceText(null, t)).toBe('The data service is down');
});
