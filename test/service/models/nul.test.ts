/** A text of the game has a fixed width and ends at its first NUL, in every record. */
import { expect, test } from 'vitest';
import { readCar, readChat, readLive, readOptions, readOverview, readProfile } from '../read-as.ts';

const old = (text: string): string => `${text}\0^7AI 22`;

test('a profile has no letter from after a NUL', async () => {
  const { record, drift } = await readProfile({
    username: old('Alice'),
    nickname: old('^1AI 1'),
    countryCode: 'de\0x',
    licenses: [{ type: old('cop'), name: old('Cop'), issuedBy: old('bob') }],
    properties: [{ type: old('garage') }],
    cars: [{ vin: 'AB12C\0X', type: old('XRT'), upgrades: [{ type: old('ramp') }] }],
  });
  expect(drift).toEqual([]);
  expect(record).toMatchObject({
    username: 'Alice',
    nickname: '^1AI 1',
    country: 'de',
    licences: [{ type: 'cop', name: 'Cop', issuedBy: 'bob' }],
    properties: [{ type: 'garage' }],
    cars: [{ vin: 'AB12C', type: 'XRT', upgrades: [{ type: 'ramp' }] }],
  });
});

test('a live file has no letter from after a NUL', async () => {
  const player = { un: old('alice'), nn: old('^1AI 1'), l: old('Safe zone'), v: 'AB12C\0X', p: 3 };
  const { record } = await readLive({ n: old('One'), tk: old('SO4'), t: 1, ps: { 7: player } });
  expect(record).toMatchObject({ server: 'One', track: 'SO4' });
  expect(record.players).toMatchObject([
    { username: 'alice', nickname: '^1AI 1', place: 'Safe zone', vin: 'AB12C' },
  ]);
});

test('no other record has a letter from after a NUL', async () => {
  expect((await readCar({ vin: 'AB12C\0X', owner: old('bob'), nickname: old('Bob') })).record).toMatchObject({
    ...{ vin: 'AB12C', owner: 'bob', nickname: 'Bob' },
  });
  expect((await readOptions({ [old('theme')]: old('dark') })).record).toEqual([
    { name: 'theme', value: 'dark' },
  ]);
  expect((await readOverview({ [old('one')]: { online: true, track: old('BL1') } })).record).toMatchObject([
    { name: 'one', track: 'BL1' },
  ]);
  const chat = { name: old('Chat'), channels: [{ name: old('Duty') }], members: [{ username: old('al') }] };
  expect((await readChat(chat)).record).toMatchObject({
    ...{ name: 'Chat', channels: [{ name: 'Duty' }], members: [{ username: 'al' }] },
  });
});

test('a text that begins with a NUL is empty, and a long one ends at its NUL', async () => {
  const { record } = await readProfile({ nickname: '\0old' });
  expect(record.nickname).toBe('');
  expect((await readProfile({ nickname: `A\0${'x'.repeat(600)}` })).record.nickname).toBe('A');
});
