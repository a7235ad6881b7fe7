import { expect, test } from 'vitest';
import { readWhen } from '../../../../commands/convoys/models/when.ts';
import { DAY, HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { languages } from '../../../../src/base/languages.ts';
import { createTranslators } from '../../../support/translators.ts';

/** A Monday, 12:30 in Berlin. */
const NOW = Date.parse('2026-11-23T11:30:00Z');
const [BERLIN, NEW_YORK, KOLKATA] = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

function read(text: string, locale: string, zone: string, now = NOW): string {
  const found = readWhen(text, { locale, zone, now });
  return 'at' in found ? new Date(found.at).toISOString().slice(0, 16) : found.problem;
}

test.each([
  ['en-GB', 'Friday at 8:30 p.m.', BERLIN, '2026-11-27T19:30'],
  ['en-GB', '8pm friday', NEW_YORK, '2026-11-28T01:00'],
  ['en-GB', 'today 20:00', KOLKATA, '2026-11-23T14:30'],
  ['en-GB', '20:00', KOLKATA, '2026-11-23T14:30'],
  ['en-US', '28.11. 20:00', BERLIN, '2026-11-28T19:00'],
  ['en-US', 'November 28, 8 PM', NEW_YORK, '2026-11-29T01:00'],
  ['en-GB', '28 November 20:00', KOLKATA, '2026-11-28T14:30'],
  ['en-GB', 'Sat, 28 Nov 20:00', BERLIN, '2026-11-28T19:00'],
  ['en-GB', 'in 2 h', BERLIN, '2026-11-23T13:30'],
  ['en-GB', 'in 2 hours', KOLKATA, '2026-11-23T13:30'],
  ['en-GB', 'in 90 min', NEW_YORK, '2026-11-23T13:00'],
  ['en-GB', '<t:1795806000:F>', BERLIN, '2026-11-27T19:00'],
  ['en-GB', 'monday 20:00', BERLIN, '2026-11-23T19:00'],
  ['en-GB', 'monday 10:00', BERLIN, '2026-11-30T09:00'],
  ['de', 'morgen 20:15', BERLIN, '2026-11-24T19:15'],
  ['de', 'heute 20 Uhr', BERLIN, '2026-11-23T19:00'],
  ['de', '28.11.2026 20:00', KOLKATA, '2026-11-28T14:30'],
  ['de', 'in 2 Stunden', BERLIN, '2026-11-23T13:30'],
  ['de', 'tomorrow 8pm', BERLIN, '2026-11-24T19:00'],
  ['tr', '2 saat sonra', BERLIN, '2026-11-23T13:30'],
  ['pl', 'sobota 20:00', BERLIN, '2026-11-28T19:00'],
  ['pl', 'pojutrze 20:00', BERLIN, '2026-11-25T19:00'],
  ['pl', 'za 2 godziny', BERLIN, '2026-11-23T13:30'],
  ['fr', 'demain à 20h30', BERLIN, '2026-11-24T19:30'],
  ['de', 'morgen 20.30', BERLIN, '2026-11-24T19:30'],
  ['en-GB', '20.45', BERLIN, '2026-11-23T19:45'],
  ['fr', 'dans 2 heures', BERLIN, '2026-11-23T13:30'],
  ['fr', '28/11 20h00', KOLKATA, '2026-11-28T14:30'],
  ['nl', 'over 2 uur', BERLIN, '2026-11-23T13:30'],
  ['es-ES', 'dentro de 2 horas', BERLIN, '2026-11-23T13:30'],
  ['pt-BR', 'em 2 horas', BERLIN, '2026-11-23T13:30'],
  ['it', 'tra 2 ore', BERLIN, '2026-11-23T13:30'],
  ['ru', 'через 2 часа', BERLIN, '2026-11-23T13:30'],
] as const)('%s: "%s" in %s is %s', (locale, text, zone, at) => {
  expect(read(text, locale, zone)).toBe(at);
});

test.each([
  // "20 h" is a time of day. Other words for hours are none that `Intl` writes behind a clock reading.
  ['fr', '20h', '2026-11-23T19:00'],
  ['fr', '20 h', '2026-11-23T19:00'],
  ['fr', '20 h 30', '2026-11-23T19:30'],
  ['fr', '13h', '2026-11-23T12:00'],
  ['fr', '0h', 'past'],
  ['fr', '8h', 'past'],
  ['fr', '8 h', 'past'],
  ['fr', 'demain 8h', '2026-11-24T07:00'],
  ['fr', 'demain à 8 h 15', '2026-11-24T07:15'],
  ['fr', '24h', 'unread'],
  ['fr', '20h 28 novembre', '2026-11-28T19:00'],
  ['fr', '20h 28/11', '2026-11-28T19:00'],
  ['fr', 'dans 20 h', '2026-11-24T07:30'],
  ['fr', '+20 h', '2026-11-24T07:30'],
  ['fr', '+2h', '2026-11-23T13:30'],
  ['ru', '20 ч', 'unread'],
  ['ru', '20ч', 'unread'],
  ['ru', '8 ч', 'unread'],
  ['ru', 'завтра 8 ч', 'unread'],
  ['ru', 'в 20 ч', 'unread'],
  ['ru', 'через 20 ч', '2026-11-24T07:30'],
  ['ru', '+20 ч', '2026-11-24T07:30'],
  ['it', '20h', '2026-11-23T19:00'],
  ['it', 'domani 8h', '2026-11-24T07:00'],
  ['it', 'tra 20 h', '2026-11-24T07:30'],
  ['it', '2 g', 'unread'],
  ['es-ES', '20h', '2026-11-23T19:00'],
  ['es-ES', '20 h', '2026-11-23T19:00'],
  ['es-ES', 'mañana 8 h', '2026-11-24T07:00'],
  ['es-ES', 'dentro de 20 h', '2026-11-24T07:30'],
  ['es-419', '20 h', '2026-11-23T19:00'],
  ['pt-BR', '20h', '2026-11-23T19:00'],
  ['pt-BR', 'amanhã às 8h', '2026-11-24T07:00'],
  ['pt-BR', 'em 20 h', '2026-11-24T07:30'],
  ['de', '20h', '2026-11-23T19:00'],
  ['de', 'in 20 Std.', '2026-11-24T07:30'],
  ['nl', '20h', '2026-11-23T19:00'],
  ['nl', 'over 20 uur', '2026-11-24T07:30'],
  ['nl', '20 uur', 'unread'],
  ['pl', '20 g', 'unread'],
  ['pl', 'za 20 g', '2026-11-24T07:30'],
  ['tr', 'saat 20', 'unread'],
  ['tr', '20 sa', 'unread'],
  ['tr', '20 sa. sonra', '2026-11-24T07:30'],
  ['en-US', '20h', '2026-11-23T19:00'],
  ['en-US', '8h', 'ambiguous'],
  ['en-US', 'in 8h', '2026-11-23T19:30'],
] as const)('%s: "%s" is a time of day or a span by its words: %s', (locale, text, said) => {
  expect(read(text, locale, BERLIN)).toBe(said);
});

test.each(languages)('a span is understood as each style writes it: %s', (locale) => {
  for (const style of ['long', 'short', 'narrow'] as const)
    for (const [unit, ms] of Object.entries({ minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY }))
      for (const count of [1, 2, 5, 11]) {
        const text = new Intl.RelativeTimeFormat(locale, { style }).format(
          count,
          unit as Intl.RelativeTimeFormatUnit,
        );
        const found = readWhen(text, { locale, zone: BERLIN, now: NOW });
        expect([text, found]).toEqual([text, { at: NOW + count * ms, isZoned: false }]);
      }
});

test.each(languages)('minutes alone are a span, hours, days and weeks alone are none: %s', (locale) => {
  for (const unitDisplay of ['long', 'short'] as const)
    for (const [unit, ...allowed] of [
      ['minute', '2026-11-23T11:50'],
      // Berlin's clocks show a full hour then, unless it is a span.
      ['hour', 'unread', '2026-11-23T19:00'],
      ['day', 'unread'],
      ['week', 'unread'],
    ] as const) {
      const text = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(20);
      expect(allowed, text).toContain(read(text, locale, BERLIN));
    }
});

test.each([
  ['fri 25:00', 'unread'],
  ['31.02. 20:00', 'unread'],
  ['2026-11-31T20:00Z', 'unread'],
  ['2026-11-31T20:00', 'unread'],
  ['2026-11-31 20:00', 'unread'],
  ['fri 20:60', 'unread'],
  ['fri 8', 'ambiguous'],
  ['fri', 'unread'],
  ['', 'unread'],
  ['next friday 20:00', 'unread'],
  ['next friday or so 20:00', 'unread'],
  ['tonight at 9', 'unread'],
  ['in an hour', 'unread'],
  ['in 1 h 30 min', 'unread'],
  ['90 min', '2026-11-23T13:00'],
  ['fri 20:00 or sat 20:00', 'unread'],
  ['28.11. 20:00 22:00', 'unread'],
  ['20.12', 'unread'],
  ['sun 28.11. 20:00', 'unread'],
  ['Sunday, 28 November 20:00', 'unread'],
  ['13pm', 'unread'],
  ['in 2 h 20:00', 'unread'],
  ['in 0 h', 'unread'],
  ['in 9999999999 hours', 'unread'],
  ['20:00 zulu', 'unread'],
  ['10:00', 'past'],
  ['22.11.2026 20:00', 'past'],
  ['<t:1:F>', 'past'],
  ['28.03.2027 20:00', 'too-far'],
  ['22.11. 20:00', 'too-far'],
  ['in 90 days', '2027-02-21T11:30'],
  ['a'.repeat(60), 'unread'],
] as const)('"%s" is %s', (text, problem) => {
  expect(read(text, 'en-GB', BERLIN)).toBe(problem);
});

test.each([
  [
    'a wall time that summer time leaves out',
    'en-GB',
    '28.03.2027 2:30',
    BERLIN,
    '2027-03-20T12:00Z',
    'skipped',
  ],
  ['the same in New York', 'en-US', '3/14/2027 2:30 am', NEW_YORK, '2027-03-10T12:00Z', 'skipped'],
  ['where clocks never change', 'en-GB', '28.03.2027 2:30', KOLKATA, '2027-03-20T12:00Z', '2027-03-27T21:00'],
  ['one that comes twice', 'en-GB', '25.10.2026 2:30', BERLIN, '2026-10-20T12:00Z', 'ambiguous'],
  ['the same in New York', 'en-US', '11/1/2026 1:30 am', NEW_YORK, '2026-10-30T12:00Z', 'ambiguous'],
  ['after the night', 'en-GB', 'sunday 20:00', BERLIN, '2026-10-23T12:00Z', '2026-10-25T19:00'],
] as const)('%s', (_what, locale, text, zone, now, said) => {
  expect(read(text, locale, zone, Date.parse(now))).toBe(said);
});

test.each([
  ['en-GB', 'tomorrow 8', ['2026-11-24T07:00', '2026-11-24T19:00']],
  ['en-GB', 'friday 12', ['2026-11-26T23:00', '2026-11-27T11:00']],
  ['de', 'Freitag um 8', ['2026-11-27T07:00', '2026-11-27T19:00']],
  // Eight in the morning is over by now.
  ['en-GB', '8', ['2026-11-23T19:00']],
  // The morning of today's weekday is a week ahead, behind its evening.
  ['en-GB', 'monday 8', ['2026-11-23T19:00', '2026-11-30T07:00']],
] as const)('%s: "%s" can mean %j', (locale, text, moments) => {
  const found = readWhen(text, { locale, zone: BERLIN, now: NOW });
  const meanings = 'meanings' in found ? found.meanings : [];
  expect(meanings.map((at) => new Date(at).toISOString().slice(0, 16))).toEqual(moments);
});

test('a time whose meanings are all over is past, and midnight has one meaning', () => {
  expect(read('today 8', 'en-GB', BERLIN, NOW + 9 * HOUR)).toBe('past');
  expect(read('tomorrow 0', 'en-GB', BERLIN)).toBe('2026-11-23T23:00');
});

test.each([
  ['2026-10-25 2:30', '2026-10-20T12:00Z', ['2026-10-25T00:30', '2026-10-25T01:30']],
  // The first of both is over.
  ['2026-10-25 2:30', '2026-10-25T00:40Z', ['2026-10-25T01:30']],
] as const)('"%s" after %s, when clocks are put back, can mean %j', (text, now, moments) => {
  const found = readWhen(text, { locale: 'en-GB', zone: BERLIN, now: Date.parse(now) });
  const meanings = 'meanings' in found ? found.meanings : [];
  expect(meanings.map((at) => new Date(at).toISOString().slice(0, 16))).toEqual(moments);
});

test.each(languages)('what people are told to type is read: %s', (locale) => {
  const t = createTranslators()(locale);
  const said = t('convoy.problem.unread', { when: 'WHEN' });
  const examples = [...said.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => (text === 'WHEN' ? [] : text));
  expect(examples).toHaveLength(2);
  for (const example of examples) {
    expect(t('convoy.options.timeHint')).toContain(example);
    expect(['2026-11-27T19:00', '2026-11-27T19:30'], example).toContain(
      read(`2026-11-27 ${example}`, locale, BERLIN),
    );
  }
  // Behind the colon stand the examples of what is typed with the command.
  const typed = t('convoy.options.when').split(/\s?: /)[1]?.split(', ') ?? [];
  expect(typed).toHaveLength(3);
  for (const example of typed)
    expect(['2026-11-27T19:00', '2026-11-24T19:00', '2026-11-23T13:30'], example).toContain(
      read(example, locale, BERLIN),
    );
});
