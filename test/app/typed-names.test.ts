/** Names as people type, copy and paste them. */
import { describe, expect, test } from 'vitest';
import { playerOption } from '../../src/app/command-options/player.ts';
import { timeZoneOption } from '../../src/app/command-options/time-zone.ts';
import { vinOption } from '../../src/app/command-options/vin.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
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
  const suggested = (typed: string) =>
    complete?.(typed, {
      t: createTranslators()('en-GB'),
      own: null,
      recentNames: {
        ...noNames,
        players: () => ['marek', 'Marek_2'],
        playersCalled: () => [
          { username: 'other', nickname: 'Marek', at: 0, fit: 'whole' },
          { username: 'MAREK', nickname: 'Marek', at: 0, fit: 'whole' },
          { username: 'third', nickname: 'Marek III', at: 0, fit: 'part' },
        ],
      },
    }).map(({ name, value }) => (name === value ? value : `${value}: ${name}`));

  test('is suggested by login name before whoever has taken that for an in-game name', () => {
    expect(suggested('Marek ')).toEqual([
      'marek',
      'other: other · Marek',
      'MAREK',
      'marek',
      'Marek_2',
      'third: third · Marek III',
    ]);
  });
});
