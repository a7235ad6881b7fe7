import { expect, test } from 'vitest';
import { driverPicture } from '../../../../commands/drivers/cards/picture-card.ts';
import { DAY, HOUR } from '../../../../src/base/duration.ts';
import { languages } from '../../../../src/base/languages.ts';
import type { ProfilePast } from '../../../../src/cards/history/gains.ts';
import { writeCustomId } from '../../../../src/cards/kit/custom-id.ts';
import { tellButtons } from '../../../../src/cards/kit/tell-buttons.ts';
import type { Presence } from '../../../../src/community/history/history.ts';
import { type DriverHistory, type Session, topSubjects } from '../../../../src/community/history/history.ts';
import { Chart, type DriverCard } from '../../../../src/pictures/chart.ts';
import { answer, driver, NOON } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';

const t = createTranslators()('en-GB');

const earlier = {
  at: NOON - 6 * DAY,
  figures: {
    driven_distance: 122_000_000,
    gaming_time_total: 3_990_000,
    chases_won_cop: 310,
    chases_won_robber: 7,
  },
};
const past: ProfilePast = { earlier, best: { subject: 'playtime', rank: 3, count: 1 } };

function session(from: number, hours: number): Session {
  const span = { from, to: from + hours * HOUR, played: hours * HOUR };
  return { ...span, server: 'one', duty: null, startKnown: true, endKnown: true };
}

/** 20 November 2026, a Friday, at noon. */
const sessions: Pick<DriverHistory, 'current' | 'sessions' | 'since' | 'until' | 'holes'> = {
  current: null,
  sessions: [session(NOON - 26 * HOUR, 4), session(NOON - 13 * HOUR, 2)],
  since: NOON - 30 * DAY,
  until: NOON,
  holes: [{ from: NOON - 3.5 * DAY, to: NOON - 2.5 * DAY }],
};

function shown(
  changes: object = {},
  more: Partial<Parameters<typeof driverPicture>[0]> = {},
  translator = t,
) {
  const facts = {
    ...{ answer: answer(driver(changes)), past, presence: null, sessions, community: 'Open Road Racing' },
    ...{ zone: 'UTC', now: NOON, isProved: false },
  };
  const picture = driverPicture({ ...facts, ...more }, translator);
  if (picture.chart.kind !== 'driver') throw new Error('no picture of a driver');
  return { picture, chart: picture.chart satisfies DriverCard };
}

test('the name is in the colours of the game, not in those of Discord', () => {
  expect(shown({ nickname: '^1Red^7White^8 plain' }).chart.name).toEqual([
    { text: 'Red', colour: '#ff0000' },
    { text: 'White', colour: '#ffffff' },
    { text: ' plain', colour: null },
  ]);
});

test('a server that hides colours hides them in pictures, too', () => {
  const plain = createTranslators()('en-GB', { unit: 'kilometre', colours: false });
  expect(shown({ nickname: '^1Red' }, {}, plain).chart.name).toEqual([{ text: 'Red', colour: null }]);
});

test('figures have what they gained, and since when', () => {
  const { chart } = shown({}, { sessions: null });
  expect(chart.figures).toEqual([
    { label: 'Distance', value: '123,457 km', gain: '+1,457 km' },
    { label: 'Time online', value: '1,111\u00a0h', gain: '+2\u00a0h\u00a047' },
    { label: 'Chases won', value: '319/379', gain: '+2' },
  ]);
  expect(chart.smallLines).toEqual(['As of 20 Nov · gains since 14 Nov']);
});

test('a missing figure is left out, and without a past no gain is shown', () => {
  const { chart } = shown({ stats: { driven_distance: 1000 } }, { past: null });
  expect(chart.figures).toEqual([{ label: 'Distance', value: '1 km', gain: null }]);
  expect(chart.rank).toBeNull();
  expect(chart.smallLines.join()).not.toContain('gains');
});

test('each of seven days is drawn relative to the longest; an unknown day is not idle', () => {
  const { week } = shown().chart;
  expect(week?.label).toBe('Online in the last 7 days: at least 6\u00a0h');
  expect(
    week?.days.map(({ label, share }) => [label, typeof share === 'number' ? Math.round(100 * share) : null]),
  ).toEqual([
    ['Sat', 0],
    ['Sun', 0],
    ['Mon', 0],
    ['Tue', null],
    ['Wed', 0],
    ['Thu', 100],
    ['Fri', 20],
  ]);
});

test('time online of a week without holes is exact, also after a restart of the bot', () => {
  const holes = [{ from: NOON - 2 * HOUR, to: NOON - 2 * HOUR + 60_000 }];
  for (const whole of [
    { ...sessions, holes: [] },
    { ...sessions, holes },
  ])
    expect(shown({}, { sessions: whole }).chart.week?.label).toBe('Online in the last 7 days: 6\u00a0h');
});

test('without the week’s sessions, or before any are known, there are no bars', () => {
  expect(shown({}, { sessions: null }).chart.week).toBeNull();
  expect(shown({}, { sessions: { ...sessions, sessions: [], since: null } }).chart.week).toBeNull();
});

test('the words behind the picture say what it shows', () => {
  const { picture } = shown();
  const facts = [
    'Distance: 123,457 km (+1,457 km)',
    'Time online: 1,111\u00a0h',
    'Chases won: 319/379 (+2)',
    'Germany · Joined 1 Mar 2019',
    'Best car: UF 1000 (XMAS) · 88 km · 100%',
    'Online in the last 7 days: at least 6\u00a0h\nSat: 0\u00a0min · Sun: 0\u00a0min · Mon: 0\u00a0min · Tue: no data · ' +
      'Wed: 0\u00a0min · Thu: 5\u00a0h · Fri: 1\u00a0h',
  ];
  for (const fact of facts) expect(picture.alt).toContain(fact);
  expect(picture.embeds).toEqual([]);
});

test("the picture has the driver's flag, country, best car, community and proof", () => {
  const { chart } = shown({}, { isProved: true });
  expect(chart).toMatchObject({
    ...{
      flag: 'de',
      aboutLine: 'Germany · Joined 1 Mar 2019',
      community: 'Open Road Racing',
      isProved: true,
    },
    car: { label: 'Best car', value: 'UF 1000 (XMAS) · 88 km · 100%' },
  });
  const unknown = { countryCode: 'xq', dateJoined: null, cars: null };
  expect(shown(unknown, { community: null }).chart).toMatchObject({
    ...{ flag: null, aboutLine: '', community: null, isProved: false, car: null },
  });
  expect(shown({ countryCode: 'uk' }).chart).toMatchObject({ flag: 'gb' });
});

test('a record from before says so beside the picture', () => {
  const stale = { ...answer(driver()), stale: 'unavailable' as const };
  expect(shown({}, { answer: stale }).picture.embeds?.[0]?.description).toContain('Old data');
});

test('below a picture are *Refresh*, *Overview*, and *Tell me* if the driver is away', () => {
  const ways = [
    { label: 'Refresh', custom_id: '1:profile:refresh-drawn:k3nny' },
    { label: 'Overview', custom_id: '1:profile:overview:k3nny' },
  ];
  const away = tellButtons('driver', 'k3nny', t).map((button) => ({
    label: button.label,
    custom_id: writeCustomId(button),
  }));
  const below = (presence: Presence | null) =>
    shown({}, { presence }).picture.components?.[0]?.components ?? [];
  expect(below({ server: 'one', since: null })).toMatchObject(ways);
  expect(below({ server: null, lastSeen: NOON })).toMatchObject([...ways, ...away]);
});

test.each<[string, Presence | null, object, string | null]>([
  [
    'the server and since when',
    { server: 'two', since: { from: NOON - HOUR, startKnown: true } },
    {},
    `🟢 On **Two** since <t:${(NOON - HOUR) / 1000}:t>`,
  ],
  ['the server alone', { server: 'two', since: null }, {}, '🟢 On **Two**'],
  [
    'the last sighting',
    { server: null, lastSeen: NOON - HOUR },
    {},
    `⚪ Last seen <t:${(NOON - HOUR) / 1000}:R>`,
  ],
  ["the record's last sighting", null, {}, '⚪ Last seen <t:1795168800:R>'],
  ['that the driver is away', null, { dateLastSeen: null }, '⚪ Offline'],
  ['nothing that is not known', null, { dateLastSeen: null, isOnline: null }, null],
])('the one line above a picture says %s', (_what, presence, changes, line) => {
  expect(shown(changes, { presence }).picture.lineAbove).toBe(line);
});

test.each(languages)('its texts are short enough to be drawn in %s', (language) => {
  const translator = createTranslators()(language);
  for (const subject of topSubjects)
    for (const rank of [10, 200]) {
      const best = { subject, rank, count: 1000 };
      const figures = { driven_distance: 999_999_999_000, gaming_time_total: 99_999_999 };
      const { chart, picture } = shown({ stats: figures }, { past: { earlier, best } }, translator);
      expect(Chart.safeParse(chart).error).toBeUndefined();
      expect(picture.alt.length).toBeLessThanOrEqual(1024);
      // The line behind the bars is the last one.
      expect(picture.alt.split('\n').at(-1)).toBe(chart.smallLines.at(-1));
    }
});
