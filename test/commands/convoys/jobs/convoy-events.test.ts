import { expect, test } from 'vitest';
import { type Audience, createConvoyEvents } from '../../../../commands/convoys/jobs/convoy-events.ts';
import type { Convoy, Draft } from '../../../../commands/convoys/models/convoy.ts';
import { convoyKey, createConvoyRepository } from '../../../../commands/convoys/models/convoy-repository.ts';
import { newBoardState } from '../../../../src/cards/board/board.ts';
import type { EventPlan, ScheduledEvents } from '../../../../src/discord/send/scheduled-events.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';

type EventAnswer = Awaited<ReturnType<ScheduledEvents['make']>>;

const HOUR = 3600_000;
const MINUTE = HOUR / 60;
const AT = Date.parse('2026-10-23T18:00Z');
const MAKER = '411111111111111111';
const draft: Draft = {
  ...{ id: '1792780000000001', guild: '7', channel: '8', madeAt: AT - 48 * HOUR, at: AT, when: 'fri 20:00' },
  ...{ title: 'Run', server: 'two', zone: 'Europe/Berlin', hours: 2, places: null, weekly: true, role: null },
};

type Set = Awaited<ReturnType<typeof set>>;
const nothing = { there: [], hidden: 0, peak: null, known: false, holes: [], usual: null };

/** A convoy whose card is there, and all that was asked of Discord about its event. */
async function set(answers: Partial<ScheduledEvents> = {}) {
  const stored = createConvoyRepository(documentsInMemory());
  const look = { locale: 'en-GB', colours: true };
  const plan = async (more: Partial<Draft> = {}) => {
    await stored.putDraft(MAKER, { ...draft, ...more });
    await stored.announce(MAKER, { ...draft, ...more }, look, draft.madeAt);
  };
  await plan();
  const key = convoyKey('7', draft);
  const asked: string[] = [];
  const told: string[] = [];
  const time = { now: draft.madeAt };
  const refused: string[] = [];
  const guild = { may: true, audience: 'everyone' as Audience };
  const done = (id: string, what: string, plan?: EventPlan) => {
    asked.push(plan === undefined ? what : `${what} ${plan.name} ${plan.from - AT} ${plan.weekly}`);
    return { id };
  };
  const events = createConvoyEvents({
    stored,
    events: {
      find: async (_guild, wanted) => {
        done('', 'find', wanted);
        return 'gone';
      },
      make: async (_guild, wanted) => done('e1', 'make', wanted),
      change: async (_guild, id, wanted) => done(id, `change ${id}`, wanted),
      look: async (_guild, id) => done(id, `look ${id}`),
      remove: async (_guild, id) => done(id, `remove ${id}`),
      ...answers,
    },
    may: () => guild.may,
    audienceOf: () => guild.audience,
    tellGone: async (_guild, { title }) => void told.push(title),
    tellRefused: async (_guild, { title }) => void refused.push(title),
    now: () => time.now,
  });
  const convoy = async (id = draft.id): Promise<Convoy> => {
    const found = (await stored.in('7')).find((one) => one.id === id);
    if (found === undefined) throw new Error('it is gone');
    return found;
  };
  const keep = async (id?: string) => events.keep('7', await convoy(id));
  await stored.saveCard(key, { ...newBoardState, posted: '9' });
  const removeLeft = (isOurs = () => true) => events.removeLeft(isOurs);
  return { stored, asked, told, refused, time, guild, plan, keep, removeLeft, convoy };
}

test('it is made once the card is there, and not before, and not without the right', async () => {
  const { stored, asked, guild, keep } = await set();
  await stored.saveCard(convoyKey('7', draft), newBoardState);
  await keep();
  await stored.saveCard(convoyKey('7', draft), { ...newBoardState, posted: '9' });
  guild.may = false;
  await keep();
  expect(asked).toEqual([]);
  guild.may = true;
  await keep();
  await keep();
  expect(asked).toEqual(['make Run 0 true']);
});

test('a change of the convoy changes it, and another hour looks whether it is there', async () => {
  const { asked, time, plan, keep } = await set();
  await keep();
  await plan({ title: 'Later', at: AT + HOUR });
  await keep();
  await keep();
  time.now += 2 * HOUR;
  await keep();
  await keep();
  expect(asked).toEqual(['make Run 0 true', `change e1 Later ${HOUR} true`, 'look e1']);
});

test('an event deleted by hand is never made again, and its maker is told once', async () => {
  const { told, asked, time, plan, keep, convoy } = await set({ look: async () => 'gone' });
  await keep();
  await keep();
  time.now += 2 * HOUR;
  await keep();
  expect((await convoy()).event?.id).toBeNull();
  await plan({ title: 'Later' });
  time.now += 2 * HOUR;
  await keep();
  expect(asked).toEqual(['make Run 0 true']);
  expect(told).toEqual(['Run']);
});

/** Refuses a number of times, each of which counts, and then does what is asked. */
function refusing(times: number, answer: EventAnswer = 'refused') {
  const counts = { left: times, asked: 0 };
  const ask = async (_guild: string, id: string | EventPlan): Promise<EventAnswer> => {
    counts.asked += 1;
    counts.left -= 1;
    return counts.left >= 0 ? answer : { id: typeof id === 'string' ? id : 'e1' };
  };
  return { counts, ask };
}

test.for(['make', 'change', 'look', 'remove'] as const)(
  'a refused %s is tried again after a minute, then ever later, and not given up',
  async (what) => {
    const { counts, ask } = refusing(9);
    const { stored, time, plan, keep, convoy } = await set({ [what]: ask });
    if (what !== 'make') await keep();
    if (what === 'change') await plan({ title: 'Later' });
    if (what === 'look') time.now += HOUR;
    if (what === 'remove') await stored.cancel('7', draft.id, MAKER, time.now);
    const from = time.now;
    const minutes: number[] = [];
    for (; time.now < from + 6 * HOUR; time.now += MINUTE) {
      const before = counts.asked;
      await keep();
      if (counts.asked > before) minutes.push((time.now - from) / MINUTE);
    }
    expect(minutes.slice(0, 10)).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect((await convoy()).event?.id).toBe(what === 'remove' ? null : 'e1');
  },
);

test('a refused text is named to the maker and tried again when it has changed', async () => {
  const { counts, ask } = refusing(1, 'content');
  const { refused, time, plan, keep, convoy } = await set({ make: ask });
  for (let hour = 0; hour < 5; hour += 1) {
    await keep();
    time.now += HOUR;
  }
  expect([refused, counts.asked]).toEqual([['Run'], 1]);
  await plan({ title: 'Fine' });
  await keep();
  expect((await convoy()).event?.id).toBe('e1');
});

test('a change with refused text keeps the event; a cancelled convoy removes it', async () => {
  const { stored, asked, refused, plan, keep, convoy } = await set({ change: async () => 'content' });
  await keep();
  await plan({ title: 'Worse' });
  await keep();
  await keep();
  expect([refused, (await convoy()).event?.id]).toEqual([['Worse'], 'e1']);
  await stored.cancel('7', draft.id, MAKER, AT - HOUR);
  await keep();
  expect(asked.at(-1)).toBe('remove e1');
});

test('a convoy in a closed channel has an event only if its maker wants one', async () => {
  const { asked, guild, plan, keep, convoy } = await set();
  guild.audience = 'some';
  await keep();
  expect(asked).toEqual([]);
  await plan({ eventForAll: true });
  await keep();
  expect(asked).toEqual(['make Run 0 true']);
  await plan({ eventForAll: false });
  await keep();
  expect([asked.at(-1), (await convoy()).event]).toEqual(['remove e1', null]);
});

test('the event goes with a closed or deleted channel, and comes back when it opens', async () => {
  for (const audience of ['some', 'nobody'] as const) {
    const { asked, guild, keep, convoy } = await set();
    await keep();
    guild.audience = null;
    await keep();
    expect((await convoy()).event?.id).toBe('e1');
    guild.audience = audience;
    await keep();
    await keep();
    expect((await convoy()).event).toBeNull();
    guild.audience = 'everyone';
    await keep();
    expect(asked).toEqual(['make Run 0 true', 'remove e1', 'make Run 0 true']);
  }
});

test('the wish for an event does not outlive the channel', async () => {
  const { asked, guild, plan, keep } = await set();
  await plan({ eventForAll: true });
  await keep();
  guild.audience = 'nobody';
  await keep();
  expect(asked).toEqual(['make Run 0 true', 'remove e1']);
});

test('an event whose answer was lost before a cancellation is found and removed', async () => {
  const { stored, asked, keep, convoy } = await set({
    make: async () => 'lost',
    find: async () => ({ id: 'e7' }),
  });
  await keep();
  await stored.cancel('7', draft.id, MAKER, AT - HOUR);
  await keep();
  await keep();
  expect(asked).toEqual(['remove e7']);
  expect((await convoy()).event?.id).toBeNull();
});

test.for([
  ['dropped', async ({ stored }: Set): Promise<void> => void (await stored.drop('7', draft.id))],
  [
    'of a server that was left',
    async ({ stored }: Set): Promise<void> => void (await stored.removeIn('7', AT)),
  ],
  ['whose card was given up', async ({ stored }: Set): Promise<void> => stored.remove(convoyKey('7', draft))],
  [
    'over without a next week',
    async ({ stored }: Set): Promise<void> =>
      void (await stored.finish('7', draft.id, nothing, AT + 3 * HOUR, null)),
  ],
] as const)(
  'the event of a convoy that is %s is removed, also when Discord refuses at first',
  async ([, end]) => {
    const { counts, ask } = refusing(1);
    const all = await set({ remove: ask });
    const { stored, time, guild, keep, removeLeft } = all;
    await keep();
    await end(all);
    await removeLeft(() => false);
    guild.may = false;
    await removeLeft();
    expect(counts.asked).toBe(0);
    guild.may = true;
    await removeLeft();
    await removeLeft();
    expect(counts.asked).toBe(1);
    time.now += HOUR;
    await removeLeft();
    await removeLeft();
    expect(counts.asked).toBe(2);
    expect((await stored.leftEvents()).size).toBe(0);
  },
);

test('the event of a week that is over stays for the next week', async () => {
  const { stored, asked, keep, removeLeft } = await set();
  await keep();
  await stored.finish('7', draft.id, nothing, AT + 3 * HOUR, '1792780000000002');
  await stored.drop('7', draft.id);
  await removeLeft();
  expect(asked).toEqual(['make Run 0 true']);
  await stored.drop('7', '1792780000000002');
  await removeLeft();
  expect(asked.at(-1)).toBe('remove e1');
});

test('an event that has ended by itself is not asked about', async () => {
  const { stored, asked, time, plan, keep, removeLeft } = await set();
  await plan({ weekly: false });
  await keep();
  await stored.removeIn('7', AT);
  time.now = AT + 2 * HOUR;
  await removeLeft();
  expect(asked).toEqual(['make Run 0 false']);
  expect((await stored.leftEvents()).size).toBe(0);
});

test('a lost request is tried again each minute', async () => {
  let times = 0;
  const { keep, convoy, time } = await set({ make: async () => (++times < 3 ? 'lost' : { id: 'e2' }) });
  for (let round = 0; round < 8; round += 1) {
    await keep();
    time.now += 15_000;
  }
  expect(times).toBe(2);
  await keep();
  expect([times, (await convoy()).event?.id]).toEqual([3, 'e2']);
});

test('a cancelled convoy has none any more, and one that runs is left alone', async () => {
  const { stored, asked, time, keep } = await set();
  await keep();
  time.now = AT;
  await keep();
  await stored.cancel('7', draft.id, MAKER, AT);
  await keep();
  await keep();
  expect(asked).toEqual(['make Run 0 true', 'remove e1']);
});

test('the next week goes on with the same one', async () => {
  const { stored, asked, keep } = await set();
  await keep();
  const result = { there: [], hidden: 0, peak: 1, known: true, holes: [], usual: null };
  const next = '1792780000000002';
  await stored.finish('7', draft.id, result, AT + 3 * HOUR, next);
  await keep();
  await stored.saveCard(convoyKey('7', { id: next }), { ...newBoardState, posted: '10' });
  await keep(next);
  expect(asked).toHaveLength(2);
  // Clocks in Berlin are put back in between.
  expect(asked[1]).toBe(`change e1 Run ${7 * 24 * HOUR + HOUR} true`);
});
