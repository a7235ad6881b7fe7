import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/base/duration.ts';
import { createDeliveries } from '../../../src/deliveries/ledger.ts';
import { type DigestHistory, lastWeekFacts, sendDigest } from '../../../src/features/alerts/digest.ts';
import { digestCard } from '../../../src/features/alerts/digest-card.ts';
import { newWatchState } from '../../../src/features/alerts/observe.ts';
import { createPauseNotices } from '../../../src/features/alerts/pause-notices.ts';
import { createWatches } from '../../../src/features/alerts/watches.ts';
import type { Access } from '../../../src/service/models/board.ts';
import type { CountPoint, Coverage, TopRow } from '../../../src/service/models/history.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { openTo, type SentMessage, sendOnceOver } from '../../support/messages.ts';
import { createTranslators } from '../../support/translators.ts';
import { channelWatch } from './support/watches.ts';

const STEP = 10 * MINUTE;
/** Monday, 2 March 2026, and the one after it. */
const week = { from: Date.UTC(2026, 2, 2), to: Date.UTC(2026, 2, 9) };
const BERLIN = 'Europe/Berlin';

/** Sends the digest that is due then, if one is. Returns its week, and the messages. */
async function sendDue(
  zone: string,
  now: number,
  {
    access = { kind: 'open' },
    png = null,
  }: { readonly access?: Access; readonly png?: Uint8Array | null } = {},
) {
  const documents = documentsInMemory();
  const messages: SentMessage[] = [];
  const deliveries = createDeliveries(documents);
  const watches = createWatches(documents);
  const watch = channelWatch('aaaaaa', { condition: { kind: 'digest' }, zone, atNight: true });
  await watches.add({ watch, state: newWatchState });
  await sendDigest(watch, {
    ...{ watches, deliveries, pauseNotices: createPauseNotices(documents) },
    access: () => access,
    sendOnce: sendOnceOver(
      deliveries,
      openTo(async (message) => {
        messages.push(message);
        return 'sent';
      }),
    ),
    nicknameOf: (driver) => (driver === 'k3nny' ? '^1Ken^7ny' : null),
    draw: async () => png,
    again: () => {},
    inZone: async (watch) => watch,
    tell: async () => false,
    translatorOf: async ({ locale }) => createTranslators()(locale),
    pastAt: () => pastOf(),
    now: () => now,
  });
  return { week: (await deliveries.since('digest:7', 0))[0]?.key ?? null, messages };
}

const sentWeek = async (zone: string, now: number) => (await sendDue(zone, now)).week;

describe('the week of the digest', () => {
  const at = (day: number, hour: number, minute = 0): number => Date.UTC(2026, 2, day, hour, minute);
  const ofMarch2 = 'week:2026-03-02';

  test.each([
    ['is not due on Sunday evening', at(8, 22), null],
    ['is not due on Monday before 9:00 there', at(9, 7, 59), null],
    ['is due on Monday at 9:00 there', at(9, 8), ofMarch2],
    ['is due on Tuesday, from a bot that was down', at(10, 22), ofMarch2],
    ['is not due on Wednesday there', at(10, 23), null],
  ])('%s', async (_when, now, expected) => {
    expect(await sentWeek(BERLIN, now)).toBe(expected);
  });

  test('is never the one before, where Monday comes earlier than in UTC', async () => {
    const sydney = 'Australia/Sydney';
    expect(await sentWeek(sydney, at(8, 23))).toBeNull();
    expect(await sentWeek(sydney, at(9, 0))).toBe(ofMarch2);
    expect(await sentWeek(sydney, at(10, 12))).toBe(ofMarch2);
  });
});

describe('the message of the digest', () => {
  const monday = Date.UTC(2026, 2, 9, 9);

  test('is an embed with the picture of the week, its menu, and the buttons of an alert', async () => {
    const png = new Uint8Array([1]);
    const [message] = (await sendDue('UTC', monday, { png })).messages;
    expect(message).toMatchObject({ content: '', picture: { name: 'week', png } });
    expect(JSON.stringify(message?.embeds)).toContain('🥇');
    expect(JSON.stringify(message?.components)).toMatch(/profile:open.*watch:stop.*watch:snooze/);
  });

  test('has no picture if none can be drawn', async () => {
    const [message] = (await sendDue('UTC', monday)).messages;
    expect(message?.embeds).toHaveLength(1);
    expect(message).not.toHaveProperty('picture');
  });

  test('is text in a channel where the bot may post no embeds', async () => {
    const access = { kind: 'missing', rights: ['EmbedLinks'] } as const;
    const [message] = (await sendDue('UTC', monday, { access })).messages;
    expect(message).not.toHaveProperty('embeds');
    expect(message?.content).toMatch(/^\*\*📊 The week of .*\*\*\nBusiest[\s\S]*```\n🥇 k3nny +12 h\n/);
  });
});

/** Every ten minutes of the week, five drivers; `busy` says when there are more. */
function points(busy: (at: number) => number): readonly CountPoint[] {
  return Array.from({ length: (week.to - week.from) / STEP }, (_, index) => {
    const at = week.from + index * STEP;
    const drivers = 5 + busy(at);
    return { at, known: STEP, drivers, most: drivers + 1, police: null };
  });
}

const rows = (...drivers: readonly (readonly [string, number])[]): readonly TopRow[] =>
  drivers.map(([driver, hours], index) => ({ rank: index + 1, driver, value: hours * HOUR, read: null }));

function pastOf(
  changes: { holes?: Coverage['holes']; named?: boolean; before?: number; until?: number } = {},
): DigestHistory {
  const { holes = [], named = true, before = 30, until = week.to } = changes;
  const ofWeek = { since: week.from, until, holes };
  return {
    counts: async () => ({
      ...ofWeek,
      step: STEP,
      latest: null,
      // Wednesday evening in Berlin is from 17:00 UTC on; a busier morning is no evening.
      points: points((at) => {
        const sinceWednesday = at - (week.from + 2 * DAY);
        if (sinceWednesday >= 17 * HOUR && sinceWednesday < 23 * HOUR) return 20;
        return at === week.from + 10 * HOUR ? 40 : 0;
      }),
    }),
    top: async (_subject, span) => ({
      ...{ ...ofWeek, since: span === 'all' ? week.from - before * DAY : week.from, from: week.from },
      rows:
        span === 'week'
          ? rows(['k3nny', 12], ['new_face', 3], ['*zoë*', 2])
          : rows(['k3nny', 500], ['*zoë*', 90], ['new_face', 3]),
    }),
    namesDrivers: async () => named,
  };
}

const cardOf = async (past: DigestHistory) =>
  digestCard(
    await lastWeekFacts(() => past, BERLIN, week.to),
    (driver) => (driver === 'k3nny' ? '^1Ken^7ny' : null),
    createTranslators()('en-GB'),
  );

/** Everything that its embed says. */
async function told(past: DigestHistory): Promise<string> {
  const [{ title, description, fields = [] }] = (await cardOf(past)).embeds;
  return [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('\n');
}

describe('a week', () => {
  test('is described by its busiest evening, the most at once, the top and the new faces', async () => {
    const text = await told(pastOf());
    expect(text.replaceAll('\u2009', ' ').split('\n')).toEqual([
      '📊 The week of 2 – 8 March',
      expect.stringMatching(/^Busiest evening: \*\*Wednesday,? 4 March\*\*, 25 driving on average$/),
      `Peak: **46**, <t:${(week.from + 10 * HOUR) / 1000}:f>`,
      '**Most time on the servers**',
      '```ansi',
      expect.stringMatching(/^🥇 .*Ken.*ny +12 h$/),
      expect.stringMatching(/^🥈 .*new_face +3 h$/),
      expect.stringMatching(/^🥉 .*\*zoë\* +2 h$/),
      '```',
      'New faces',
      'new\\_face',
    ]);
  });

  test('has its course as a picture, and a menu of its drivers', async () => {
    const { picture, components } = await cardOf(pastOf());
    expect(picture).toMatchObject({
      name: 'week',
      chart: { kind: 'lines', peak: { value: 46 } },
      alt: expect.stringMatching(/^Line chart\. 📊 The week of .*Peak 46 \(Mon/),
    });
    expect(JSON.stringify(components)).toMatch(/"value":"k3nny".*"value":"new_face"/);
    expect((await cardOf(pastOf({ until: week.from + DAY }))).picture).toBeUndefined();
  });

  test('of which something is missing has figures, and says how much is missing', async () => {
    const hole = { from: week.from + DAY, to: week.from + DAY + HOUR };
    const late = pastOf({ holes: [hole], until: week.to - 30 * MINUTE });
    expect(await told(pastOf({ holes: [hole], before: 0 }))).toMatch(/\n```\n-# ⚠️/);
    expect(await told(pastOf({ holes: [hole], named: false }))).toMatch(/:f>\n-# ⚠️/);
    expect(await told(late)).toMatch(/Peak: [\s\S]*\n-# ⚠️ No data for 1\u00a0h\u00a030 of this period\.$/);
    // A restart changes nothing in what is said.
    expect(await told(pastOf({ until: week.to - 5 * MINUTE }))).not.toContain('No data');
  });

  test('of which most is missing has none', async () => {
    for (const past of [
      pastOf({ holes: [{ from: week.from + DAY, to: week.from + 5 * DAY }] }),
      pastOf({ until: week.from + 3 * DAY }),
    ]) {
      const text = await told(past);
      expect(text).toContain('there are no numbers');
      expect(text).not.toMatch(/Busiest|k3nny/);
    }
  });

  test('has no busiest evening of which hardly anything is known', async () => {
    const past = pastOf();
    const sparse = {
      ...past,
      counts: async (...asked: Parameters<DigestHistory['counts']>) => {
        const counts = await past.counts(...asked);
        const wednesday = week.from + 2 * DAY;
        return {
          ...counts,
          points: counts.points.filter(({ at }) => at < wednesday + 18 * HOUR || at >= wednesday + DAY),
        };
      },
    };
    expect(await told(sparse)).toContain('5 driving on average');
  });

  test('without names of drivers has counts alone; the first one has no new faces', async () => {
    const counts = await told(pastOf({ named: false }));
    expect(counts).toContain('Peak');
    expect(counts).not.toMatch(/🥇|New faces/);
    const first = await told(pastOf({ before: 0 }));
    expect(first).toContain('🥇');
    expect(first).not.toContain('New faces');
  });
});
