/** Numbers, times and the nouns behind them, as they are written at home: whole, so that a native reader can check. */
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/base/languages.ts';
import { inTime } from '../../src/i18n/in-time.ts';
import { zonedFormats } from '../../src/i18n/zoned-formats.ts';
import { createTranslators } from '../support/translators.ts';

const translatorFor = createTranslators();

/** Intl separates thousands and units by spaces that do not break. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

/** The last of them is written rounded, and so is its noun. */
const counts = [0, 1, 2, 5, 11, 21, 22, 1_000_000, 1.5];

const free: Readonly<Record<string, readonly string[]>> = {
  'en-GB': [
    '**0 free slots** in total',
    '**1 free slot** in total',
    '**2 free slots** in total',
    '**5 free slots** in total',
    '**11 free slots** in total',
    '**21 free slots** in total',
    '**22 free slots** in total',
    '**1,000,000 free slots** in total',
    '**2 free slots** in total',
  ],
  de: [
    '**0 freie Plätze** insgesamt',
    '**1 freier Platz** insgesamt',
    '**2 freie Plätze** insgesamt',
    '**5 freie Plätze** insgesamt',
    '**11 freie Plätze** insgesamt',
    '**21 freie Plätze** insgesamt',
    '**22 freie Plätze** insgesamt',
    '**1.000.000 freie Plätze** insgesamt',
    '**2 freie Plätze** insgesamt',
  ],
  fr: [
    '**0 place libre** en tout',
    '**1 place libre** en tout',
    '**2 places libres** en tout',
    '**5 places libres** en tout',
    '**11 places libres** en tout',
    '**21 places libres** en tout',
    '**22 places libres** en tout',
    '**1 000 000 de places libres** en tout',
    '**2 places libres** en tout',
  ],
  nl: [
    '**0 vrije plekken** in totaal',
    '**1 vrije plek** in totaal',
    '**2 vrije plekken** in totaal',
    '**5 vrije plekken** in totaal',
    '**11 vrije plekken** in totaal',
    '**21 vrije plekken** in totaal',
    '**22 vrije plekken** in totaal',
    '**1.000.000 vrije plekken** in totaal',
    '**2 vrije plekken** in totaal',
  ],
  'es-ES': [
    '**0 plazas libres** en total',
    '**1 plaza libre** en total',
    '**2 plazas libres** en total',
    '**5 plazas libres** en total',
    '**11 plazas libres** en total',
    '**21 plazas libres** en total',
    '**22 plazas libres** en total',
    '**1.000.000 de plazas libres** en total',
    '**2 plazas libres** en total',
  ],
  'es-419': [
    '**0 cupos libres** en total',
    '**1 cupo libre** en total',
    '**2 cupos libres** en total',
    '**5 cupos libres** en total',
    '**11 cupos libres** en total',
    '**21 cupos libres** en total',
    '**22 cupos libres** en total',
    '**1,000,000 de cupos libres** en total',
    '**2 cupos libres** en total',
  ],
  'pt-BR': [
    '**0 vaga** no total',
    '**1 vaga** no total',
    '**2 vagas** no total',
    '**5 vagas** no total',
    '**11 vagas** no total',
    '**21 vagas** no total',
    '**22 vagas** no total',
    '**1.000.000 de vagas** no total',
    '**2 vagas** no total',
  ],
  it: [
    '**0 posti liberi** in totale',
    '**1 posto libero** in totale',
    '**2 posti liberi** in totale',
    '**5 posti liberi** in totale',
    '**11 posti liberi** in totale',
    '**21 posti liberi** in totale',
    '**22 posti liberi** in totale',
    '**1.000.000 di posti liberi** in totale',
    '**2 posti liberi** in totale',
  ],
  pl: [
    'Łącznie **0 wolnych miejsc**',
    'Łącznie **1 wolne miejsce**',
    'Łącznie **2 wolne miejsca**',
    'Łącznie **5 wolnych miejsc**',
    'Łącznie **11 wolnych miejsc**',
    'Łącznie **21 wolnych miejsc**',
    'Łącznie **22 wolne miejsca**',
    'Łącznie **1 000 000 wolnych miejsc**',
    'Łącznie **2 wolne miejsca**',
  ],
  ru: [
    'Всего **0 свободных мест**',
    'Всего **1 свободное место**',
    'Всего **2 свободных места**',
    'Всего **5 свободных мест**',
    'Всего **11 свободных мест**',
    'Всего **21 свободное место**',
    'Всего **22 свободных места**',
    'Всего **1 000 000 свободных мест**',
    'Всего **2 свободных места**',
  ],
  tr: [
    'Toplam **0 boş yer**',
    'Toplam **1 boş yer**',
    'Toplam **2 boş yer**',
    'Toplam **5 boş yer**',
    'Toplam **11 boş yer**',
    'Toplam **21 boş yer**',
    'Toplam **22 boş yer**',
    'Toplam **1.000.000 boş yer**',
    'Toplam **2 boş yer**',
  ],
};

describe.each(Object.entries(free))('in %s', (language, sentences) => {
  test('a count is followed by the right form of its noun', () => {
    const t = translatorFor(language);
    const written = counts.map((count) => plain(t('slots.free', { count })));
    expect(written).toEqual(sentences);
  });
});

/** A number, a part, a share, two distances, two durations, a moment, a long day, midnight, a wait, a country. */
const figures: Readonly<Record<string, readonly string[]>> = {
  'en-GB': [
    ...['1,234,567', '1.5', '72.5%'],
    ...['12.3 km', '123,457 km', '1 h 30', '9,000 h'],
    ...['Sat 21 Nov, 19:05', 'Saturday 21 November', '00:00', 'in 3 days', 'Germany'],
  ],
  'en-US': [
    ...['1,234,567', '1.5', '72.5%'],
    ...['12.3 km', '123,457 km', '1 h 30', '9,000 h'],
    ...['Sat, Nov 21, 7:05 PM', 'Saturday, November 21', '12:00 AM', 'in 3 days', 'Germany'],
  ],
  de: [
    ...['1.234.567', '1,5', '72,5 %'],
    ...['12,3 km', '123.457 km', '1 h 30 min', '9.000 h'],
    ...['Sa., 21. Nov., 19:05', 'Samstag, 21. November', '00:00', 'in 3 Tagen', 'Deutschland'],
  ],
  fr: [
    ...['1 234 567', '1,5', '72,5 %'],
    ...['12,3 km', '123 457 km', '1 h 30', '9 000 h'],
    ...['sam. 21 nov., 19:05', 'samedi 21 novembre', '00:00', 'dans 3 jours', 'Allemagne'],
  ],
  nl: [
    ...['1.234.567', '1,5', '72,5%'],
    ...['12,3 km', '123.457 km', '1 u 30 min', '9.000 uur'],
    ...['za 21 nov, 19:05', 'zaterdag 21 november', '00:00', 'over 3 dagen', 'Duitsland'],
  ],
  'es-ES': [
    ...['1.234.567', '1,5', '72,5 %'],
    ...['12,3 km', '123.457 km', '1 h 30 min', '9000 h'],
    ...['sáb, 21 nov, 19:05', 'sábado, 21 de noviembre', '0:00', 'dentro de 3 días', 'Alemania'],
  ],
  'es-419': [
    ...['1,234,567', '1.5', '72.5%'],
    ...['12.3 km', '123,457 km', '1 h 30 min', '9,000 h'],
    ...['sáb, 21 nov, 7:05 p.m.', 'sábado, 21 de noviembre', '12:00 a.m.', 'dentro de 3 días', 'Alemania'],
  ],
  'pt-BR': [
    ...['1.234.567', '1,5', '72,5%'],
    ...['12,3 km', '123.457 km', '1 h 30 min', '9.000 h'],
    ...['sáb., 21 de nov., 19:05', 'sábado, 21 de novembro', '00:00', 'em 3 dias', 'Alemanha'],
  ],
  it: [
    ...['1.234.567', '1,5', '72,5%'],
    ...['12,3 km', '123.457 km', '1 h 30 min', '9000 h'],
    ...['sab 21 nov, 19:05', 'sabato 21 novembre', '00:00', 'tra 3 giorni', 'Germania'],
  ],
  pl: [
    ...['1 234 567', '1,5', '72,5%'],
    ...['12,3 km', '123 457 km', '1 h 30 min', '9000 h'],
    ...['sob., 21 lis, 19:05', 'sobota, 21 listopada', '00:00', 'za 3 dni', 'Niemcy'],
  ],
  ru: [
    ...['1 234 567', '1,5', '72,5 %'],
    ...['12,3 км', '123 457 км', '1 ч 30 мин', '9 000 ч'],
    ...['сб, 21 нояб., 19:05', 'суббота, 21 ноября', '00:00', 'через 3 дня', 'Германия'],
  ],
  tr: [
    ...['1.234.567', '1,5', '%72,5'],
    ...['12,3 km', '123.457 km', '1 sa 30 dk', '9.000 sa'],
    ...['21 Kas Cmt 19:05', '21 Kasım Cumartesi', '00:00', '3 gün sonra', 'Almanya'],
  ],
};

describe.each(Object.entries(figures))('in %s', (language, expected) => {
  test('figures and times are written as at home', () => {
    const t = translatorFor(language);
    const { moment, longDay, hour } = zonedFormats(language, 'UTC');
    const at = Date.UTC(2026, 10, 21, 19, 5);
    const written = [
      ...[t.number(1_234_567), t.number(1.5, 1), t.percent(0.725, 1)],
      ...[t.distance(12_345), t.distance(123_456_789), t.duration(5400), t.duration(32_400_000)],
      ...[moment(at), longDay(at), hour(24), inTime(3 * 86_400_000, t), t.country('de') ?? ''],
    ];
    expect(written.map(plain)).toEqual(expected);
  });
});

test('every language that is served is among them', () => {
  for (const each of languages) {
    expect(Object.keys(figures)).toContain(each);
    // American English has the nouns of British English.
    if (each !== 'en-US') expect(Object.keys(free)).toContain(each);
  }
});
