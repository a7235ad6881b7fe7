/** What a machine can see of how each language is written: spaces, quotation marks, and one word for one thing. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createAllCatalogues } from '../../commands/subjects.ts';
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
  driver: /\bdrivers?\b/i,
  online: /(?<!comes |last )\bonline\b/i,
  offline: /\boffline\b/i,
  outage: /\boutages?\b/i,
  verified: /\bverif(?:y|ied|ication)/i,
  convoy: /(?<!\{)\bconvoys?\b/i,
  place: /\} places?$|^Places \(|^All places/,
  peak: /\bpeak\b/i,
} as const;
type Term = keyof typeof things;

const writings: Readonly<Record<string, Writing>> = {
  en: {
    quotes: "'",
    terms: things,
    never:
      /^You may come|^May\b|this history|whoever|any ?more\b|look-ups?|\bfolded|adverts|coloured by|my memory|my disk|own records|\bchat\b|\btold\b|^(?:What|Whoever|That which)\b|\bNobody\b|[Oo]nline in \d+ days|(?<!\{)\bplayers?\b(?!\})|\blive files?\b|most at once|by (?:itself|themselves)/,
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
      driver: /Fahrer/i,
      online: /online|Spielzeit/i,
      offline: /offline/i,
      outage: /Ausf[aä]ll/i,
      verified: /bestätig/i,
      convoy: /Konvoi/,
      place: /Pl[aä]tz/,
      peak: /Höchststand/,
    },
    never:
      /^Dürfen Konvois|diese Aufzeichnungen|Knopf|Schaltfläche|Schlagzeile|Sicherungen|verborgen|verberg|betreibt|\bRechte\b|ohne Angabe|"|[Oo]nline in \d+ Tagen|nicht geprüft\)|kein(?:e|en)? Spieler|höchstens \{\{count\}\}|\bWähle\b|(?<!ch )[Vv]ersuche es|findet weiter|fällt aus|pausiert: Ich/,
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
      driver: /pilote|liens? (?:non )?vérifié/i,
      online: /en ligne/i,
      offline: /hors ligne/i,
      outage: /panne/i,
      verified: /vérifi/i,
      convoy: /convoi/i,
      place: /place/i,
      peak: /\bpic\b/i,
    },
    never:
      /^Peuvent |cet historique|hébergé?e?|nom de connexion|montr[ea]|réglages|t'a lié|\bvous\b|\bvotre\b|Décode|ligne en \d+ jours|renomme-le|en marche|\bau plus \{\{count|aucun joueur|sans salon|^(?:Organise|Modifie|Annule) /i,
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
      driver: /piloto|vínculos? (?:sin )?verific/i,
      online: /en línea/i,
      offline: /desconectad/i,
      outage: /caída/i,
      verified: /verif[ií]/i,
      convoy: /convoy/i,
      place: /plaza/i,
      peak: /\bpico\b/i,
    },
    never:
      /^Pueden |este historial|plegad|quien me gestiona|puesto por|medio minuto|El fallo es suyo|lo vigilen|de este tiempo|\bsois\b|\p{L}[áé]is\b|línea en \d+ días|\b[Cc]upo|de forma inestable|no doy cifras|como mucho \{\{count|en directo|sin canal|^fue(?:ron)? \{/u,
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
      driver: /piloto/i,
      online: /online/i,
      offline: /offline/i,
      outage: /queda/i,
      verified: /verifi/i,
      convoy: /comboio/i,
      place: /vaga/i,
      peak: /\bpico\b/i,
    },
    never:
      /^Podem |este histórico|quem me mantém|por ora|meio minuto|rostos|\bajustes\b|A falha é dele|\bdele no jogo|[Oo]nline em \d+ dias|no máximo \{\{count|(?<!fora d)o ar\b|\} fo(?:i|ram)$|^[NF]o ar|sem canal/,
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
      driver: /pilot|collegament[oi] (?:non )?verificat|a chi se lo è guadagnato/i,
      online: /online/i,
      offline: /offline/i,
      outage: /interruzion/i,
      verified: /verific/i,
      convoy: /convogli/i,
      place: /post[oi]/i,
      peak: /picco/i,
    },
    never:
      /^Possono |questo storico|chi mi gestisce|va online|\bvostr|mezzo minuto|Il problema è suo|Fermato|cautel|sotto il tuo account|[Oo]nline in \d+ giorni|[Aa]ltre cifre|do cifre|^Cifra$|(?:[Nn]on|[Tt]i) sei (?:stato |già )?\p{L}+to\b|Lascia perdere|al massimo \{\{count\}\} insieme|in diretta|senza canale|^attivo$/u,
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
      permission: /machtiging/i,
      history: /geschiedenis/i,
      zone: /tijdzone/i,
      slot: /plek/i,
      driver: /rijder/i,
      online: /online/i,
      offline: /offline/i,
      outage: /storing/i,
      verified: /verifi/i,
      convoy: /konvooi/i,
      place: /plek/i,
      peak: /piek/i,
    },
    never:
      /^Mogen |deze geschiedenis|mij beheert|bot beheert|\bopdracht(?:en)?\b|\brechten\b|zonder keuze|staan dicht|\bZeg het als|[Oo]nline in \d+ dagen|\bplat\b|[Uu]itval|\bin deze server|niet gecontroleerd\)|hooguit \{\{count\}\} tegelijk|[Hh]oogstens|[Zz]onder kanaal/,
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
      driver: /kierow/i,
      online: /online/i,
      offline: /offline/i,
      outage: /awari/i,
      verified: /potwierd/i,
      convoy: /konw[oó]j/i,
      place: /miejsc/i,
      peak: /szczyt/i,
    },
    never:
      /^Mogą planować|tę historię|komend|prowadz[iąę]|w ukryciu|pod (?:twoim )?kontem|To po mojej stronie|kolorow[ae] nazw|[Ww]spom[ni]|Sam konwój trwa|niezmierzon|bez weryfikacji|pingu|bez kanału|\bprawa (?:\*|do)|(?<!\p{L})na \{\{(?:server|channels?)\}\}/iu,
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
      driver: /водител|за рулём/i,
      online: /в сети/i,
      offline: /не в сети/i,
      outage: /сбо[йяеи]/i,
      verified: /подтвер/i,
      convoy: /конво[йюяеи]/i,
      place: /мест/i,
      peak: /пик/i,
    },
    never:
      /^Могут |эту историю|запускает(?!ся)|под твоим аккаунт|Дело (?:во|в) |\bтот, кто\b|[Тт]ы (?:\p{L}+ )?\p{L}+(?:ал|ил|ел)\b|(?<!\p{L})просил|офлайн|\(а\)|отвеча(?:ет|ют) \{\{|не проверено|пинг|живы[хе] данны|без канала|^(?:Запланируй|Измени|Отмени) конвой/u,
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
      driver: /sürücü/i,
      online: /çevrim içi|açık/i,
      offline: /kapalı|çevrim dışı/i,
      outage: /kesinti/i,
      verified: /doğrula/i,
      convoy: /konvoy/i,
      place: /yer/i,
      peak: /zirve|kalabalık an/i,
    },
    never:
      /Belki gelirsin|sürücünün bu geçmişi|giriş adı|çalıştıran|işleten|çevrimiçi|hesabının altında|kondisyon|özel mesaj|yarım dakika|çevrimdışı|\}\} üzerinde|\btanesi \{\{server|kararsız|saat \{\{clock\}\} itibar|[İi]ptal et ve|bahsed/i,
  },
};

/** Permissions have Discord's names, the history of a car is its life, and four texts name a driver without the noun. */
const UNLIKE =
  /^board\.right\.|^car\.|^link\.otherHere$|^live\.noFile$|^roles\.description$|^recap\.title\.(?:marathon|daily)$/;

/** Texts about stored data are formal in English; the status is Discord's name of it. */
const FORMAL = /^(?:privacy|forget)\.|\.(?:privacy|stored)\.|^members\.status\./;

test('English contracts its negations outside of the texts about stored data', () => {
  const long = prose('en').filter(
    ([key, text]) =>
      !FORMAL.test(key) &&
      /\b(?:do|does|did|is|are|was|were|has|have|could|will) not\b|\bcannot\b/i.test(text),
  );
  expect(long).toEqual([]);
});

/** Faults of grammar that a language can have, each with the languages that have it. */
const grammar: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  // "dal 8" is "dall'8", "las 1:05" is "la 1:05".
  'has no word before a date or a clock whose form depends on its number': {
    fr: /(?<!\p{L})(?:du|au) \{\{(?:from|to|time|clock)\}\}/iu,
    es: /(?<!\p{L})las \{\{(?:date|from|to|time|clock)\}\}/iu,
    pt: /(?<!\p{L})(?:às|as|são) \{\{(?:date|from|to|time|clock)\}\}/iu,
    it: /(?<!\p{L})(?:il|dal|al|del|alle|dalle|le) \{\{(?:date|day|when|moment|from|to|time|clock)\}\}/iu,
  },
  // An ordinal has the same letter whatever its number: "2e", "2º".
  'has no ending right behind a placeholder, which would depend on it': Object.fromEntries(
    ['de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'tr'].map((language) => [
      language,
      /(?<!\{\{rank)\}\}(?:\*\*)?['’]?\p{L}/u,
    ]),
  ),
  'does not take the reader for a man': {
    fr: /(?<!\p{L})tu (?:\p{L}+ )?(?:n')?(?:y )?(?:es|as été|seras) (?:\p{L}+ )?\p{L}+[éiu](?!\p{L})/iu,
    es: /(?<!\p{L})(?:estás|eres|quedas) (?:\p{L}+ )?\p{L}+[aist]do(?!\p{L})/iu,
    pt: /você (?:\p{L}+ )?(?:está|é|foi|ficou) (?:\p{L}+ )?\p{L}+[aist]do(?!\p{L})/iu,
    it: /(?<!\p{L})sei (?:\p{L}+ )?\p{L}+to(?!\p{L})/iu,
    pl: /(?<!\p{L})\p{L}+[aeiyą]łeś(?!\p{L})/iu,
    ru: /(?<!\p{L})ты (?:\p{L}+ )?\p{L}+(?:ал|ил|ел)(?!\p{L})/iu,
  },
};

describe.each(Object.entries(grammar))('each language %s', (_fault, patterns) => {
  test.each(Object.entries(patterns))('%s', (language, pattern) => {
    expect(prose(language).filter(([, text]) => pattern.test(text))).toEqual([]);
  });
});

test('code writes no colon between a label and its value: `card.labelled` has it', () => {
  const files = globSync(['src/cards/**/*.ts', 'commands/**/*.ts']);
  expect(files.filter((file) => /: \$\{/.test(readFileSync(file, 'utf8')))).toEqual([]);
});

/** Words and clocks of the other side of the ocean. */
const foreign = {
  'es-419':
    /[*«]Gestionar\b|\b(?:coche|plaza)s?\b|\bcondu[cj](?!ción)|[ -]punta\b|caduc|\bmedia\b|\bratón|\b(?:2[0-3]|1[3-9]):00|\b(?:las|una|cuántas|todas) cupos?\b|desconocidas$|\bpulsa|añad|\b(?:he|has|ha|han) \p{L}+(?:[aií]do|to)\b/iu,
  'en-US':
    /\p{L}our(?:s|ed)?\b(?<!\b(?:h|f|y|t)ours?)|licence|metre|cancelled|\b(?:2[0-3]|1[3-9]):00|28 Nov/iu,
} as const;

test.each(Object.entries(foreign))('%s has the words and the clock of its region', (locale, pattern) => {
  expect(textsByPath(catalogues(locale).texts).filter(([, text]) => pattern.test(text))).toEqual([]);
});

test('every catalogue is among them', () => {
  for (const language of ['en', 'de', 'tr', 'pl', 'fr', 'nl', 'es', 'pt', 'it', 'ru'])
    expect(Object.keys(writings)).toContain(language);
});

/** Texts of a feature that was taken out may have been the only ones that name a thing. */
const thingsInTexts = Object.entries(things).filter(([, said]) =>
  prose('en').some(([key, text]) => !UNLIKE.test(key) && said.test(text)),
);

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

  test.each(thingsInTexts)('has one term for: %s', (term, said) => {
    const naming = texts.filter(
      ([key]) => !UNLIKE.test(key) && said.test(inEnglish(key).replaceAll(/`[^`]*`/g, '`')),
    );
    expect(naming.length).toBeGreaterThan(0);
    const otherwise = naming.filter(([, text]) => !terms[term as Term].test(text));
    const where = `the texts of ${language} say none of ${terms[term as Term]}`;
    expect(otherwise, where).toEqual([]);
  });

  test('has a name of its own for each command and option', () => {
    const names = textsByPath(catalogues(language).texts).filter(([key]) => key.startsWith('typed.'));
    const keysByName = Map.groupBy(names, ([, name]) => name);
    expect([...keysByName.values()].filter((keys) => keys.length > 1)).toEqual([]);
  });

  test('has no second word for a thing, and takes no reader for a man', () => {
    const found = texts.flatMap(([key, text]) => {
      const [word] = never.exec(text) ?? [];
      return word === undefined ? [] : [`${word} in ${key} of ${language}`];
    });
    expect(found).toEqual([]);
  });
});
