/** Names as people type, copy and paste them. */
import { describe, expect, test } from 'vitest';
import { timeZoneOption } from '../../src/app/command-options/time-zone.ts';
import { vinOption } from '../../src/app/command-options/vin.ts';
import type { Person } from '../../src/app/context.ts';
import { resolvePlayer } from '../../src/app/resolve-player.ts';
import { UserError } from '../../src/errors.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import { peopleInMemory } from '../support/people.ts';

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
    const t = createTranslators()('en-GB');
    const suggested = (typed: string) =>
      timeZoneOption
        .complete(typed, {
          t,
          own: null,
          recentNames: { players: () => [], vins: () => [], playersNear: () => [], vinsNear: () => [] },
        })
        .map(({ value }) => value);
    expect(suggested('zür')).toEqual(['Europe/Zurich']);
    expect(suggested('zur')).toEqual(['Europe/Zurich']);
  });
});

const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

describe('a mentioned person', () => {
  const t = createTranslators()('en-GB');
  const anna: Person = { id: ANNA, guildId: '1', channelId: '7', mayManage: false, locale: 'en-GB' };

  test('stands for the driver that counts for them in this server', async () => {
    const { store } = peopleInMemory();
    const context = { store, t, person: anna };
    await store.links.set(BORIS, { username: 'boris77', since: 1, by: 'self' });
    expect(await resolvePlayer(`<@${BORIS}>`, context)).toBe('boris77');
    expect(await resolvePlayer(`<@!${BORIS}>`, context)).toBe('boris77');
    await store.links.correct(BORIS, { guild: '1', username: 'Boris', since: 2 });
    expect(await resolvePlayer(`<@${BORIS}>`, context)).toBe('Boris');
  });

  test('without a driver is told as such, and so is the person who asks', async () => {
    const { store } = peopleInMemory();
    const context = { store, t, person: anna };
    await expect(resolvePlayer(`<@${BORIS}>`, context)).rejects.toThrow(
      new UserError(t('link.missingOf', { person: `<@${BORIS}>` })),
    );
    await expect(resolvePlayer(`<@${ANNA}>`, context)).rejects.toThrow(new UserError(t('link.none')));
  });

  test('is no part of a name', async () => {
    const { store } = peopleInMemory();
    await store.links.set(BORIS, { username: 'boris77', since: 1, by: 'self' });
    for (const name of [`x<@${BORIS}>`, '<@12>', '<#281474976710657002>'])
      expect(await resolvePlayer(name, { store, t, person: anna })).toBe(name);
  });
});
