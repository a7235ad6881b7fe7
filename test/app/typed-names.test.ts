/** Names as people type, copy and paste them. */
import { describe, expect, test } from 'vitest';
import { playerOption } from '../../src/app/command-options/player.ts';
import { timeZoneOption } from '../../src/app/command-options/time-zone.ts';
import { vinOption } from '../../src/app/command-options/vin.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import type { LiveServer } from '../../src/service/models/live-status.ts';
import { noNames } from '../support/no-names.ts';

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

describe('a time zone', () => {
  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['new york', 'America/New_York'],
    ['Zürich', 'Europe/Zurich'],
    ['são paulo', 'America/Sao_Paulo'],
  ])('typed as %j is %s', (typed, zone) => expect(timeZoneOption.schema.parse(typed)).toBe(zone));

  test('is suggested with and without its accents', () => {
    const suggested = (typed: string) => timeZoneOption.complete(typed).map(({ value }) => value);
    expect(suggested('zür')).toEqual(['Europe/Zurich']);
    expect(suggested('zur')).toEqual(['Europe/Zurich']);
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
      own: null,
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

  test('is suggested by login name before whoever has taken that for an in-game name, by both names without colours', () => {
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
