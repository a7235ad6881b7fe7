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

const december = Date.UTC(2026, 11, 1);
const of = (language: string) => zonedFormats(language, 'UTC');
const plain = (text: string): string => text.replaceAll(/[\u2009\u00a0\u202f]/g, ' ');

test.each([
  ['the first of a month in French', of('fr').longDay(december), 'mardi 1er décembre'],
  ['and in Portuguese', of('pt-BR').longDay(december), 'terça-feira, 1º de dezembro'],
  ['a Russian month without the word for a year', of('ru').month(december), 'декабрь 2026'],
  ['a date in a German sentence', of('de').date(december), '1. Dez. 2026'],
  ['and in a table', of('de').tableDate(december), '1. Dez 2026'],
  ['hours of one half of the day', of('en-US').hours(20, 21), '8:00 – 9:00 PM'],
  ['the last hour of a day', of('en-GB').hours(23, 24), '23:00–00:00'],
])('writes %s', (_what, written, expected) => expect(plain(written)).toBe(expected));

test('bounds the time zones in memory: each takes a quarter of a megabyte', () => {
  const [first = '', ...others] = zoneNames().slice(0, 100);
  const kept = zonedFormats('en-GB', first);
  expect(zonedFormats('en-GB', first)).toBe(kept);
  for (const zone of others) zonedFormats('en-GB', zone);
  expect(zonedFormats('en-GB', first)).not.toBe(kept);
});
