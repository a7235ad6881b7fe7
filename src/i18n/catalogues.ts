import { existsSync, readFileSync } from 'node:fs';
import { languageNames } from '../base/languages.ts';
import { memoiseByKey } from '../base/memoise.ts';
import { en } from './locales/en.ts';

/** Texts by their keys, as deep as a catalogue is. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** A catalogue, and the language (BCP 47) that decides on its plural forms. */
interface SpokenTexts {
  readonly language: string;
  readonly texts: Texts;
}

/** The catalogue for a locale (BCP 47); British English where there is none. */
export type Catalogues = (locale: string) => SpokenTexts;

/** Texts that stand in a folder of their own. */
interface OwnTexts {
  readonly english: Texts;
  /** Has `<language>.json` for a language; English stands in for one that is missing. */
  readonly folder: URL;
}

/**
 * Reads the texts of a language, and those of subjects, from their folders the first time that somebody reads the
 * language: all of them take 5 MB of memory. English alone is always there. Synchronous, since it takes a few
 * milliseconds once for a language, and everything that writes a text would have to wait otherwise.
 */
export function createCatalogues(
  subjects: readonly OwnTexts[] = [],
  folder = new URL('./locales/', import.meta.url),
): Catalogues {
  const folders = [folder, ...subjects.map((subject) => subject.folder)];
  const english = merged([en, ...subjects.map((subject) => subject.english)]);
  const translated = memoiseByKey((language: string): Texts => {
    const files = folders.map((each) => new URL(`${language}.json`, each)).filter((file) => existsSync(file));
    // `npm run check` has checked them against the English ones.
    return merged(files.map((file): Texts => JSON.parse(readFileSync(file, 'utf8'))));
  });

  return (locale) => {
    const { language } = new Intl.Locale(locale);
    return { language, texts: regional(locale, language === 'en' ? english : translated(language)) };
  };
}

/** All of these texts. Names that are typed stand together, whoever brings them; languages have their own names. */
function merged(sets: readonly Texts[]): Texts {
  const typed = Object.assign({}, ...sets.map((texts) => texts['typed']));
  return Object.assign({ language: languageNames }, ...sets, { typed });
}

type Spelling = readonly [catalogue: RegExp, region: string];

/** Words of a catalogue that a region writes otherwise, by its locale. Only those: there is no second catalogue. */
const spellings: Readonly<Record<string, readonly Spelling[]>> = {
  'en-US': [
    [/(colo)u(r)/gi, '$1$2'],
    [/(licen)c(e)/gi, '$1s$2'],
    [/(met)re(s?)\b/gi, '$1er$2'],
    [/(cancel)l(ed)\b/gi, '$1$2'],
    [/23:00 to 8:00/g, '11:00 PM to 8:00 AM'],
    [/from 9:00(?= )/g, 'from 9:00 AM'],
    [/tomorrow 20:00/g, 'tomorrow 8pm'],
  ],
  'es-419': [
    // Discord's permissions, as its Latin American client names them.
    [/Gestionar (servidor|canales|roles|eventos)/g, 'Administrar $1'],
    // The simple past, where Spain has the perfect.
    [/\bni cambiado nada\b/g, 'ni cambió nada'],
    [/\bse lo han ganado\b/g, 'se lo ganaron'],
    [/\bHan pasado\b/g, 'Pasaron'],
    [/\bHas llegado\b/g, 'Llegaste'],
    [/\bHas agotado\b/g, 'Agotaste'],
    [/\bHas empezado\b/g, 'Empezaste'],
    [/\bHas usado\b/g, 'Usaste'],
    [/\bHas pedido\b/g, 'Pediste'],
    [/\bHas ocultado\b/g, 'Ocultaste'],
    [/\bTe has apuntado\b/g, 'Te apuntaste'],
    [/\b[Hh]e tardado\b/g, 'Tardé'],
    [/\bhe vuelto\b/g, 'volví'],
    [/\bhe comprobado\b/g, 'comprobé'],
    [/\bhe visto\b/g, 'vi'],
    [/\bHe visto\b/g, 'Vi'],
    [/\bha vuelto\b/g, 'volvió'],
    [/\bha respondido\b/g, 'respondió'],
    [/\bha caído\b/g, 'cayó'],
    [/\bha (\p{L}+)ado\b/gu, '$1ó'],
    [/\b([Pp])uls(a|ar)\b/g, '$1resion$2'],
    [/\bañadir\b/g, 'agregar'],
    [/\b([Aa])ñade\b/g, '$1grega'],
    [/\bcoche(s?)\b/g, 'auto$1'],
    [/\bCoche(s?)\b/g, 'Auto$1'],
    [/\buna plaza\b/g, 'un cupo'],
    [/\bcuántas plazas\b/g, 'cuántos cupos'],
    [/\blas plazas\b/g, 'los cupos'],
    [/\bTodas los cupos están ocupadas\b/g, 'Todos los cupos están ocupados'],
    [/\bplazas libres desconocidas\b/g, 'cupos libres desconocidos'],
    [/\bplaza(s?)\b/g, 'cupo$1'],
    [/\bPlaza(s?)\b/g, 'Cupo$1'],
    [/\bconduciendo\b/g, 'manejando'],
    [/\bConduciendo\b/g, 'Manejando'],
    [/\bconduce\b/g, 'maneja'],
    [/\bcondujeron\b/g, 'manejaron'],
    [/(horas[ -])punta\b/gi, '$1pico'],
    [/\bcaducar\b/g, 'vencer'],
    [/\bcaduca\b/g, 'vence'],
    [/\bcaducada/g, 'vencida'],
    [/\bde media\b/g, 'en promedio'],
    [/\bmedia\b/g, 'promedio'],
    [/\bMedia\b/g, 'Promedio'],
    [/\bSiniestro total\b/g, 'Pérdida total'],
    [/\bCuentakilómetros\b/g, 'Odómetro'],
    [/\bRatón\b/g, 'Mouse'],
    [/¡Date prisa!/g, '¡Apúrate!'],
    [/23:00 a 8:00/g, '11:00 p.m. a 8:00 a.m.'],
    [/las 9:00(?= )/g, 'las 9:00 a.m.'],
    [/\b(vie|mañana) 20:00/g, '$1 8pm'],
    [/20:30(`?) o (`?)20 h/g, '20:30$1 o $28 pm'],
    [/esta noche a las 21\b/g, 'esta noche a las 9'],
  ],
};

/** The texts as the region of a locale writes them. */
function regional(locale: string, texts: Texts): Texts {
  const ownSpellings = spellings[locale];
  return ownSpellings === undefined ? texts : respelt(texts, ownSpellings);
}

function respelt(texts: Texts, own: readonly Spelling[]): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [
      key,
      typeof text === 'string'
        ? own.reduce((spelt, [from, to]) => spelt.replace(from, to), text)
        : respelt(text, own),
    ]),
  );
}
