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
    'One has 0 free slots right now. Be quick!',
    'One has 1 free slot right now. Be quick!',
    'One has 2 free slots right now. Be quick!',
    'One has 5 free slots right now. Be quick!',
    'One has 11 free slots right now. Be quick!',
    'One has 21 free slots right now. Be quick!',
    'One has 22 free slots right now. Be quick!',
    'One has 1,000,000 free slots right now. Be quick!',
    'One has 2 free slots right now. Be quick!',
  ],
  de: [
    'Auf One sind gerade 0 Plätze frei. Beeil dich!',
    'Auf One ist gerade 1 Platz frei. Beeil dich!',
    'Auf One sind gerade 2 Plätze frei. Beeil dich!',
    'Auf One sind gerade 5 Plätze frei. Beeil dich!',
    'Auf One sind gerade 11 Plätze frei. Beeil dich!',
    'Auf One sind gerade 21 Plätze frei. Beeil dich!',
    'Auf One sind gerade 22 Plätze frei. Beeil dich!',
    'Auf One sind gerade 1.000.000 Plätze frei. Beeil dich!',
    'Auf One sind gerade 2 Plätze frei. Beeil dich!',
  ],
  fr: [
    'Il y a 0 place libre sur One en ce moment. Fais vite !',
    'Il y a 1 place libre sur One en ce moment. Fais vite !',
    'Il y a 2 places libres sur One en ce moment. Fais vite !',
    'Il y a 5 places libres sur One en ce moment. Fais vite !',
    'Il y a 11 places libres sur One en ce moment. Fais vite !',
    'Il y a 21 places libres sur One en ce moment. Fais vite !',
    'Il y a 22 places libres sur One en ce moment. Fais vite !',
    'Il y a 1 000 000 de places libres sur One en ce moment. Fais vite !',
    'Il y a 2 places libres sur One en ce moment. Fais vite !',
  ],
  nl: [
    'Op One zijn nu 0 plekken vrij. Wees er snel bij!',
    'Op One is nu 1 plek vrij. Wees er snel bij!',
    'Op One zijn nu 2 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 5 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 11 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 21 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 22 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 1.000.000 plekken vrij. Wees er snel bij!',
    'Op One zijn nu 2 plekken vrij. Wees er snel bij!',
  ],
  'es-ES': [
    'One tiene ahora 0 plazas libres. ¡Date prisa!',
    'One tiene ahora 1 plaza libre. ¡Date prisa!',
    'One tiene ahora 2 plazas libres. ¡Date prisa!',
    'One tiene ahora 5 plazas libres. ¡Date prisa!',
    'One tiene ahora 11 plazas libres. ¡Date prisa!',
    'One tiene ahora 21 plazas libres. ¡Date prisa!',
    'One tiene ahora 22 plazas libres. ¡Date prisa!',
    'One tiene ahora 1.000.000 de plazas libres. ¡Date prisa!',
    'One tiene ahora 2 plazas libres. ¡Date prisa!',
  ],
  'es-419': [
    'One tiene ahora 0 cupos libres. ¡Apúrate!',
    'One tiene ahora 1 cupo libre. ¡Apúrate!',
    'One tiene ahora 2 cupos libres. ¡Apúrate!',
    'One tiene ahora 5 cupos libres. ¡Apúrate!',
    'One tiene ahora 11 cupos libres. ¡Apúrate!',
    'One tiene ahora 21 cupos libres. ¡Apúrate!',
    'One tiene ahora 22 cupos libres. ¡Apúrate!',
    'One tiene ahora 1,000,000 de cupos libres. ¡Apúrate!',
    'One tiene ahora 2 cupos libres. ¡Apúrate!',
  ],
  'pt-BR': [
    'One tem 0 vaga agora. Corra!',
    'One tem 1 vaga agora. Corra!',
    'One tem 2 vagas agora. Corra!',
    'One tem 5 vagas agora. Corra!',
    'One tem 11 vagas agora. Corra!',
    'One tem 21 vagas agora. Corra!',
    'One tem 22 vagas agora. Corra!',
    'One tem 1.000.000 de vagas agora. Corra!',
    'One tem 2 vagas agora. Corra!',
  ],
  it: [
    'One ha 0 posti liberi adesso. Sbrigati!',
    'One ha 1 posto libero adesso. Sbrigati!',
    'One ha 2 posti liberi adesso. Sbrigati!',
    'One ha 5 posti liberi adesso. Sbrigati!',
    'One ha 11 posti liberi adesso. Sbrigati!',
    'One ha 21 posti liberi adesso. Sbrigati!',
    'One ha 22 posti liberi adesso. Sbrigati!',
    'One ha 1.000.000 di posti liberi adesso. Sbrigati!',
    'One ha 2 posti liberi adesso. Sbrigati!',
  ],
  pl: [
    'Na serwerze One jest teraz 0 wolnych miejsc. Pospiesz się!',
    'Na serwerze One jest teraz 1 wolne miejsce. Pospiesz się!',
    'Na serwerze One są teraz 2 wolne miejsca. Pospiesz się!',
    'Na serwerze One jest teraz 5 wolnych miejsc. Pospiesz się!',
    'Na serwerze One jest teraz 11 wolnych miejsc. Pospiesz się!',
    'Na serwerze One jest teraz 21 wolnych miejsc. Pospiesz się!',
    'Na serwerze One są teraz 22 wolne miejsca. Pospiesz się!',
    'Na serwerze One jest teraz 1 000 000 wolnych miejsc. Pospiesz się!',
    'Na serwerze One są teraz 2 wolne miejsca. Pospiesz się!',
  ],
  ru: [
    'На One сейчас 0 свободных мест. Поспеши!',
    'На One сейчас 1 свободное место. Поспеши!',
    'На One сейчас 2 свободных места. Поспеши!',
    'На One сейчас 5 свободных мест. Поспеши!',
    'На One сейчас 11 свободных мест. Поспеши!',
    'На One сейчас 21 свободное место. Поспеши!',
    'На One сейчас 22 свободных места. Поспеши!',
    'На One сейчас 1 000 000 свободных мест. Поспеши!',
    'На One сейчас 2 свободных места. Поспеши!',
  ],
  tr: [
    'One sunucusunda şu an 0 boş yer var. Acele et!',
    'One sunucusunda şu an 1 boş yer var. Acele et!',
    'One sunucusunda şu an 2 boş yer var. Acele et!',
    'One sunucusunda şu an 5 boş yer var. Acele et!',
    'One sunucusunda şu an 11 boş yer var. Acele et!',
    'One sunucusunda şu an 21 boş yer var. Acele et!',
    'One sunucusunda şu an 22 boş yer var. Acele et!',
    'One sunucusunda şu an 1.000.000 boş yer var. Acele et!',
    'One sunucusunda şu an 2 boş yer var. Acele et!',
  ],
};

describe.each(Object.entries(free))('in %s', (language, sentences) => {
  test('a count is followed by the right form of its noun', () => {
    const t = translatorFor(language);
    const written = counts.map((count) => plain(t('watch.slot.hasRoom', { server: 'One', count })));
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
