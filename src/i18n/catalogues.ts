import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages } from '../base/languages.ts';
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
export interface TextsOfFeature {
  readonly english: Texts;
  /** Has a module for each language; English stands in for one that is missing. */
  readonly folder: URL;
}

/**
 * Reads each catalogue from its module in that folder, and the texts of features from theirs, the first time that somebody
 * reads the language: all of them take 5 MB of memory. English alone is always there. Synchronous, since it takes a few
 * milliseconds once for a language, and everything that writes a text would have to wait otherwise.
 */
export function createCatalogues(
  features: readonly TextsOfFeature[] = [],
  folder = new URL('./locales/', import.meta.url),
): Catalogues {
  const require = createRequire(import.meta.url);
  // The bundle has its catalogues as JavaScript.
  const extension = extname(import.meta.url);
  const served = new Set(languages.map((each) => new Intl.Locale(each).language));
  const english = merged(
    en,
    features.map((feature) => feature.english),
  );

  function read(language: string, file: string): Texts {
    const module: unknown = require(file);
    const texts = isTexts(module) ? module[language] : undefined;
    if (texts === undefined || typeof texts === 'string')
      throw new TypeError(`the module of ${language} has no texts`);
    return texts;
  }

  const translated = memoiseByKey((language: string): Texts => {
    const fileIn = (of: URL): string => fileURLToPath(new URL(language + extension, of));
    const files = features.map((feature) => fileIn(feature.folder)).filter((file) => existsSync(file));
    return merged(
      read(language, fileIn(folder)),
      files.map((file) => read(language, file)),
    );
  });

  return (locale) => {
    const { language } = new Intl.Locale(locale);
    if (language === 'en') return { language, texts: regional(locale, english) };
    if (!served.has(language)) return { language: 'en', texts: english };
    return { language, texts: regional(locale, translated(language)) };
  };
}

/** Adds the texts of features. Names that are typed stand together, whoever brings them. */
function merged(core: Texts, features: readonly Texts[]): Texts {
  const typedNames = [core, ...features].map((texts) => texts['typed']);
  return Object.assign({}, core, ...features, { typed: Object.assign({}, ...typedNames) });
}

/** The texts themselves are checked where they are written, by `satisfies Catalogue`. */
function isTexts(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null;
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
    [/28 Nov 8pm/g, 'Nov 28 8pm'],
    [/tomorrow 20:00/g, 'tomorrow 8pm'],
  ],
  'es-419': [
    // Discord's permissions, as its Latin American client names them.
    [/Gestionar (servidor|canales|roles|eventos)/g, 'Administrar $1'],
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
    [/\b(vie|28\/11|mañana a las) 20:00/g, '$1 8pm'],
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
