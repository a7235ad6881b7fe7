import { expect, test } from 'vitest';
import { languages } from '../../src/base/languages.ts';
import { zoneNames } from '../../src/base/zone.ts';
import { zonedFormats } from '../../src/i18n/zoned-formats.ts';

test('every language has names for days and hours', () => {
  for (const language of languages) {
    const formats = zonedFormats(language, 'UTC');
    expect(formats.weekday(0, 'long')).not.toBe(formats.weekday(6, 'long'));
    expect(formats.hour(24)).toBe(formats.hour(0));
  }
  expect(zonedFormats('de', 'Europe/Berlin').moment(Date.parse('2026-11-21T20:05:00Z'))).toBe(
    'Sa., 21. Nov., 21:05',
  );
  expect(zonedFormats('en-US', 'America/New_York').time(Date.parse('2026-11-21T20:05:00Z'))).toMatch(
    /^3:05\sPM$/,
  );
});

test('bounds the time zones in memory: each takes a quarter of a megabyte', () => {
  const [first = '', ...others] = zoneNames().slice(0, 100);
  const kept = zonedFormats('en-GB', first);
  expect(zonedFormats('en-GB', first)).toBe(kept);
  for (const zone of others) zonedFormats('en-GB', zone);
  expect(zonedFormats('en-GB', first)).not.toBe(kept);
});
