/** A convoy's own work: reminders, and once a result that says who was there. */
import { expect, test } from 'vitest';
import { createConvoyRounds } from '../../../../commands/convoys/jobs/convoy-rounds.ts';
import type { Convoy, Draft } from '../../../../commands/convoys/models/convoy.ts';
import {
  convoyCollections,
  createConvoyRepository,
} from '../../../../commands/convoys/models/convoy-repository.ts';
import { HOUR, MINUTE } from '../../../../src/base/duration.ts';
import { createRuns } from '../../../../src/base/runs.ts';
import type { Counts, Session, Stretch } from '../../../../src/community/history/history.ts';
import { forgetPerson } from '../../../../src/store/forget.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { noHistory } from '../../../support/no-history.ts';

const AT = Date.parse('2026-11-27T19:00Z');
const END = AT + 2 * HOUR;
const MAKER = '411111111111111111';
const draft: Draft = {
  ...{ id: '1795700000000001', guild: '7', channel: '8', madeAt: AT - 48 * HOUR, at: AT, when: 'fri 20:00' },
  ...{
    title: 'Run',
    server: 'two',
    zone: 'Europe/Berlin',
    hours: 2,
    places: null,
    weekly: false,
    role: null,
  },
};
const point = (at: number, drivers: number) => ({
  ...{ at, drivers, most: drivers, known: 1, police: null },
});
const all: Counts = {
  ...{ since: AT, until: END, holes: [], step: MINUTE, latest: null },
  points: [point(AT + MINUTE, 9), point(AT + HOUR, 24)],
};
const stay = (from: number, minutes: number, server: Session['server'] = 'two'): Session => ({
  ...{ from, to: from + minutes * MINUTE, server, played: minutes * MINUTE, duty: null },
  ...{ startKnown: true, endKnown: true },
});

/** `sessions`: by driver; somebody of that name has signed up, in this order. */
async function set(
  sessions: Readonly<Record<string, readonly Session[]>>,
  more: {
    counts?: Partial<Counts>;
    names?: boolean;
    hidden?: readonly string[];
    holds?: boolean;
    /** How many events it keeps before another process takes over. */
    lostAfter?: number;
    weekly?: boolean;
    /** The guild whose events Discord does not answer about. */
    slow?: string;
    /** Called when the history is asked last. */
    whileAsked?: () => Promise<void>;
    /** A channel that was deleted. */
    gone?: string;
  } = {},
) {
  const documents = documentsInMemory();
  const stored = createConvoyRepository(documents);
  const planned = { ...draft, weekly: more.weekly ?? false };
  await stored.putDraft(MAKER, planned);
  await stored.announce(MAKER, planned, { locale: 'en-GB', colours: true }, draft.madeAt);
  for (const person of Object.keys(sessions)) await stored.press('7', draft.id, person, 'in', draft.madeAt);
  const drivers = Object.keys(sessions).map(
    (person) =>
      [person, { username: person, proved: true, isHidden: more.hidden?.includes(person) ?? false }] as const,
  );
  const time = { now: draft.madeAt, isRight: true, skew: 0 };
  const told: string[] = [];
  const shown: string[] = [];
  const kept: string[] = [];
  const spans: Stretch[] = [];
  const failures: unknown[] = [];
  const runs = createRuns({ after: () => () => {} }, (error) => void failures.push(error));
  const rounds = createConvoyRounds({
    stored,
    boards: { syncMessage: async (id) => shown.push(id) > 0 },
    holds: () => more.holds ?? kept.length < (more.lostAfter ?? 100),
    history: {
      ...noHistory.history,
      namesDrivers: async () => more.names ?? true,
      async counts(_place, span) {
        spans.push(span);
        return { ...all, ...more.counts };
      },
      sessions: async (driver) => sessions[driver] ?? [],
      async week(...asked) {
        await more.whileAsked?.();
        return noHistory.history.week(...asked);
      },
    },
    driversIn: async () => new Map(drivers),
    remind: async (person, _guild, { title, stage }) =>
      told.push(stage === 'cancelled' ? `${person}: no ${title}` : `${person} of ${title}`) > 0,
    ping: async () => true,
    runs,
    keepEvent: async (guild, { id }) => {
      kept.push(id);
      if (guild === more.slow) await new Promise(() => {});
    },
    removeLeftEvents: async () => {},
    isClockRight: async () => time.isRight,
    isGone: (_guild, channel) => channel === more.gone,
    now: () => time.now,
    clockSkew: () => time.skew,
    random: () => 0.5,
  });
  const after = async (at: number) => {
    time.now = at;
    await rounds.round();
    await runs.idle();
    const [failure] = failures.splice(0);
    if (failure !== undefined) throw failure;
  };
  const result = async (): Promise<Convoy['result'] | undefined> =>
    (await stored.in('7')).find(({ id }) => id === draft.id)?.result;
  return { documents, stored, rounds, after, time, told, shown, kept, result, spans };
}

test('finds who was there in a history that a clock ahead of Discord’s has dated', async () => {
  const ahead = 40 * MINUTE;
  const hole = { from: AT + 2 * MINUTE, to: AT + 6 * MINUTE };
  const counts = { since: AT + ahead, until: END + ahead };
  const { after, result, spans, time } = await set(
    { anna: [stay(END + 20 * MINUTE, 12)], ben: [stay(AT, 30)] },
    { counts: { ...counts, holes: [{ from: hole.from + ahead, to: hole.to + ahead }] } },
  );
  time.skew = ahead;
  await after(END + 5 * MINUTE);
  expect(spans).toEqual([{ from: AT + ahead, to: END + ahead }]);
  expect(await result()).toMatchObject({ there: [{ person: 'anna' }], holes: [hole] });
});

test('counts people who were there for twelve minutes, not for four', async () => {
  const { after, result, spans } = await set({
    anna: [stay(AT + MINUTE, 12)],
    ben: [stay(AT - HOUR, 72)],
    cleo: [stay(AT + MINUTE, 4), stay(AT + HOUR, 8)],
    dan: [stay(AT + MINUTE, 4)],
    eve: [],
  });
  await after(END + 5 * MINUTE);
  expect(await result()).toEqual({
    there: ['anna', 'ben', 'cleo'].map((person) => ({ person })),
    ...{ hidden: 0, peak: 24, known: true, holes: [], usual: null },
  });
  expect(spans).toEqual([{ from: AT, to: END }]);
});

test('whoever is forgotten while the result is worked out is not in it', async () => {
  const asking = { whileAsked: async () => {} };
  const { documents, stored, after, result } = await set(
    { anna: [stay(AT, 60)], ben: [stay(AT, 60)] },
    asking,
  );
  asking.whileAsked = () => forgetPerson(documents, convoyCollections, 'ben');
  await after(END + 5 * MINUTE);
  expect(await result()).toMatchObject({ there: [{ person: 'anna' }] });
  expect(JSON.stringify(await stored.past('7'))).not.toContain('ben');
});

test('counts nobody on another server, at another time or with a hidden driver', async () => {
  const { after, result } = await set(
    { anna: [stay(AT, 60, 'one')], ben: [stay(AT - HOUR, 60)], cleo: [stay(END, 60)], dan: [stay(AT, 60)] },
    { hidden: ['dan'] },
  );
  await after(END + 5 * MINUTE);
  expect(await result()).toMatchObject({ there: [], hidden: 1 });
});

test('a clock that is hours wrong ends, reminds and deletes nothing', async () => {
  const { stored, after, time, told, kept, result } = await set({ anna: [stay(AT, 60)] }, { weekly: true });
  await stored.press('7', draft.id, 'anna', 'remind', draft.madeAt);
  time.isRight = false;
  for (const ahead of [AT - 10 * MINUTE, END + 24 * HOUR, END + 10 * 365 * 24 * HOUR]) await after(ahead);
  expect([told, kept, await result()]).toEqual([[], [], null]);
  expect(await stored.in('7')).toMatchObject([{ at: AT, stage: 'open' }]);
  expect(await stored.press('7', draft.id, 'ben', 'in', AT - HOUR)).toMatchObject({ convoy: { at: AT } });
  time.isRight = true;
  await after(AT - 10 * MINUTE);
  expect(told).toEqual(['anna of Run']);
  await after(END + 5 * MINUTE);
  expect(await result()).toMatchObject({ known: true });
});

test('a weekly convoy whose channel was deleted is not repeated', async () => {
  const { stored, after, result } = await set({ anna: [stay(AT, 60)] }, { weekly: true, gone: '8' });
  await after(END + 5 * MINUTE);
  expect(await result()).toMatchObject({ there: [{ person: 'anna' }] });
  expect(await stored.in('7')).toHaveLength(1);
});

test('whoever only wants to be reminded has not signed up', async () => {
  const { stored, after, result } = await set({ anna: [stay(AT, 60)] });
  await stored.press('7', draft.id, 'anna', 'out', AT - HOUR);
  await stored.press('7', draft.id, 'anna', 'remind', AT - HOUR);
  await after(END + 5 * MINUTE);
  expect(await result()).toMatchObject({ there: [] });
});

test('where nobody is named, or nothing was recorded, the result says so', async () => {
  const unnamed = await set({ anna: [stay(AT, 60)] }, { names: false });
  await unnamed.after(END + 5 * MINUTE);
  expect(await unnamed.result()).toMatchObject({ known: false, peak: 24 });
  const nothing = await set({ anna: [] }, { counts: { points: [], since: null, until: null } });
  await nothing.after(END + 5 * MINUTE);
  expect(await nothing.result()).toMatchObject({ known: false, peak: null, holes: [{ from: AT, to: END }] });
  const gap = { from: AT + HOUR, to: AT + HOUR + 10 * MINUTE };
  const holed = await set({ anna: [] }, { counts: { holes: [gap], until: END - 30 * MINUTE } });
  await holed.after(END + 5 * MINUTE);
  expect((await holed.result())?.holes).toEqual([gap, { from: END - 30 * MINUTE, to: END }]);
});

test('it is told once, five minutes after the end, and the next week is there with it', async () => {
  const { stored, after, result, shown } = await set({ anna: [] }, { weekly: true });
  await after(END + 4 * MINUTE);
  expect(await result()).toBeNull();
  for (let times = 0; times < 3; times += 1) await after(END + 5 * MINUTE);
  expect(shown).toEqual([`7:${draft.id}`]);
  expect((await stored.in('7')).map(({ at, stage }) => [at - AT, stage])).toEqual([
    [0, 'over'],
    [7 * 24 * HOUR, 'open'],
  ]);
});

test('reminds once, in the half hour before, in the process of the guild', async () => {
  const { stored, after, told, kept } = await set({ ben: [] });
  await stored.press('7', draft.id, 'anna', 'remind', AT - HOUR);
  await after(AT - 31 * MINUTE);
  expect(told).toEqual([]);
  for (const minutes of [30, 29, 1]) await after(AT - minutes * MINUTE);
  await after(AT);
  expect(told).toEqual(['anna of Run']);
  expect(kept).toContain(draft.id);
  const theirs = await set({ ben: [] }, { holds: false });
  await theirs.stored.press('7', draft.id, 'ben', 'remind', AT - HOUR);
  await theirs.after(AT - MINUTE);
  await theirs.after(END + HOUR);
  expect([theirs.told, theirs.kept, await theirs.result()]).toEqual([[], [], null]);
});

test('one that is moved after its reminder reminds again, at its new time', async () => {
  const { stored, after, told } = await set({});
  await stored.press('7', draft.id, 'anna', 'remind', AT - HOUR);
  await after(AT - 20 * MINUTE);
  const moved = { ...draft, at: AT + HOUR };
  await stored.putDraft(MAKER, moved);
  await stored.announce(MAKER, moved, { locale: 'en-GB', colours: true }, AT - 15 * MINUTE);
  await after(AT - 10 * MINUTE);
  expect(told).toEqual(['anna of Run']);
  for (const minutes of [30, 29]) await after(AT + HOUR - minutes * MINUTE);
  expect(told).toEqual(['anna of Run', 'anna of Run']);
});

test('tells others with a reminder once that it is cancelled, not after its time', async () => {
  const { stored, after, told } = await set({ ben: [] });
  for (const person of ['anna', MAKER]) await stored.press('7', draft.id, person, 'remind', AT - HOUR);
  await stored.cancel('7', draft.id, MAKER, AT - HOUR);
  for (const minutes of [59, 20, 1]) await after(AT - minutes * MINUTE);
  expect(told).toEqual(['anna: no Run']);
  const late = await set({});
  await late.stored.press('7', draft.id, 'anna', 'remind', AT - HOUR);
  await late.stored.cancel('7', draft.id, MAKER, AT - MINUTE);
  await late.after(AT);
  expect(late.told).toEqual([]);
});

test('results are kept for 400 days', async () => {
  const { stored, after } = await set({ anna: [stay(AT + MINUTE, 12)] });
  await after(END + 5 * MINUTE);
  await after(AT + 399 * 24 * HOUR);
  expect(await stored.countOf('anna')).toBe(1);
  await after(AT + 400 * 24 * HOUR);
  expect([await stored.past('7'), await stored.countOf('anna')]).toEqual([[], 0]);
});

test('the result of a convoy does not wait for an event of another guild', async () => {
  const { stored, rounds, time } = await set({}, { slow: '7' });
  const planned = { ...draft, guild: '9', id: '1795700000000009', title: 'Other' };
  await stored.putDraft(MAKER, planned);
  await stored.announce(MAKER, planned, { locale: 'en-GB', colours: true }, draft.madeAt);
  time.now = AT - HOUR;
  await rounds.round();
  time.now = END + 5 * MINUTE;
  await rounds.round();
  await expect.poll(async () => (await stored.past('9')).length).toBe(1);
});

test('a process that loses the guild in the middle leaves the rest to the next one', async () => {
  const { stored, after, kept } = await set({}, { lostAfter: 1 });
  const planned = { ...draft, id: '1795700000000002', title: 'Other' };
  await stored.putDraft(MAKER, planned);
  await stored.announce(MAKER, planned, { locale: 'en-GB', colours: true }, draft.madeAt);
  await after(AT - HOUR);
  expect(kept).toEqual([draft.id]);
});

test('one whose sign-ups cannot be read keeps no other one waiting', async () => {
  const { documents, stored, after, told, kept } = await set({});
  for (const [guild, id] of ['6 1795700000000006', '7 1795700000000007'].map((one) => one.split(' '))) {
    const planned = { ...draft, guild: guild ?? '', id: id ?? '' };
    await stored.putDraft(MAKER, planned);
    await stored.announce(MAKER, planned, { locale: 'en-GB', colours: true }, draft.madeAt);
    await stored.press(planned.guild, planned.id, 'anna', 'remind', AT - HOUR);
  }
  const document = { collection: 'convoy-sign-ups', key: `7:${draft.id}` };
  const { text } = await documents.read(document.collection, document.key);
  await documents.commit([{ ...document, text }], [{ ...document, text: '{' }]);
  await expect(after(AT - MINUTE)).rejects.toThrow('cannot be read');
  // Results and events do not wait for reminders.
  expect([told.length, kept.length]).toEqual([2, 3]);
});

test('ten minutes are enough to have been there, and who has no driver is not', async () => {
  const { stored, after, result } = await set({ anna: [stay(AT + MINUTE, 10)], ben: [] });
  await stored.press('7', draft.id, 'stranger', 'in', AT - HOUR);
  await after(END + 5 * MINUTE);
  expect(await result()).toMatchObject({ there: [{ person: 'anna' }], hidden: 0 });
});

test('of a server without a live file nothing is known', async () => {
  const { stored, after } = await set({ anna: [stay(AT + MINUTE, 60)] });
  const elsewhere = { ...draft, id: '1795700000000002', server: 'events' };
  await stored.putDraft(MAKER, elsewhere);
  await stored.announce(MAKER, elsewhere, { locale: 'en-GB', colours: true }, draft.madeAt);
  await stored.press('7', elsewhere.id, 'anna', 'in', AT - HOUR);
  await after(END + 5 * MINUTE);
  expect((await stored.in('7')).find(({ id }) => id === elsewhere.id)?.result).toEqual({
    ...{ there: [], hidden: 0, peak: null, known: false, usual: null },
    holes: [{ from: AT, to: END }],
  });
});

test('a failure in any guild is told, whichever comes first', async () => {
  const { documents, stored, after } = await set({});
  const planned = { ...draft, guild: '9', id: '1795700000000009' };
  await stored.putDraft(MAKER, planned);
  await stored.announce(MAKER, planned, { locale: 'en-GB', colours: true }, draft.madeAt);
  await stored.press('9', planned.id, 'anna', 'remind', AT - HOUR);
  const document = { collection: 'convoy-sign-ups', key: `9:${planned.id}` };
  const { text } = await documents.read(document.collection, document.key);
  await documents.commit([{ ...document, text }], [{ ...document, text: '{' }]);
  await expect(after(AT - MINUTE)).rejects.toThrow('cannot be read');
});
