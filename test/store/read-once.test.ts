/** What the only process of a bot has read stays true until that process writes; what others write, too, for a while. */
import { beforeEach, expect, test } from 'vitest';
import { StoreError } from '../../src/base/errors.ts';
import { createGuildSettings, defaultSettings } from '../../src/community/accounts/guild-settings.ts';
import { createLinks } from '../../src/community/accounts/links.ts';
import type { Documents } from '../../src/store/documents.ts';
import { readOnce } from '../../src/store/read-once.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';

const IN_MILES = { ...defaultSettings, distances: 'miles' } as const;

/** The same documents, as another program writes to them. */
let behind: Documents;
let documents: Documents;
let sharedDocuments: Documents;
let clock: ManualClock;
let reads: number;
let isAway: boolean;

beforeEach(() => {
  behind = documentsInMemory();
  reads = 0;
  isAway = false;
  const counted: Documents = {
    ...behind,
    async read(...asked) {
      reads += 1;
      if (isAway) throw new StoreError('away');
      return behind.read(...asked);
    },
  };
  clock = createManualClock();
  documents = readOnce(counted, clock, { isSoleWriter: true });
  sharedDocuments = readOnce(counted, clock, { isSoleWriter: false });
});

test('settings are read once, and what is set counts at once', async () => {
  const settings = createGuildSettings(documents);
  expect(await settings.of('1')).toEqual(defaultSettings);
  expect(await settings.of('1')).toEqual(defaultSettings);
  expect(reads).toBe(1);
  await settings.change('1', { colours: false });
  expect(await settings.of('1')).toEqual({ ...defaultSettings, colours: false });
  expect(await createGuildSettings(behind).of('1')).toEqual({ ...defaultSettings, colours: false });
  expect(await settings.of('2')).toEqual(defaultSettings);
  expect(await settings.of(null)).toEqual(defaultSettings);
});

test('what is set while it is read is what stays', async () => {
  const settings = createGuildSettings(documents);
  await Promise.all([settings.of('1'), settings.change('1', IN_MILES), settings.of('1')]);
  expect(await settings.of('1')).toEqual(IN_MILES);
});

test('what another program has written is found where it would be overwritten', async () => {
  const settings = createGuildSettings(documents);
  await settings.of('1');
  await createGuildSettings(behind).change('1', IN_MILES);
  expect(await settings.change('1', { colours: false })).toEqual({ ...IN_MILES, colours: false });
});

test('a commit whose answer was lost is found as it was done', async () => {
  const lost = readOnce(
    {
      ...behind,
      async commit(...asked) {
        await behind.commit(...asked);
        throw new StoreError('away');
      },
    },
    clock,
    { isSoleWriter: true },
  );
  const settings = createGuildSettings(lost);
  expect(await settings.of('1')).toEqual(defaultSettings);
  await expect(settings.change('1', IN_MILES)).rejects.toThrow('away');
  expect(await settings.of('1')).toEqual(IN_MILES);
});

test('what could not be read is read again', async () => {
  await createGuildSettings(behind).change('1', IN_MILES);
  const settings = createGuildSettings(documents);
  isAway = true;
  await expect(settings.of('1')).rejects.toThrow('away');
  isAway = false;
  expect(await settings.of('1')).toEqual(IN_MILES);
});

test('asks for no version twice for a value derived from all documents, until a write', async () => {
  const links = createLinks(documents);
  await links.set('1', { username: 'k3nny', since: 0 });
  expect(await links.linked()).toHaveLength(1);
  const before = reads;
  expect(await links.linked()).toBe(await links.linked());
  expect(reads).toBe(before);
  await links.set('2', { username: 'zoe', since: 0 });
  expect(await links.linked()).toHaveLength(2);
});

test("reads others' writes after five seconds, and at once what this process writes", async () => {
  const settings = createGuildSettings(sharedDocuments);
  expect(await settings.of('1')).toEqual(defaultSettings);
  await createGuildSettings(behind).change('1', IN_MILES);
  clock.pass(4999);
  expect(await settings.of('1')).toEqual(defaultSettings);
  expect(reads).toBe(1);
  clock.pass(1);
  expect(await settings.of('1')).toEqual(IN_MILES);
  expect(await settings.change('1', { colours: false })).toEqual({ ...IN_MILES, colours: false });
  expect(await settings.of('1')).toEqual({ ...IN_MILES, colours: false });
});

test('links, by which drivers are hidden, are read each time where others write them', async () => {
  const links = createLinks(sharedDocuments);
  expect(await links.of('1')).toBeNull();
  await createLinks(behind).set('1', { username: 'zoe', since: 0 });
  expect(await links.of('1')).toMatchObject({ username: 'zoe' });
});
