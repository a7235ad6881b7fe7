/** The later generation of live files lists the host, and people who are connected without a car: they do not drive. */
import { expect, test } from 'vitest';
import { statusLineText } from '../../../commands/servers/cards/status-line-text.ts';
import { drivingSection, namedDrivers } from '../../../src/cards/servers/driving.ts';
import { summaryText } from '../../../src/cards/servers/summary.ts';
import { liveReading } from '../../../src/community/history/live-reading.ts';
import { countedByFiles, noFacts } from '../../../src/service/models/facts.ts';
import { liveFile, NOON, servers } from '../../support/records.ts';
import { createTranslators } from '../../support/translators.ts';

const t = createTranslators()('en-GB');
const file = liveFile({
  ps: {
    0: { u: 0, un: '', nn: '^7Server' },
    1: { u: 1, p: 4, un: 'ann', v: 'AB12C' },
    2: { u: 2, un: 'bob' },
    // Without a number of the game, in a car all the same.
    3: { u: 3, un: 'cid', v: 'XY34Z' },
  },
});
const listed = servers({ one: { online: true, guests: 4, maxGuests: 10 } });
const overview = { record: countedByFiles(listed, () => file), asOf: NOON, isStale: false };
const facts = {
  ...noFacts,
  overview,
  live: { ...noFacts.live, one: { record: file, asOf: NOON, isStale: false } },
};

test('the summary and the status line count drivers, and free slots by connections', () => {
  expect(summaryText(facts, t)).toMatch(/^\*\*2 driving\*\* · 7 free/);
  const files = [{ server: 'one', asOf: NOON, players: file.players }] as const;
  expect(statusLineText({ overview, files, fault: null, now: NOON }, t)).toBe('2 driving, 10 slots');
  expect(statusLineText({ overview: null, files, fault: null, now: NOON }, t)).toBe('at least 2 driving');
});

test('the summary counts drivers on a job, and says where there may be more', () => {
  const text = (ms: unknown) => {
    const record = liveFile({ ps: { 1: { u: 1, un: 'ann' }, 2: { u: 2, un: 'bob' } }, ms });
    const live = { ...noFacts.live, one: { record, asOf: NOON, isStale: false } };
    return summaryText({ ...facts, live }, t);
  };
  expect(text([{ lt: 'Bus', ps: [1, 2] }])).toContain(' · 💼 2 on a job');
  expect(text([{ lt: 'Bus', ps: [1] }, 'Bus'])).toContain(' · 💼 1+ on a job');
  expect(text([])).not.toContain('💼');
});

test('a board counts the names that stand below Driving', () => {
  expect(namedDrivers(facts)).toBe(2);
});

test('a board names below Driving who drives', () => {
  const section = drivingSection(facts, t);
  expect(section?.name).toBe('Driving · 2');
  const lines = typeof section?.lines === 'function' ? section.lines(1000) : section?.lines;
  expect(JSON.stringify(lines)).toMatch(/ann.*cid/);
  expect(JSON.stringify(lines)).not.toContain('bob');
});

test('history counts who drives, and knows who was there', () => {
  const { drivers, namedDrivers: named } = liveReading(file, () => false);
  expect(drivers).toBe(2);
  expect(named.map(({ driver }) => driver)).toEqual(['ann', 'bob', 'cid']);
});

test('a file that reports nobody in a car may not report cars: all are counted', () => {
  const nobody = liveFile({ ps: { 1: { u: 1, un: 'ann' }, 2: { u: 2, un: 'bob' } } });
  expect(liveReading(nobody, () => false).drivers).toBe(2);
});
