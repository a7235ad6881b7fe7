/** Names as people type, copy and paste them. */
import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/base/errors.ts';
import { languages } from '../../src/base/languages.ts';
import { findZone, zoneNames } from '../../src/base/zone.ts';
import { boardOptions } from '../../src/command-kit/command-options/board-options.ts';
import { bigCities } from '../../src/command-kit/command-options/cities.ts';
import { playerOption } from '../../src/command-kit/command-options/player.ts';
import { typedZone } from '../../src/command-kit/command-options/time-zone.ts';
import { vinOption } from '../../src/command-kit/command-options/vin.ts';
import { zonesMeantBy } from '../../src/command-kit/command-options/zone-abbreviations.ts';
import type { LiveServer } from '../../src/service/models/live-status.ts';
import { noNames } from '../support/no-names.ts';
import { createTranslators } from '../support/translators.ts';

const english = createTranslators()('en-GB');

describe('a VIN', () => {
  test.each(['AB12C', 'ab12c', ' ab12c ', 'ab 12c', 'AB-12C', 'ab12c.', '`AB12C`', '**AB12C**', '#ab.12c'])(
    'typed as %j is AB12C',
    (typed) => expect(vinOption.schema.parse(typed)).toBe('AB12C'),
  );

  test.each(['', '   ', 'AB12', 'AB-12', 'AB12CD', 'AB12Ç', '../..', 'AB12C UF1', 'x'.repeat(6000)])(
    'is not %j',
    (typed) => expect(vinOption.schema.safeParse(typed).success).toBe(false),
  );
});

/** "For example Manchester or Europe/Berlin", in each language. */
const FOR_EXAMPLE =
  /(?:example|Beispiel|exemple|ejemplo|exemplo|esempio|Bijvoorbeeld|przykład|Например,|Örneğin) (.+) \S+ (\w+\/\w+)$/g;

describe('a time zone', () => {
  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['Zürich', 'Europe/Zurich'],
    ['são paulo', 'America/Sao_Paulo'],
    ['München', 'Europe/Berlin'],
    ['Köln', 'Europe/Berlin'],
    ['Hamburg', 'Europe/Berlin'],
    ['Wien', 'Europe/Vienna'],
    ['Roma', 'Europe/Rome'],
    ['Milano', 'Europe/Rome'],
    ['Lyon', 'Europe/Paris'],
    ['Genève', 'Europe/Zurich'],
    ['Bruxelles', 'Europe/Brussels'],
    ['Rotterdam', 'Europe/Amsterdam'],
    ['barcelona', 'Europe/Madrid'],
    ['Lisboa', 'Europe/Lisbon'],
    ['rio de janeiro', 'America/Sao_Paulo'],
    ['Ciudad de Mexico', 'America/Mexico_City'],
    ['Krakow', 'Europe/Warsaw'],
    ['łódź', 'Europe/Warsaw'],
    ['Lodz', 'Europe/Warsaw'],
    ['Ankara', 'Europe/Istanbul'],
    ['izmir', 'Europe/Istanbul'],
    ['москва', 'Europe/Moscow'],
  ])('typed as %j is %s', (typed, zone) => expect(typedZone(typed, english)).toBe(zone));

  test.each(languages)('is read from each example that people are told in %s', (language) => {
    const t = createTranslators()(language);
    const examples = [
      ...t('timezone.hint').matchAll(FOR_EXAMPLE),
      ...t('input.timezone').matchAll(/`([^`]+)`/g),
    ].flatMap(([, ...found]) => found);
    expect(examples).toHaveLength(3);
    for (const example of examples) expect(typedZone(example, t), example).toBeTruthy();
  });

  test('a big city is the name of no zone', () => {
    const cities = bigCities();
    const ends = zoneNames().map((zone) => zone.split('/').at(-1)?.replaceAll('_', ' '));
    expect(cities.filter(({ name }) => ends.includes(name))).toEqual([]);
    for (const { zone } of cities) expect(findZone(zone)).toBe(zone);
  });

  test.each([
    'EST',
    'est',
    ' EST ',
    'Cst',
    'MST',
    'HST',
    'PST',
    'PST8PDT',
    'est5edt',
    'CET',
    'EET',
    'IST',
    'CEST',
    'MSK',
    'PRC',
    'VST',
    'Etc/GMT+5',
    'etc/gmt-14',
    'GMT+5',
    'UTC+2',
    'SystemV/EST5',
  ])('is not the abbreviation or the offset %j', (typed) =>
    expect(() => typedZone(typed, english)).toThrow(UserError),
  );

  test.each([
    ['UTC', 'UTC'],
    ['gmt', 'UTC'],
    ['Etc/UTC', 'UTC'],
    ['Zulu', 'UTC'],
    ['Rome', 'Europe/Rome'],
    ['lima', 'America/Lima'],
    ['Cuba', 'America/Havana'],
    ['US/Eastern', 'America/New_York'],
  ])('typed as the name %j is %s', (typed, zone) => expect(typedZone(typed, english)).toBe(zone));

  test('that an abbreviation may mean is named', () => {
    expect(() => typedZone('est', english)).toThrow('`America/New_York`, `America/Toronto`');
    expect(() => typedZone('PST8PDT', english)).toThrow('`America/Los_Angeles`');
    expect(() => typedZone('Nowhere', english)).toThrow(english('input.timezone'));
  });

  test('that an abbreviation may mean is a zone that is known', () => {
    const letters = `ACDT ACST ACT ADT AEDT AEST AET AKDT AKST ART AST AWST BRT BST CAT CDT CEST CET CLT COT CST CTT EAT
      ECT EDT EEST EET EST GST HKT HST ICT IST JST KST MDT MESZ MET MEZ MSK MST NDT NST NZDT NZST NZT PDT
      PET PHT PKT PRC PST ROC ROK SAST SGT SST TRT WAT WEST WET WIB`;
    for (const abbreviation of letters.split(/\s+/)) {
      const zones = zonesMeantBy(abbreviation) ?? [];
      expect([abbreviation, zones.map((zone) => typedZone(zone, english))]).toEqual([abbreviation, zones]);
      expect(zones).not.toEqual([]);
    }
  });
});

describe('a driver', () => {
  const { complete } = playerOption('profile.options.player', true);
  const nicknames: Readonly<Record<string, string>> = {
    other: '^1Marek',
    third: 'Marek III',
    hindi_hari: 'हरि रेसर',
    long: 'W'.repeat(64),
  };
  const suggested = (typed: string, driving: Readonly<Record<string, LiveServer>> = {}) =>
    complete?.(typed, {
      t: createTranslators()('en-GB'),
      ...{ own: null, zone: 'UTC', now: 0 },
      serverOf: (username) => driving[username] ?? null,
      recentNames: {
        ...noNames,
        players: () => ['marek', 'Marek_2', 'hindi_hari', 'long'],
        playersCalled: () => [
          { username: 'other', nickname: 'Marek', at: 0, fit: 'whole' },
          { username: 'third', nickname: 'Marek III', at: 0, fit: 'part' },
        ],
        nicknameOf: (username) => nicknames[username] ?? null,
      },
    }) ?? [];
  const names = (...args: Parameters<typeof suggested>) => suggested(...args).map(({ name }) => name);

  test('is suggested by login name before a driver who took it as in-game name', () => {
    expect(names('Marek ').filter((name) => !name.startsWith('W'))).toEqual([
      'marek',
      'Marek (other)',
      'marek',
      'Marek_2',
      'हरि रेसर (hindi_hari)',
      'Marek III (third)',
    ]);
    expect(suggested('Marek ')[1]?.value).toBe('other');
  });

  test('is suggested with the server that they drive on, before those who do not drive', () => {
    expect(names('', { third: 'one', hindi_hari: 'two' }).slice(1, 4)).toEqual([
      'हरि रेसर (hindi_hari) · 🟢 Two',
      'Marek III (third) · 🟢 One',
      'marek',
    ]);
  });

  test('has a suggestion that Discord accepts, however long the names are', () => {
    const [name = ''] = names('', { long: 'four' }).filter((each) => each.startsWith('W'));
    expect(name).toMatch(/W… \(long\) · 🟢 Four$/);
    expect(name.length).toBeLessThanOrEqual(100);
  });
});

describe('the text of a suggestion', () => {
  const t = createTranslators()('en-GB');
  const nicknames: Readonly<Record<string, string>> = {
    zsolt: '^1Zsolt Racer',
    // A hostile in-game name, login name, or both.
    evil: 'zsolt',
    worse: 'Ann (ann) · 🟢 Two',
    'x) (ann': 'Bob',
    tom: 'Tom',
    [`${'l'.repeat(50)}`]: 'Long',
  };
  const logins = [...Object.keys(nicknames), 'ann', 'team (ann)'];
  const recentNames = {
    ...noNames,
    players: (typed: string) => logins.filter((login) => login.toLowerCase().startsWith(typed.toLowerCase())),
    nicknameOf: (username: string) => nicknames[username] ?? null,
  };
  const { suggested } = playerOption('profile.options.player', true);
  const driverOf = (typed: string) => suggested?.(typed, { t, recentNames }) ?? typed;

  test.each([
    ['Zsolt Racer (zsolt)', 'zsolt'],
    ['Zsolt Racer (zsolt) · 🟢 Two', 'zsolt'],
    ['Zsolt Racer (zsolt) · 🟢 Сервер 2', 'zsolt'],
    ['Old name (zsolt)', 'zsolt'],
    ['Tom · 🟢 One', 'tom'],
    ['Stranger (nobody) · 🟢 One', 'nobody'],
    ['nobody · 🟢 One', 'nobody'],
    [`Long (${'l'.repeat(37)}…)`, 'l'.repeat(50)],
  ])('%j is the driver %s', (typed, login) => expect(driverOf(typed).toLowerCase()).toBe(login));

  test.each([
    ['zsolt', 'zsolt'],
    ['zsolt (evil)', 'evil'],
    ['Ann (ann) · 🟢 Two (worse)', 'worse'],
    ['Ann (ann) · 🟢 Two (worse) · 🟢 One', 'worse'],
    ['Bob (x) (ann)', 'x) (ann'],
    ['team (ann)', 'team (ann)'],
    ['Stranger (nobody)', 'Stranger (nobody)'],
  ])('%j leads to no other driver than %s', (typed, login) => expect(driverOf(typed)).toBe(login));

  test.each([
    ['ABCDE · FXO Turbo', 'ABCDE'],
    ['abcde · ???', 'abcde'],
    ['AB · CDE', null],
    ['ABCDE', 'ABCDE'],
  ])('%j is the car %s', (typed, vin) => expect(vinOption.suggested(typed)).toBe(vin));

  test.each(languages)('of servers is understood in %s', (locale) => {
    const { servers } = boardOptions;
    const reader = createTranslators()(locale);
    const asker = { own: null, serverOf: () => null, zone: 'UTC', now: 0 };
    const context = { t: reader, recentNames: noNames, ...asker };
    for (const typed of ['', 'one', 'one, two'])
      for (const { name, value } of servers.complete(typed, context))
        expect(servers.schema.parse(servers.suggested(name, context) ?? name)).toBe(value);
  });
});
