/** What each shape of document that deployments have sent looks like on its cards, line by line. */
import { expect, test } from 'vitest';
import { carCard } from '../../commands/cars/cards/car-card.ts';
import { garageCard } from '../../commands/drivers/cards/garage-card.ts';
import { optionsCard } from '../../commands/drivers/cards/options-card.ts';
import type { View } from '../../commands/drivers/cards/profile-card.ts';
import { profileCard } from '../../commands/drivers/cards/profile-card.ts';
import { liveCard } from '../../commands/servers/cards/live-card.ts';
import { membersCard } from '../../commands/servers/cards/members-card.ts';
import { slotsCard } from '../../commands/servers/cards/slots-card.ts';
import type { Card } from '../../src/cards/kit/card.ts';
import { car, profile } from '../../src/service/endpoints.ts';
import { readAs, readChat, readLive, readOptions, readOverview } from '../service/read-as.ts';
import * as documents from '../support/documents.ts';
import { answer, NOON } from '../support/records.ts';
import { createTranslators } from '../support/translators.ts';

const t = createTranslators()('en-GB');

/**
 * Title, description and fields, without the age, which is the same everywhere, and a name in its colours, of which there
 * are tests of its own.
 */
function lines({ embeds: [embed] }: Card): readonly string[] {
  const fields = embed.fields ?? [];
  const description = (embed.description ?? '').replace(/^```ansi\n.*\n```\n/, '');
  return [embed.title ?? '', description, ...fields.flatMap(({ name, value }) => [name, value])]
    .join('\n')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('-# '));
}

async function driverLines(document: { readonly username: string }, view: View): Promise<readonly string[]> {
  const { record, drift } = await readAs(profile, { username: document.username }, document);
  expect(drift).toEqual([]);
  return lines(profileCard(answer(record), view, t)).slice(1);
}

const january2010 = '<t:1262304000:D>';

test('a profile of 2017 with figures in camel case', async () => {
  const document = documents.profileCamelCase;
  expect(await driverLines(document, 'overview')).toEqual([
    '⚪ Last seen <t:1488326400:R> · 🇵🇹 Portugal',
    '**98,765 km** · **64/150** chases',
    '**Money** 84,120 · **Net worth** 876,543',
    `The data service didn't send the properties · **Joined** ${january2010}`,
    '**Licences** 1 valid · **Garage** 1 car',
    '**LX6** · BBBCD · 30,123 km',
    '🔧 ▰▰▰▱▱▱▱▱▱▱ 31%',
  ]);
  expect(await driverLines(document, 'record')).toEqual([
    '```',
    '           km     Time',
    'Total  98,765        –',
    'Police      –  1,000 h',
    '```',
    '**As police** 43 won, 54 lost · 44%',
    '**As robber** 21 won, 32 lost · 40%',
    '**Escapes from the police** 65 · **Police XP** 6,512 · **Robber XP** 7,613',
    t('record.other'),
    // In seconds, as far as we can guess, which is why nothing is made of it.
    '**timeAsRobber** 7,200,123',
    '**civilianXp** 0',
    '**towXp** 0',
    '**medXp** 17',
  ]);
  expect(await driverLines(document, 'properties')).toEqual([
    '**Money** 84,120 · **Net worth** 876,543',
    '```',
    '             Money in  Money out',
    'Driving        81,012      9,123',
    'Drivers     2,100,456  1,200,345',
    'Fines           5,789     66,890',
    'Speed traps         –      7,901',
    'Rentals             –      4,678',
    'Refunds        30,567          –',
    '```',
    t('property.missing'),
  ]);
  expect(await driverLines(document, 'licences')).toEqual([
    '✅ 1 valid',
    '```',
    '   Licence        Until',
    '✅ Police Licence –',
    '```',
    '**Issued** Police Licence 1 Jan 2014 (old\\_\\*hand\\*)',
  ]);
});

test('a profile of 2018 with everything', async () => {
  const document = documents.profileFull;
  expect((await driverLines(document, 'overview')).slice(0, 5)).toEqual([
    '🟢 Online now · 🇵🇹 Portugal',
    '**123,457 km** · **10,000 h** · **34/70** chases',
    '**Money** 84,120 · **Net worth** 1,021',
    `**Properties** 2 · **Joined** ${january2010}`,
    '**Licences** 1 valid · **Garage** 1 car',
  ]);
  expect(await driverLines(document, 'licences')).toEqual([
    '✅ 1 valid',
    '```',
    '   Licence        Until',
    '✅ Server Steward –',
    '```',
    '**Issued** Server Steward 1 Mar 2014',
  ]);
  expect((await driverLines(document, 'properties')).slice(-3)).toEqual([
    '**2 properties** · worth 7,500',
    '**Garage** ▰▰▰▰▰▰▰▰▰▰ 100%',
    '**Locator** ▰▰▰▰▰▱▱▱▱▱ 50% · 7,500',
  ]);
  const { record } = await readAs(profile, { username: document.username }, document);
  expect(lines(garageCard(answer(record), { order: 'condition', page: 0 }, t)).slice(1)).toEqual([
    '**Garage** 1 car · **Upgrades** 3 · worth 7,000',
    `Ramp 99% · Winch 40% · ${t('kind.radar_warner')} 100%`,
    '```',
    'Car VIN      km  Cond.',
    'LX6 BBBCD 8,642  61%',
    '```',
  ]);
});

test('a profile of the later generation', async () => {
  const document = documents.profileLater;
  expect(await driverLines(document, 'overview')).toEqual([
    '🟢 Online now · 🇵🇹 Portugal',
    '**Money** 84,120',
    `**Properties** 1 · **Joined** ${january2010}`,
    '**Licences** 1 expired · **Garage** 1 car',
    '**MRT5 \\(SNOW\\)** · CCDEF · 654 km',
    '▰▰▰▰▰▰▰▰▰▱ 94% · <1% damage',
    'Ramp 33%',
  ]);
  expect(await driverLines(document, 'record')).toEqual([
    '**Record**',
    '```',
    '            Money in  Money out',
    'Drivers      662,002    552,001',
    'Fines          4,005    235,006',
    'Speed traps        –      9,007',
    'Rentals            –     48,004',
    'Refunds       17,003          –',
    '```',
  ]);
  expect(await driverLines(document, 'licences')).toEqual([
    '⌛ 1 expired',
    '```',
    '   Licence        Until',
    '⌛ Police Licence 3 Feb 2023',
    '```',
    '**Issued** Police Licence 3 Feb 2022',
  ]);
});

test('a car of 2017, and one in its first hands', async () => {
  const old = await readAs(car, { vin: 'bbbcd' }, documents.carOldSpelling);
  expect(old.drift).toEqual([]);
  expect(lines(carCard(answer(old.record), t))).toEqual([
    'LX6 · BBBCD',
    '**Condition** ▰▰▰▰▰▰▰▱▱▱ 68%',
    '**Owner** rallymum',
    '**Odometer** 6,543 km',
    'Upgrades',
    t('car.upgradesMissing'),
    t('car.life'),
    '🔑 **rallymum** · from <t:1356998400:d>',
    `**${t('car.previousOwners')}** ${t('car.ownersCount', { n: 1 })}`,
    '**Built** <t:1356998400:d>',
  ]);
  const { record, drift } = await readAs(car, { vin: 'CDKLM' }, documents.carFirstHand);
  expect(drift).toEqual([]);
  expect(lines(carCard(answer(record), t))).toEqual([
    'FZ50 · CDKLM',
    '**Condition** ▰▰▰▰▰▰▰▰▰▱ 87% · <1% damage',
    '**Owner** \\[VR\\]Rita› \\(rallymum\\)',
    '**Odometer** 1,775 km',
    'Upgrades · 1 · worth 4,996',
    '**Winch** ▰▰▰▰▰▰▰▰▰▱ 99%',
    t('car.life'),
    expect.stringMatching(/^🔑 .*rallymum.* · from <t:1512086400:d>/),
    `**${t('car.previousOwners')}** ${t('car.noPreviousOwners')}`,
    '**Built** <t:1512086400:d> · **Model code** FZ5',
  ]);
});

test('options as numbers and as text', async () => {
  const old = await readOptions(documents.optionsAsNumbers);
  expect(
    lines(optionsCard({ username: 'rallymum', nickname: null }, answer(old.record), t)).slice(2),
  ).toEqual([
    t('options.group.driving'),
    `**${t('options.force_mouse')}** on`,
    `**${t('options.chase_debug')}** off`,
    t('options.group.other'),
    '**tccol** 4',
    '**lcol** 3',
    '**show\\_speedlimit** 0',
  ]);
  const { record } = await readOptions(documents.optionsAsText);
  const shown = lines(optionsCard({ username: 'rallymum', nickname: null }, answer(record), t)).join('\n');
  expect(shown).toContain(`**${t('options.mph')}** ${t('options.miles')}`);
  expect(shown).toMatch(/\*\*Location colour\*\*\n```ansi\n.*green/);
  expect(shown).toContain('**LX6 · civilian** `BBBCD`');
  for (const value of ['total', 'pit', 'night', '00aa11bb22cc33dd44ee55ff66778899'])
    expect(shown).toContain(`\`${value}\``);
});

test('live files of both generations', async () => {
  const first = await readLive(documents.liveFirst);
  expect(
    lines(
      liveCard(answer(first.record), { server: 'two', from: null, listed: null, wanted: 0, now: NOON }, t),
    ),
  ).toEqual([
    'Server Two',
    '**3 driving**',
    '🚓 1 police · 🚨 1 siren · 🚧 1 caution',
    '❔ Not reported by this server: names · places · cars',
    '**🚓 police:** 23🚨',
    '**🚧 caution:** 11',
    '**driving:** 4',
  ]);
  expect(first.asOf).toBe(1_491_004_800_250);
  const later = await readLive(documents.liveLater);
  expect(later.drift).toEqual([]);
  expect(
    lines(
      liveCard(answer(later.record), { server: 'two', from: null, listed: null, wanted: 0, now: NOON }, t),
    ),
  ).toEqual([
    'Server Two',
    '**2 driving**',
    'KY2X',
    '❔ Not reported by this server: duty',
    '```ansi',
    'latecomer',
    expect.stringContaining('CCDEF'),
    '```',
  ]);
});

test('the overview, and the Discord server of then and now', async () => {
  const { record } = await readOverview(documents.overviewFive);
  expect(lines(slotsCard(answer(record), [], t)).slice(1)).toEqual([
    t('slots.free', { count: 66 }),
    '**Two** ▰▰▰▰▰▰▰▰▰▱ 35/36',
    '🟢 1 free · Oval City',
    '**Three** ▰▱▱▱▱▱▱▱▱▱ 1/36',
    '🟢 35 free · Old Quarry',
    '**Training** ▱▱▱▱▱▱▱▱▱▱ 0/30',
    '🟢 30 free · Alp Pass',
    '**One** ▰▰▰▰▰▰▰▰▰▰ 36/36',
    '🔴 full · Oval City',
    '**Events** · ⚫ offline',
  ]);
  const old = await readChat(documents.chatOld);
  expect(lines(membersCard(answer(old.record), 0, t))).toEqual([
    '\\[VR\\] Village',
    '**On Discord** 1',
    '🟢 online 1',
    '**9\\_lives** · 🟢 online',
    'Channels',
    'Asleep',
    'Square',
    '\\[VR\\] Cruise Two',
  ]);
  const { record: now, drift } = await readChat(documents.chatWidget);
  expect(drift).toEqual([]);
  expect(lines(membersCard(answer(now), 0, t)).slice(1, 4)).toEqual([
    '**On Discord** 1',
    expect.stringMatching(/idle 1$/),
    '**Invite** https://discord.com/invite/sandbox',
  ]);
});
