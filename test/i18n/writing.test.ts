/** What a machine can see of how each language is written: spaces, quotation marks, and one word for one thing. */
import { describe, expect, test } from 'vitest';
import { createAllCatalogues } from '../../src/features/texts.ts';
import { textsByPath } from '../../src/i18n/texts.ts';

const catalogues = createAllCatalogues();

const PLURAL = /_(one|two|few|many|other)$/;
const english = new Map(textsByPath(catalogues('en').texts));
/** The English text of a key; a plural form that English does not have stands for its `other`. */
const inEnglish = (key: string): string =>
  english.get(key) ?? english.get(key.replace(PLURAL, '_other')) ?? '';

/** Texts of a language without names that are typed and without what stands in backticks: neither is prose. */
const prose = (language: string): (readonly [key: string, text: string])[] =>
  textsByPath(catalogues(language).texts)
    .filter(([key]) => !key.startsWith('typed.'))
    .map(([key, text]) => [key, text.replaceAll(/`[^`]*`/g, '`')] as const);

interface Writing {
  /** Quotation marks and apostrophes that the language uses; no others. */
  readonly quotes: string;
  /** How the language says what these English words name, wherever an English text has them. */
  readonly terms: Readonly<Record<Term, RegExp>>;
  /** Words of before, second names for one thing, and what takes the reader for a man. */
  readonly never: RegExp;
}

/** English words that name one thing each. */
const things = {
  operator: /bot's operator/,
  service: /data service/i,
  board: /live board|live status board/i,
  database: /database/,
  alert: /\balerts?\b/i,
  licence: /\blicen[cs]es?\b/i,
  manage: /Manage Server/,
  permission: /permissions?\b/i,
  history: /\bhistory\b/,
  zone: /time zone/i,
  slot: /\bslots?\b/i,
} as const;
type Term = keyof typeof things;

const writings: Readonly<Record<string, Writing>> = {
  en: {
    quotes: "'",
    terms: things,
    never:
      /^You may come|^May\b|this history|whoever|any ?more\b|look-ups?|\bfolded|adverts|coloured by|my memory|my disk|own records|\bchat\b|\btold\b|^(?:What|Whoever|That which)\b|\bNobody\b/,
  },
  de: {
    quotes: '„“',
    terms: {
      operator: /Betreiber/,
      service: /Datendienst/,
      board: /Live-Board/,
      database: /Datenbank/,
      alert: /Alarm/i,
      licence: /Lizenz/,
      manage: /Server verwalten/,
      permission: /[Bb]erechtigung/,
      history: /Verlauf|Aufzeichnung/,
      zone: /Zeitzone/,
      slot: /Pl[aä]tz/,
    },
    never:
      /^Dürfen Konvois|diese Aufzeichnungen|Knopf|Schaltfläche|Schlagzeile|Sicherungen|verborgen|verberg|betreibt|\bRechte\b|ohne Angabe|"/,
  },
  fr: {
    quotes: "'«»",
    terms: {
      operator: /personne qui gère ce bot/i,
      service: /service de données/i,
      board: /tableaux? en direct/i,
      database: /base de données/,
      alert: /alert/i,
      licence: /licence/i,
      manage: /Gérer le serveur/,
      permission: /permission/i,
      history: /historique/i,
      zone: /fuseau/i,
      slot: /place/i,
    },
    never:
      /^Peuvent |cet historique|hébergé?e?|nom de connexion|montr[ea]|réglages|t'a lié|\bvous\b|\bvotre\b|Décode/i,
  },
  es: {
    quotes: '«»',
    terms: {
      operator: /quien gestiona este bot/i,
      service: /servicio de datos/i,
      board: /pane(?:l|les) en vivo/i,
      database: /base de datos/,
      alert: /avis[oa]/i,
      licence: /licencia/i,
      manage: /Gestionar servidor/,
      permission: /permiso/i,
      history: /historial/i,
      zone: /zona horaria/i,
      slot: /plaza/i,
    },
    never:
      /^Pueden |este historial|plegad|quien me gestiona|puesto por|medio minuto|El fallo es suyo|lo vigilen|de este tiempo/,
  },
  pt: {
    quotes: "'“”",
    terms: {
      operator: /quem mantém este bot/i,
      service: /serviço de dados/i,
      board: /pain(?:el|éis) ao vivo/i,
      database: /banco de dados/,
      alert: /alert/i,
      licence: /licença/i,
      manage: /Gerenciar servidor/,
      permission: /permiss/i,
      history: /histórico/i,
      zone: /fuso horário/i,
      slot: /vaga|lugar/i,
    },
    never:
      /^Podem |este histórico|quem me mantém|por ora|meio minuto|rostos|\bajustes\b|A falha é dele|\bdele no jogo/,
  },
  it: {
    quotes: "'«»",
    terms: {
      operator: /chi gestisce questo bot/i,
      service: /servizio dati/i,
      board: /bachec(?:a|he) live/i,
      database: /database/,
      alert: /avvis/i,
      licence: /licenz/i,
      manage: /Gestisci server/,
      permission: /permess/i,
      history: /storico/i,
      zone: /fuso orario/i,
      slot: /post[oi]/i,
    },
    never:
      /^Possono |questo storico|chi mi gestisce|va online|\bvostr|mezzo minuto|Il problema è suo|Fermato|cautel|sotto il tuo account/,
  },
  nl: {
    quotes: '‘’',
    terms: {
      operator: /eigenaar van deze bot/,
      service: /dataservice/i,
      board: /livebord/i,
      database: /database/,
      alert: /melding/i,
      licence: /licentie/i,
      manage: /Server beheren/,
      permission: /machtiging/,
      history: /geschiedenis/i,
      zone: /tijdzone/i,
      slot: /plek/i,
    },
    never:
      /^Mogen |deze geschiedenis|mij beheert|bot beheert|\bopdracht(?:en)?\b|\brechten\b|zonder keuze|staan dicht|\bZeg het als/,
  },
  pl: {
    quotes: '„”',
    terms: {
      operator: /właściciel/i,
      service: /[Ss]erwis\p{L}* danych/u,
      board: /[Tt]ablic\p{L}* na żywo/u,
      database: /baz\p{L}+ danych/u,
      alert: /alert/i,
      licence: /licencj/i,
      manage: /Zarządzanie serwerem/,
      permission: /uprawnie/,
      history: /histori/i,
      zone: /stref/i,
      slot: /miejsc/i,
    },
    never:
      /^Mogą planować|tę historię|komend|prowadz[iąę]|w ukryciu|pod (?:twoim )?kontem|To po mojej stronie|kolorow[ae] nazw/i,
  },
  ru: {
    quotes: '«»',
    terms: {
      operator: /владел/i,
      service: /сервис\p{L}* данных/iu,
      board: /табло/i,
      database: /баз\p{L} данных/u,
      alert: /оповещ|оповест/i,
      licence: /лиценз/i,
      manage: /Управлять сервером/,
      permission: /прав/i,
      history: /истори/i,
      zone: /часов\p{L}+ пояс/iu,
      slot: /мест/i,
    },
    never:
      /^Могут |эту историю|запускает(?!ся)|под твоим аккаунт|Дело (?:во|в) |\bтот, кто\b|[Тт]ы (?:\p{L}+ )?\p{L}+(?:ал|ил|ел)\b|(?<!\p{L})просил/u,
  },
  tr: {
    quotes: "'",
    terms: {
      operator: /[Bb]ot sahib/,
      service: /[Vv]eri servis/,
      board: /[Cc]anlı pano/,
      database: /[Vv]eritaban/,
      alert: /alarm/i,
      licence: /lisans/i,
      manage: /Sunucuyu Yönet/,
      permission: /[iİ]z[in]/,
      history: /geçmiş/i,
      zone: /[Ss]aat dilim/,
      slot: /[Yy]er/,
    },
    never:
      /Belki gelirsin|sürücünün bu geçmişi|giriş adı|çalıştıran|işleten|çevrimiçi|hesabının altında|kondisyon|özel mesaj|yarım dakika/i,
  },
};

test('every catalogue is among them', () => {
  for (const language of ['en', 'de', 'tr', 'pl', 'fr', 'nl', 'es', 'pt', 'it', 'ru'])
    expect(Object.keys(writings)).toContain(language);
});

describe.each(Object.entries(writings))('%s', (language, { quotes, terms, never }) => {
  const texts = prose(language);

  test('has single spaces, none before a comma or full stop, and one ellipsis', () => {
    for (const [key, text] of texts) {
      expect(text, key).not.toMatch(/[ \u00a0\u202f]{2}|[ \u00a0\u202f]$|^ | \n|\n |\.\.\.|\t/m);
      expect(text, key).not.toMatch(/[\p{L}\p{N})}][ \u00a0\u202f][,.](?:\s|$)/u);
    }
  });

  test('has the spaces of its punctuation', () => {
    for (const [key, text] of texts) {
      if (language === 'fr') {
        expect(text, key).not.toMatch(
          /(?<!\u00a0):(?=\s|$)|(?<!\u202f)[;!?](?=\s|$)|«(?!\u00a0)|(?<!\u00a0)»/u,
        );
      } else expect(text, key).not.toMatch(/[\p{L}\p{N})}*]\s[:;!?](?:\s|$)/u);
    }
  });

  test('has its own quotation marks, in pairs', () => {
    for (const [key, text] of texts) {
      const used = Array.from(text.matchAll(/["'„“”«»‘’‚]/g), ([mark]) => mark);
      expect(
        used.filter((mark) => !quotes.includes(mark)),
        key,
      ).toEqual([]);
      const of = (mark: string): number => used.filter((one) => one === mark).length;
      expect(of('«'), key).toBe(of('»'));
      if (quotes.startsWith('„')) expect(of('„'), key).toBe(of(quotes.slice(1, 2)));
      if (language === 'es') {
        expect(text.split('¡').length, key).toBe(text.split('!').length);
        expect(text.split('¿').length, key).toBe(text.split('?').length);
      }
    }
  });

  test.each(Object.entries(things))('has one term for: %s', (term, said) => {
    // The names of Discord's permissions are Discord's; the history of a car is its life.
    const naming = texts.filter(
      ([key]) => !/^board\.right\.|^car\./.test(key) && said.test(inEnglish(key).replaceAll(/`[^`]*`/g, '`')),
    );
    expect(naming.length).toBeGreaterThan(0);
    const otherwise = naming.filter(([, text]) => !terms[term as Term].test(text));
    const where = `src/i18n/locales/${language}.ts says none of ${terms[term as Term]}`;
    expect(otherwise, where).toEqual([]);
  });

  test('names no option where a form shows the text, too', () => {
    const inForms = /^(?:watch\.refused\.(?:nothing|goesAlone|figure)|roles\.wrong\.(?:figure|licence))$/;
    const shown = prose(language).filter(([key]) => inForms.test(key));
    expect(shown).toHaveLength(5);
    expect(shown.filter(([, text]) => text.includes('`'))).toEqual([]);
  });

  test('has no second word for a thing, and takes no reader for a man', () => {
    const found = texts.flatMap(([key, text]) => {
      const [word] = never.exec(text) ?? [];
      return word === undefined ? [] : [`${word} in ${key} of src/i18n/locales/${language}.ts`];
    });
    expect(found).toEqual([]);
  });
});
