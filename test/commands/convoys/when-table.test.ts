/** Times as people of ten languages type them, in three time zones: read as meant, offered as two moments, or not read. */
import { expect, test } from 'vitest';
import { readWhen } from '../../../commands/convoys/models/when.ts';
import { wallTime } from '../../../src/base/zone.ts';

/** A Monday: 12:30 in Berlin, 6:30 in New York, 17:00 in Kolkata. */
const NOW = Date.parse('2026-11-23T11:30:00Z');
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

/** Text → its meaning: a wall time in November (`24 20:00`), a span in minutes (`+120`), or the reason why it has no single one. */
const rows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'en-GB': {
    'tonight 9pm': '23 21:00',
    'tonight at 9': '23 21:00',
    '9pm tonight': '23 21:00',
    'this saturday 8pm': '28 20:00',
    'saturday night 9pm': '28 21:00',
    'in an hour': '+60',
    'in half an hour': '+30',
    'in 1 hour and 30 minutes': '+90',
    'in 1h 30m': '+90',
    'in 1.5 hours': '+90',
    '29th november 8pm': '29 20:00',
    'the 29th of november at 8pm': '29 20:00',
    'november 29th, 8pm': '29 20:00',
    'tmrw 8pm': '24 20:00',
    'tomorrow night at 8': '24 20:00',
    'tomorrow 8 in the evening': '24 20:00',
    'tomorrow afternoon 3:30': '24 15:30',
    'tomorrow morning at 9': '24 09:00',
    'sat 28.11. 20:00': '28 20:00',
    'Sat, 28 Nov, 20:00': '28 20:00',
    'thurs 7:30pm': '26 19:30',
    '2026-11-28T20:00': '28 20:00',
    '2026-11-28T20:00:00': '28 20:00',
    'next friday 8pm': 'ambiguous',
    'friday 8': 'ambiguous',
    'next friday 8': 'ambiguous',
    'tonight 9am': 'unread',
    'tonight at 1': 'unread',
    'tonight 09:00': 'unread',
    'tonight tomorrow 8pm': 'unread',
    '8pm est': 'unread',
    'this weekend': 'unread',
    'sun 28.11. 20:00': 'unread',
    'in a while': 'unread',
    'in an hour or two': 'unread',
    'fri 20:00-22:00': 'unread',
  },
  de: {
    'heute Abend 22 Uhr': '23 22:00',
    'heute Abend um 9': '23 21:00',
    'heute um 20 Uhr 30': '23 20:30',
    'morgen Abend 20 Uhr': '24 20:00',
    'morgen Abend um 8': '24 20:00',
    'morgen früh um 9': '24 09:00',
    'morgen 21 Uhr': '24 21:00',
    'Freitagabend 20 Uhr': '27 20:00',
    'am Freitag um 8 Uhr abends': '27 20:00',
    'diesen Samstag 20:00': '28 20:00',
    'Sonnabend 20 Uhr': '28 20:00',
    'Sa., 28.11., 20 Uhr': '28 20:00',
    'Samstag, 28. November um 20 Uhr': '28 20:00',
    'in einer Stunde': '+60',
    'in einer halben Stunde': '+30',
    'in 2 Std.': '+120',
    'in 1 Stunde und 15 Minuten': '+75',
    'nächsten Freitag 20 Uhr': 'ambiguous',
    'morgen um 8': 'ambiguous',
    'heute Abend 14 Uhr': 'unread',
    'halb neun': 'unread',
    'heute Abend': 'unread',
  },
  tr: {
    'bu akşam 21:00': '23 21:00',
    'bu akşam 9': '23 21:00',
    'yarın akşam 8': '24 20:00',
    "yarın akşam saat 8'de": '24 20:00',
    "yarın saat 20:00'de": '24 20:00',
    'bu cumartesi 20:00': '28 20:00',
    'cumartesi akşamı 9': '28 21:00',
    '28 Kasım Cumartesi 20:00': '28 20:00',
    '28.11 20:00': '28 20:00',
    '1 saat sonra': '+60',
    'bir saat sonra': '+60',
    'yarım saat sonra': '+30',
    '2 saat 30 dakika sonra': '+150',
    'bugün 20.30': '23 20:30',
    'gelecek cuma 20:00': 'ambiguous',
    'cuma 8': 'ambiguous',
    'akşam üzeri': 'unread',
    '2 saat': 'unread',
  },
  pl: {
    'dziś 20:00': '23 20:00',
    'dzisiaj o 20': '23 20:00',
    'dziś wieczorem o 9': '23 21:00',
    'jutro wieczorem 20:00': '24 20:00',
    'jutro o 8 wieczorem': '24 20:00',
    'jutro rano o 9': '24 09:00',
    'w tę sobotę o 20:00': '28 20:00',
    'w sobotę wieczorem o 21': '28 21:00',
    'sobota, 28.11, 20:00': '28 20:00',
    'sobota 28 listopada godz. 20:00': '28 20:00',
    'nd 20:00': '29 20:00',
    'za godzinę': '+60',
    'za pół godziny': '+30',
    'za 2h': '+120',
    'za 2 godziny i 30 minut': '+150',
    'w następny piątek o 20:00': 'ambiguous',
    'jutro o 8': 'ambiguous',
    wieczorem: 'unread',
  },
  fr: {
    'ce soir 21h': '23 21:00',
    'ce soir à 9h': '23 21:00',
    'demain soir à 20h30': '24 20:30',
    'demain 8 h du soir': '24 20:00',
    'demain matin à 9h': '24 09:00',
    'ce samedi à 20h': '28 20:00',
    'samedi soir 21h': '28 21:00',
    'samedi 28 novembre à 20 heures': '28 20:00',
    'le 28/11 à 20h': '28 20:00',
    'dans une heure': '+60',
    'dans une demi-heure': '+30',
    'dans 1 h 30': 'unread',
    'dans 1 h et 30 min': '+90',
    'dans 2h': '+120',
    'vendredi prochain 20h': 'ambiguous',
    'vers 20h': 'unread',
  },
  nl: {
    'vanavond 21:00': '23 21:00',
    'vanavond om 9 uur': '23 21:00',
    'morgenavond 20 uur': '24 20:00',
    'morgen om 8 uur ’s avonds': '24 20:00',
    'zaterdagavond om 9': '28 21:00',
    'deze zaterdag om 20:00': '28 20:00',
    'zaterdag 28 november 20.30 uur': '28 20:30',
    'za 28-11 20:00': '28 20:00',
    'over een uur': '+60',
    'over een half uur': '+30',
    'over 1 uur en 30 minuten': '+90',
    'over 2 uurtjes': 'unread',
    'volgende vrijdag 20:00': 'ambiguous',
    'morgen 8 uur': 'ambiguous',
    'half negen': 'unread',
  },
  'es-ES': {
    'esta noche a las 9': '23 21:00',
    'esta noche 21:00': '23 21:00',
    'hoy a las 9 de la noche': '23 21:00',
    'mañana por la noche a las 9': '24 21:00',
    'mañana a las 8 de la tarde': '24 20:00',
    'mañana por la mañana a las 9': '24 09:00',
    'este sábado a las 20:00': '28 20:00',
    'el sábado por la noche a las 9': '28 21:00',
    'sábado, 28 de noviembre, 20:00': '28 20:00',
    'sáb 28/11 20:00': '28 20:00',
    'en 2 horas': '+120',
    'en una hora': '+60',
    'en media hora': '+30',
    'dentro de 1 hora y 30 minutos': '+90',
    'el próximo viernes a las 20:00': 'ambiguous',
    'mañana a las 8': 'ambiguous',
    'en minutos': 'unread',
  },
  'pt-BR': {
    'hoje à noite às 21h': '23 21:00',
    'hoje às 9 da noite': '23 21:00',
    'amanhã à noite às 8': '24 20:00',
    'amanhã de manhã às 9': '24 09:00',
    'neste sábado às 20h': '28 20:00',
    'sábado às 8 da noite': '28 20:00',
    'sáb, 28 de novembro, 20h30': '28 20:30',
    'sábado 28/11 20:00': '28 20:00',
    'daqui a 2 horas': '+120',
    'em uma hora': '+60',
    'em meia hora': '+30',
    'em 1h e 30min': '+90',
    'próxima sexta às 20h': 'ambiguous',
    'amanhã às 8': 'ambiguous',
    'à noite': 'unread',
  },
  it: {
    'stasera alle 21': '23 21:00',
    'stasera alle 9': '23 21:00',
    'domani sera alle 20': '24 20:00',
    'domani alle 8 di sera': '24 20:00',
    'domani mattina alle 9': '24 09:00',
    'questo sabato alle 20:00': '28 20:00',
    'sabato sera alle 9': '28 21:00',
    'sabato 28 novembre ore 20': '28 20:00',
    'sab 28/11 20:00': '28 20:00',
    'fra 2 ore': '+120',
    "tra un'ora": '+60',
    "fra mezz'ora": '+30',
    'tra 1 ora e 30 minuti': '+90',
    'venerdì prossimo alle 20': 'ambiguous',
    'domani alle 8': 'ambiguous',
    'di sera': 'unread',
  },
  ru: {
    'завтра вечером в 20:00': '24 20:00',
    'сегодня вечером в 9': '23 21:00',
    'сегодня в 8 вечера': '23 20:00',
    'завтра в 8 часов вечера': '24 20:00',
    'завтра утром в 9': '24 09:00',
    'завтра в 4 дня': '24 16:00',
    'завтра в 2 часа ночи': '24 02:00',
    'в эту субботу в 20:00': '28 20:00',
    'в субботу вечером в 9': '28 21:00',
    'суббота, 28 ноября, 20:00': '28 20:00',
    'сб 28.11 20:00': '28 20:00',
    '29-го ноября в 20:00': '29 20:00',
    'через час': '+60',
    'через полчаса': '+30',
    'через 2 часа': '+120',
    'через 1 час и 30 минут': '+90',
    'в следующую пятницу в 20:00': 'ambiguous',
    'завтра в 8': 'ambiguous',
    вечером: 'unread',
  },
};

const readings = Object.entries(rows).flatMap(([locale, texts]) =>
  zones.flatMap((zone) =>
    Object.entries(texts).map(([text, expected]) => {
      const found = readWhen(text, { locale, zone, now: NOW });
      const minutes = 'at' in found ? (found.at - NOW) / 60_000 : null;
      const wall = 'at' in found ? new Date(wallTime(zone, found.at)).toISOString() : '';
      const clock = wall.startsWith('2026-11-') ? wall.slice(8, 16).replace('T', ' ') : wall;
      const actual = 'problem' in found ? found.problem : expected.startsWith('+') ? `+${minutes}` : clock;
      return { at: `${locale} ${zone}: ${text}`, actual, expected };
    }),
  ),
);

test(`takes none of ${readings.length} typed times for another moment`, () => {
  const wrong = readings.filter(({ actual, expected }) => actual !== expected && actual !== 'unread');
  expect(wrong).toEqual([]);
});

/** Texts of each language that are read, that have two meanings, and that open the window. */
test.each([
  ['en-GB', 7, 1, 28],
  ['de', 4, 1, 17],
  ['tr', 4, 1, 13],
  ['pl', 1, 0, 17],
  ['fr', 1, 0, 15],
  ['nl', 1, 0, 14],
  ['es-ES', 2, 0, 15],
  ['pt-BR', 2, 1, 12],
  ['it', 1, 0, 15],
  ['ru', 3, 1, 15],
] as const)('%s: %i typed times are read, %i have two meanings, %i are not read', (locale, ...counts) => {
  for (const zone of zones) {
    const answers = readings.filter(({ at }) => at.startsWith(`${locale} ${zone}:`)).map((one) => one.actual);
    const [ambiguous, unread] = ['ambiguous', 'unread'].map(
      (problem) => answers.filter((answer) => answer === problem).length,
    );
    expect([answers.length - (ambiguous ?? 0) - (unread ?? 0), ambiguous, unread]).toEqual(counts);
  }
});

/** Days (of November) and times as people write them, by language: each day with each time. */
const combinations: Readonly<
  Record<
    string,
    {
      readonly days: Readonly<Record<number, readonly string[]>>;
      readonly times: Readonly<Record<string, readonly string[]>>;
    }
  >
> = {
  'en-GB': {
    days: {
      24: ['tomorrow'],
      27: ['friday', 'fri'],
      28: ['this saturday', '28 nov', '28th november', '28/11', '28.11.', '2026-11-28', 'sat 28 nov'],
    },
    times: {
      '00:00': ['12am'],
      '00:05': ['0:05'],
      '09:00': ['9am'],
      '12:00': ['12pm'],
      '20:00': ['8pm', '8 pm', '20:00', 'at 8pm'],
      '20:15': ['at 20:15'],
      '20:30': ['8:30pm', '20.30'],
      '23:59': ['23:59'],
    },
  },
  'en-US': {
    days: {
      24: ['tomorrow'],
      26: ['thu'],
      27: ['friday', 'fri'],
      28: ['this saturday', 'nov 28', 'november 28th', '11/28', '2026-11-28', 'sat nov 28'],
    },
    times: {
      '00:00': ['12am'],
      '00:05': ['0:05'],
      '09:00': ['9am'],
      '12:00': ['12pm'],
      '20:00': ['8pm', '8 pm', '8 p.m.', '20:00', 'at 8pm'],
      '20:15': ['at 8:15 pm'],
      '20:30': ['8:30pm'],
      '23:59': ['11:59pm'],
    },
  },
  de: {
    days: {
      24: ['morgen'],
      25: ['übermorgen'],
      27: ['freitag', 'fr', 'am freitag'],
      28: ['diesen samstag', '28.11.', '28. november', 'am 28.11.', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9:00'],
      '09:30': ['09:30'],
      '13:00': ['13 uhr'],
      '20:00': ['20 uhr', '20:00', 'um 20 uhr'],
      '20:15': ['um 20:15'],
      '20:30': ['20:30', '20.30 uhr', '20 uhr 30'],
      '23:59': ['23:59'],
    },
  },
  tr: {
    days: {
      24: ['yarın'],
      26: ['perşembe'],
      27: ['cuma', 'cum'],
      28: ['bu cumartesi', '28 kasım', '28.11', '28.11.', '28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9:00'],
      '09:30': ['09:30'],
      '13:00': ['13:00'],
      '20:00': ['20:00', 'saat 20:00', "20:00'de", 'akşam 8'],
      '20:15': ["saat 20:15'te"],
      '20:30': ['20.30'],
      '21:00': ['saat 21:00'],
      '23:59': ['23:59'],
    },
  },
  pl: {
    days: {
      24: ['jutro'],
      25: ['w środę'],
      27: ['piątek', 'pt', 'w piątek'],
      28: ['w tę sobotę', '28 listopada', '28.11', '28.11.', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9:00'],
      '09:30': ['09:30'],
      '13:00': ['o 13:00'],
      '20:00': ['20:00', 'o 20:00', 'o 20', 'wieczorem o 8'],
      '20:15': ['godz. 20:15'],
      '20:30': ['20.30'],
      '21:00': ['o 21'],
      '23:59': ['23:59'],
    },
  },
  fr: {
    days: {
      24: ['demain'],
      26: ['jeudi'],
      27: ['vendredi', 'ven'],
      28: ['ce samedi', '28 novembre', 'le 28 novembre', '28/11', 'le 28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9h'],
      '13:00': ['13h'],
      '20:00': ['20h', '20 h', 'à 20h', '20:00', '20 heures'],
      '20:15': ['à 20:15'],
      '20:30': ['20h30'],
      '21:00': ['à 21h'],
      '23:59': ['23:59'],
    },
  },
  nl: {
    days: {
      24: ['morgen'],
      25: ['overmorgen'],
      26: ['donderdag'],
      27: ['vrijdag', 'vr'],
      28: ['deze zaterdag', '28 november', '28-11', '28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9:00'],
      '09:30': ['09:30'],
      '13:00': ['13 uur'],
      '20:00': ['20:00', '20 uur', 'om 20:00', 'om 20 uur'],
      '20:30': ['20.30', '20.30 uur'],
      '21:15': ['om 21:15'],
      '23:59': ['23:59'],
    },
  },
  'es-ES': {
    days: {
      24: ['mañana'],
      25: ['pasado mañana'],
      26: ['jueves'],
      27: ['viernes', 'vie', 'el viernes'],
      28: ['este sábado', '28 de noviembre', '28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9:00'],
      '13:00': ['13:00'],
      '20:00': ['20:00', 'a las 20:00', '20 h', 'a las 20 h', 'a las 8 de la tarde', '8pm'],
      '20:30': ['a las 20:30'],
      '21:00': ['a las 9 de la noche'],
      '23:59': ['23:59'],
    },
  },
  'es-419': {
    days: {
      24: ['mañana'],
      25: ['pasado mañana'],
      26: ['jueves'],
      27: ['viernes', 'vie', 'el viernes'],
      28: ['este sábado', '28 de noviembre', '28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['a las 9 de la mañana', '9am'],
      '12:00': ['12pm'],
      '20:00': ['8pm', '8 p.m.', 'a las 8pm', 'a las 20:00', 'a las 8 de la noche', '20:00'],
      '20:30': ['8:30 p. m.'],
      '23:59': ['23:59'],
    },
  },
  'pt-BR': {
    days: {
      24: ['amanhã'],
      26: ['quinta'],
      27: ['sexta', 'sexta-feira', 'sex', 'na sexta'],
      28: ['neste sábado', '28 de novembro', '28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9h', '9:00'],
      '13:00': ['13h'],
      '20:00': ['20h', 'às 20h', '20:00', 'às 8 da noite'],
      '20:15': ['às 20:15'],
      '20:30': ['20h30'],
      '21:00': ['às 21h'],
      '23:59': ['23:59'],
    },
  },
  it: {
    days: {
      24: ['domani'],
      25: ['dopodomani'],
      26: ['giovedì'],
      27: ['venerdì', 'ven'],
      28: ['questo sabato', '28 novembre', 'il 28 novembre', '28/11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['9:00'],
      '13:00': ['alle 13'],
      '20:00': ['20:00', 'alle 20:00', 'alle 20', 'ore 20', 'alle 8 di sera'],
      '20:15': ['alle ore 20:15'],
      '20:30': ['alle 20:30'],
      '21:00': ['alle 21'],
      '23:59': ['23:59'],
    },
  },
  ru: {
    days: {
      24: ['завтра'],
      25: ['послезавтра'],
      26: ['в четверг'],
      27: ['пятница', 'пт', 'в пятницу'],
      28: ['в эту субботу', '28 ноября', '28.11', '2026-11-28'],
    },
    times: {
      '00:05': ['0:05'],
      '09:00': ['в 9 утра', '9:00'],
      '13:00': ['13:00'],
      '20:00': ['20:00', 'в 20:00', 'в 20', '20 ч', 'в 8 вечера', 'в 20 часов'],
      '20:30': ['в 20:30'],
      '23:59': ['23:59'],
    },
  },
};

const eachOf = (texts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(texts).flatMap(([meaning, written]) => written.map((text) => [text, meaning] as const));

/** How many of the 120 texts are read. The others open the window: they have words that `Intl` does not write there. */
const readCounts: Readonly<Record<string, number>> = {
  'en-GB': 108,
  'en-US': 108,
  de: 77,
  tr: 63,
  pl: 42,
  fr: 77,
  nl: 72,
  'es-ES': 56,
  'es-419': 64,
  'pt-BR': 88,
  it: 40,
  ru: 56,
};

test.each(Object.entries(combinations))(
  'reads 120 days and times of %s as meant, or not at all',
  (locale, { days, times }) => {
    for (const zone of zones) {
      const results = eachOf(days).flatMap(([day, date]) =>
        eachOf(times).map(([time, clock]) => {
          const text = `${day} ${time}`;
          const found = readWhen(text, { locale, zone, now: NOW });
          if (!('at' in found)) return `${found.problem}`;
          const wall = new Date(wallTime(zone, found.at)).toISOString().slice(0, 16);
          return wall === `2026-11-${date}T${clock}` ? 'meant' : `${text} ${wall}`;
        }),
      );
      expect(results).toHaveLength(120);
      expect(results.filter((result) => result !== 'meant' && result !== 'unread')).toEqual([]);
      expect(results.filter((result) => result === 'meant')).toHaveLength(readCounts[locale] ?? 0);
    }
  },
);

test.each([
  ['2026-11-28T20:00Z', '2026-11-28T20:00'],
  ['2026-11-28T20:00:00.000Z', '2026-11-28T20:00'],
  ['2026-11-28T20:00+02:00', '2026-11-28T18:00'],
  ['fri 20:00 UTC', '2026-11-27T20:00'],
  ['2026-11-28 20:00 America/New_York', '2026-11-29T01:00'],
  ['28 Nov 8pm europe/berlin', '2026-11-28T19:00'],
])('"%s" names its own time zone', (text, at) => {
  for (const zone of zones) {
    const found = readWhen(text, { locale: 'en-GB', zone, now: NOW });
    expect(found).toEqual({ at: Date.parse(`${at}Z`), isZoned: false });
  }
});

test('the weekday of today is that of next week once its hour is over', () => {
  const read = (text: string) => readWhen(text, { locale: 'en-GB', zone: 'Europe/Berlin', now: NOW });
  expect(read('this monday 10:00')).toEqual({ problem: 'unread' });
  expect(read('monday 10:00')).toMatchObject({ at: Date.parse('2026-11-30T09:00Z') });
});
