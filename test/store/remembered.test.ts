/** What the only process of a bot has read stays true until that process writes. */
import { test as base, expect } from 'vitest';
import type { Stores } from '../../src/bot/stores.ts';
import { defaultSettings } from '../../src/people/guild-settings.ts';
import { remembered } from '../../src/store/remembered.ts';
import { sqlitePlace } from './support.ts';

const IN_MILES = { ...defaultSettings, distances: 'miles' } as const;

/** `behind`: the same file, as another program writes to it. */
const test = base.extend<{ opened: { readonly stores: Stores; readonly behind: Stores } }>({
  opened: async ({ task: _ }, use) => {
    const place = await sqlitePlace();
    await use({ stores: remembered(await place.open()), behind: await place.open() });
    await place.end();
  },
});

test('settings are read once, and what is set counts at once', async ({ opened: { stores, behind } }) => {
  const { guildSettings } = stores;
  expect(await guildSettings.of('1')).toEqual(defaultSettings);
  await behind.guildSettings.change('1', IN_MILES);
  expect(await guildSettings.of('1')).toEqual(defaultSettings);
  await guildSettings.change('1', { ...defaultSettings, colours: false });
  expect(await guildSettings.of('1')).toEqual({ ...defaultSettings, colours: false });
  expect(await behind.guildSettings.of('1')).toEqual({ ...defaultSettings, colours: false });
  expect(await guildSettings.of('2')).toEqual(defaultSettings);
  expect(await guildSettings.of(null)).toEqual(defaultSettings);
});

test('what is set while it is read is what stays', async ({ opened: { stores } }) => {
  const { guildSettings } = stores;
  await Promise.all([guildSettings.of('1'), guildSettings.change('1', IN_MILES)]);
  expect(await guildSettings.of('1')).toEqual(IN_MILES);
});

test('a word is taken once, whenever it was left', async ({ opened: { stores } }) => {
  const { watches } = stores;
  expect(await watches.takePauseNotice('1')).toBeNull();
  await watches.leavePauseNotice('1', 'closed');
  expect(await watches.takePauseNotice('1')).toBe('closed');
  expect(await watches.takePauseNotice('1')).toBeNull();
  await Promise.all([watches.takePauseNotice('1'), watches.leavePauseNotice('1', 'gone')]);
  expect(await watches.takePauseNotice('1')).toBe('gone');
});

test('a word that could not be looked for is looked for again', async ({ opened: { behind } }) => {
  await behind.watches.leavePauseNotice('1', 'rights');
  let isAway = true;
  const takePauseNotice = async (person: string) => {
    if (isAway) throw new Error('away');
    return behind.watches.takePauseNotice(person);
  };
  const { watches } = remembered({ ...behind, watches: { ...behind.watches, takePauseNotice } });
  await expect(watches.takePauseNotice('1')).rejects.toThrow('away');
  isAway = false;
  expect(await watches.takePauseNotice('1')).toBe('rights');
});
