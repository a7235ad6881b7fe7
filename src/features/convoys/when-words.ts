/**
 * Words for times that `Intl` does not know, by language. Each list is matched without accents and in lower case; a phrase is
 * found as whole words.
 */

/** Hours of the day from the first up to the second, by the 24-hour clock. */
type Hours = readonly [from: number, to: number];

const SMALL_HOURS: Hours = [0, 5];
const MORNING: Hours = [4, 12];
const AFTERNOON: Hours = [12, 19];
const EVENING: Hours = [17, 24];

interface TimeWords {
  /** Days from today. */
  readonly days?: Readonly<Record<string, number>>;
  /** Other names of weekdays; 0 is Monday. */
  readonly weekdays?: Readonly<Record<string, number>>;
  /** Words before a weekday that mean the next one. */
  readonly thisWeek: readonly string[];
  /** Words with which a weekday may mean two days. */
  readonly unclear: readonly string[];
  /** Parts of a day, which say whether an hour is before or after noon. */
  readonly parts: Readonly<Record<string, Hours>>;
  /** Parts of today. */
  readonly partsOfToday: Readonly<Record<string, Hours>>;
  /** Parts of a day that are written in one word with it: `freitagabend`. */
  readonly glued?: readonly string[];
  readonly spans: {
    /** Words before the number, or behind it. */
    readonly before: readonly string[];
    readonly behind?: readonly string[];
    readonly and: readonly string[];
    readonly one: readonly string[];
    readonly minute: readonly string[];
    readonly hour: readonly string[];
    readonly day: readonly string[];
    readonly week: readonly string[];
    /** Units that mean one of it without a number. */
    readonly alone?: readonly string[];
    /** Half an hour. */
    readonly half: readonly string[];
  };
}

export const timeWords: Readonly<Record<string, TimeWords>> = {
  en: {
    days: { tmrw: 1, tmr: 1, tomorow: 1, tommorow: 1 },
    weekdays: { tues: 1, weds: 2, thur: 3, thurs: 3 },
    thisWeek: ['this', 'coming', 'this coming'],
    unclear: ['next'],
    parts: {
      'in the morning': MORNING,
      morning: MORNING,
      'in the afternoon': AFTERNOON,
      afternoon: AFTERNOON,
      'in the evening': EVENING,
      evening: EVENING,
      'at night': EVENING,
      night: EVENING,
    },
    partsOfToday: {
      tonight: EVENING,
      tonite: EVENING,
      'this morning': MORNING,
      'this afternoon': AFTERNOON,
      'this evening': EVENING,
    },
    spans: {
      before: ['in'],
      behind: ['from now'],
      and: ['and'],
      one: ['a', 'an', 'one'],
      minute: ['m', 'min', 'mins', 'minute', 'minutes'],
      hour: ['h', 'hr', 'hrs', 'hour', 'hours'],
      day: ['d', 'day', 'days'],
      week: ['w', 'wk', 'wks', 'week', 'weeks'],
      half: ['half an hour', 'half hour', 'a half hour'],
    },
  },
  de: {
    weekdays: { sonnabend: 5 },
    thisWeek: ['diesen', 'dieser', 'diesem', 'kommenden', 'kommender'],
    unclear: ['nächsten', 'nächster', 'nächste'],
    parts: {
      früh: MORNING,
      morgens: MORNING,
      vormittag: MORNING,
      vormittags: MORNING,
      nachmittag: AFTERNOON,
      nachmittags: AFTERNOON,
      abend: EVENING,
      abends: EVENING,
      'am abend': EVENING,
      'am nachmittag': AFTERNOON,
    },
    partsOfToday: {},
    glued: ['vormittag', 'nachmittag', 'abend', 'früh'],
    spans: {
      before: ['in'],
      and: ['und'],
      one: ['ein', 'eine', 'einer', 'einem'],
      minute: ['min', 'minute', 'minuten'],
      hour: ['h', 'std', 'stunde', 'stunden'],
      day: ['tag', 'tage', 'tagen'],
      week: ['wo', 'woche', 'wochen'],
      half: ['einer halben stunde', 'ner halben stunde'],
    },
  },
  tr: {
    thisWeek: ['bu'],
    unclear: ['gelecek', 'önümüzdeki', 'haftaya'],
    parts: {
      sabah: MORNING,
      sabahı: MORNING,
      'öğleden sonra': AFTERNOON,
      akşam: EVENING,
      akşamı: EVENING,
      gece: EVENING,
    },
    partsOfToday: { 'bu sabah': MORNING, 'bu akşam': EVENING, 'bu gece': EVENING },
    spans: {
      before: [],
      behind: ['sonra'],
      and: ['ve'],
      one: ['bir'],
      minute: ['dk', 'dakika'],
      hour: ['sa', 'saat'],
      day: ['gün'],
      week: ['hf', 'hafta'],
      half: ['yarım saat'],
    },
  },
  pl: {
    days: { dziś: 0, dzis: 0 },
    weekdays: { pn: 0, nd: 6, ndz: 6, sb: 5 },
    thisWeek: ['ten', 'tę', 'ta', 'tą', 'najbliższy', 'najbliższą'],
    unclear: ['następny', 'następną', 'następna', 'przyszły', 'przyszłą', 'kolejny', 'kolejną'],
    parts: {
      rano: MORNING,
      'po południu': AFTERNOON,
      wieczorem: EVENING,
      wieczór: EVENING,
    },
    partsOfToday: {},
    spans: {
      before: ['za'],
      and: ['i'],
      one: ['jedną', 'jeden'],
      minute: ['min', 'minutę', 'minuty', 'minut'],
      hour: ['g', 'h', 'godz', 'godzinę', 'godziny', 'godzin'],
      day: ['dzień', 'dni'],
      week: ['tydz', 'tyg', 'tydzień', 'tygodnie', 'tygodni'],
      alone: ['minutę', 'godzinę', 'tydzień'],
      half: ['pół godziny'],
    },
  },
  fr: {
    thisWeek: ['ce', 'cette'],
    unclear: ['prochain', 'prochaine'],
    parts: {
      matin: MORNING,
      'du matin': MORNING,
      'après-midi': AFTERNOON,
      "de l'après-midi": AFTERNOON,
      soir: EVENING,
      'du soir': EVENING,
      'au soir': EVENING,
    },
    partsOfToday: { 'ce matin': MORNING, 'cet après-midi': AFTERNOON, 'ce soir': EVENING },
    spans: {
      before: ['dans', "d'ici"],
      and: ['et'],
      one: ['un', 'une'],
      minute: ['min', 'mn', 'minute', 'minutes'],
      hour: ['h', 'heure', 'heures'],
      day: ['j', 'jour', 'jours'],
      week: ['sem', 'semaine', 'semaines'],
      half: ['une demi-heure', 'une demi heure', 'une demie heure'],
    },
  },
  nl: {
    thisWeek: ['deze', 'komende'],
    unclear: ['volgende', 'aanstaande'],
    parts: {
      ochtend: MORNING,
      "'s ochtends": MORNING,
      "'s morgens": MORNING,
      middag: AFTERNOON,
      "'s middags": AFTERNOON,
      avond: EVENING,
      "'s avonds": EVENING,
    },
    partsOfToday: {
      vanochtend: MORNING,
      vanmorgen: MORNING,
      vanmiddag: AFTERNOON,
      vanavond: EVENING,
    },
    glued: ['ochtend', 'middag', 'avond'],
    spans: {
      before: ['over'],
      and: ['en'],
      one: ['een', 'één'],
      minute: ['min', 'minuut', 'minuten'],
      hour: ['u', 'uur', 'uren', 'uurtje'],
      day: ['dgn', 'dag', 'dagen'],
      week: ['week', 'weken'],
      half: ['een half uur', 'half uur'],
    },
  },
  es: {
    thisWeek: ['este', 'esta'],
    unclear: ['próximo', 'próxima', 'que viene'],
    parts: {
      'por la mañana': MORNING,
      'de la mañana': MORNING,
      'por la tarde': [12, 21],
      'de la tarde': [12, 21],
      'en la tarde': [12, 21],
      'por la noche': EVENING,
      'de la noche': EVENING,
      'en la noche': EVENING,
      'de la madrugada': SMALL_HOURS,
    },
    partsOfToday: { 'esta mañana': MORNING, 'esta tarde': [12, 21], 'esta noche': EVENING },
    spans: {
      before: ['en', 'dentro de'],
      and: ['y'],
      one: ['un', 'una'],
      minute: ['min', 'minuto', 'minutos'],
      hour: ['h', 'hora', 'horas'],
      day: ['d', 'día', 'días'],
      week: ['sem', 'semana', 'semanas'],
      half: ['media hora'],
    },
  },
  pt: {
    weekdays: { seg: 0, ter: 1, qua: 2, qui: 3, sex: 4, sab: 5, dom: 6 },
    thisWeek: ['este', 'esta', 'neste', 'nesta', 'nesse', 'nessa'],
    unclear: ['próximo', 'próxima', 'que vem'],
    parts: {
      'de manhã': MORNING,
      'da manhã': MORNING,
      'pela manhã': MORNING,
      'à tarde': AFTERNOON,
      'de tarde': AFTERNOON,
      'da tarde': AFTERNOON,
      'à noite': EVENING,
      'de noite': EVENING,
      'da noite': EVENING,
      'da madrugada': SMALL_HOURS,
    },
    partsOfToday: { 'esta noite': EVENING, 'esta tarde': AFTERNOON, 'esta manhã': MORNING },
    spans: {
      before: ['em', 'daqui a', 'dentro de'],
      and: ['e'],
      one: ['um', 'uma'],
      minute: ['min', 'minuto', 'minutos'],
      hour: ['h', 'hora', 'horas'],
      day: ['d', 'dia', 'dias'],
      week: ['sem', 'semana', 'semanas'],
      half: ['meia hora'],
    },
  },
  it: {
    thisWeek: ['questo', 'questa'],
    unclear: ['prossimo', 'prossima'],
    parts: {
      mattina: MORNING,
      'di mattina': MORNING,
      'del mattino': MORNING,
      pomeriggio: [12, 20],
      'di pomeriggio': [12, 20],
      'del pomeriggio': [12, 20],
      sera: EVENING,
      'di sera': EVENING,
      'della sera': EVENING,
    },
    partsOfToday: {
      stamattina: MORNING,
      'questa mattina': MORNING,
      'questo pomeriggio': [12, 20],
      stasera: EVENING,
      'questa sera': EVENING,
      stanotte: EVENING,
    },
    spans: {
      before: ['tra', 'fra'],
      and: ['e'],
      one: ['un', 'uno', 'una'],
      minute: ['min', 'minuto', 'minuti'],
      hour: ['h', 'ora', 'ore', "un'ora"],
      day: ['g', 'gg', 'giorno', 'giorni'],
      week: ['sett', 'settimana', 'settimane'],
      alone: ["un'ora"],
      half: ["mezz'ora", 'mezzora', 'una mezzora', "una mezz'ora"],
    },
  },
  ru: {
    thisWeek: ['этот', 'эту', 'это', 'ближайший', 'ближайшую', 'ближайшее'],
    unclear: ['следующий', 'следующую', 'следующее'],
    parts: {
      утром: MORNING,
      утра: MORNING,
      днём: AFTERNOON,
      дня: AFTERNOON,
      вечером: EVENING,
      вечера: [16, 24],
      ночи: SMALL_HOURS,
    },
    partsOfToday: {},
    spans: {
      before: ['через'],
      and: ['и'],
      one: ['один', 'одну'],
      minute: ['м', 'мин', 'минуту', 'минуты', 'минут'],
      hour: ['ч', 'час', 'часа', 'часов'],
      day: ['д', 'дн', 'день', 'дня', 'дней'],
      week: ['нед', 'неделю', 'недели', 'недель'],
      alone: ['минуту', 'час', 'день', 'неделю'],
      half: ['полчаса', 'пол часа'],
    },
  },
};
