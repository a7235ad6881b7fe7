/** Settings, time zones and wishes, over both kinds of store. */
import { expect } from 'vitest';
import { defaultSettings } from '../../../src/community/accounts/guild-settings.ts';
import { overFile } from '../../store/over-each-store.ts';

const NOW = Date.UTC(2026, 2, 5, 12);
const ANNA = '281474976710657001';
const BORIS = '281474976710657002';

overFile((test) => {
  test("keeps a guild's settings, and has the defaults elsewhere", async ({ one, two }) => {
    const decided = {
      language: 'de',
      distances: 'miles',
      colours: false,
      refresh: 'asker',
      sharing: false,
      timeZone: 'Europe/Oslo',
      convoyRole: null,
      profiles: 'text',
    } as const;
    await one.guildSettings.change('1', decided);
    expect(await two.guildSettings.of('1')).toEqual(decided);
    expect(await two.guildSettings.of('2')).toEqual(defaultSettings);
    expect(await two.guildSettings.of(null)).toEqual(defaultSettings);
  });

  test('keeps all settings of a guild that several change at once', async ({ one, two }) => {
    const resolved = await Promise.all([
      one.guildSettings.change('1', { language: 'de' }),
      two.guildSettings.change('1', { distances: 'miles' }),
      one.guildSettings.change('1', { sharing: false }),
      two.guildSettings.change('1', { colours: false }),
    ]);
    const all = { ...defaultSettings, language: 'de', distances: 'miles', colours: false, sharing: false };
    expect(await one.guildSettings.of('1')).toEqual(all);
    // The last of them to be written has heard of all.
    expect(resolved).toContainEqual(all);
  });

  test('a person has the time zone chosen last, and none that no machine knows', async ({ one, two }) => {
    expect(await one.timeZones.of(ANNA)).toBeNull();
    await one.timeZones.set(ANNA, 'Europe/Berlin');
    await one.timeZones.set(ANNA, 'Europe/Warsaw');
    expect(await two.timeZones.of(ANNA)).toBe('Europe/Warsaw');
    await one.timeZones.set(ANNA, 'Middle/Earth');
    expect(await two.timeZones.of(ANNA)).toBeNull();
    expect(await two.timeZones.of(BORIS)).toBeNull();
  });

  test('a field that cannot be read takes no other one of the person with it', async ({ one, two }) => {
    const text = JSON.stringify({
      link: { username: 'k3nny', since: NOW, hidden: 'perhaps', unwatched: true },
      corrections: { 1: { username: 'zoe', since: NOW }, 2: 7 },
      timeZone: 3,
    });
    await one.documents.commit([], [{ collection: 'people', key: ANNA, text }]);
    expect(await two.links.of(ANNA)).toMatchObject({ username: 'k3nny', since: NOW, by: 'self' });
    expect(await two.links.of(ANNA, '1')).toMatchObject({ username: 'zoe', since: NOW });
    expect(await two.links.of(ANNA, '2')).toMatchObject({ username: 'k3nny' });
    expect(await two.timeZones.of(ANNA)).toBeNull();
    await two.timeZones.set(ANNA, 'Europe/Berlin');
    expect(await one.links.of(ANNA)).toMatchObject({ username: 'k3nny', hidden: false, unwatched: true });
  });

  test.for([
    [
      '11',
      '{"language":"xx","distances":"miles","colours":"no"}',
      { ...defaultSettings, distances: 'miles' },
    ],
    ['12', '{"refresh":7,"language":"pl","more":1}', { ...defaultSettings, language: 'pl' }],
    // As version 2.0.0 stored it.
    [
      '15',
      '{"language":"fr","distances":"kilometres","colours":true,"refresh":"everyone","sharing":true,"timeZone":null,"convoyRole":null,"since":1}',
      { ...defaultSettings, language: 'fr', profiles: 'picture' },
    ],
    ['16', '{"profiles":"song","language":"fr"}', { ...defaultSettings, language: 'fr' }],
    ['13', '[]', defaultSettings],
    ['14', 'no JSON', defaultSettings],
  ] as const)(
    'of %s, %s: a setting that cannot be read is the default',
    async ([guild, text, read], { one, two }) => {
      await one.documents.commit([], [{ collection: 'guild-settings', key: guild, text }]);
      expect(await two.guildSettings.of(guild)).toEqual(read);
    },
  );
});
