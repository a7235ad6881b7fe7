import { expect, test } from 'vitest';
import { createConvoyEvents, type EventPlan, type ScheduledEvents } from '../../src/convoys/convoy-events.ts';
import { convoyKey, createStoredConvoys } from '../../src/convoys/stored-convoys.ts';
import { newBoardState } from '../../src/service/models/board.ts';
import type { Convoy, Draft } from '../../src/service/models/convoy.ts';
import { unfenced } from '../../src/shards/fence.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';

const HOUR = 3600_000;
const AT = Date.parse('2026-10-23T18:00Z');
const MAKER = '411111111111111111';
const draft: Draft = {
  ...{ id: '1792780000000001', guild: '7', channel: '8', madeAt: AT - 48 * HOUR, at: AT, when: 'fri 20:00' },
  ...{ title: 'Run', server: 'two', zone: 'Europe/Berlin', hours: 2, places: null, weekly: true, role: null },
};

/** A convoy whose card is there, and all that was asked of Discord about its event. */
async function set(answers: Partial<ScheduledEvents> = {}) {
  const stored = createStoredConvoys(documentsInMemory());
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
  const world = { may: true };
  const done = (id: string, what: string, plan?: EventPlan) => {
    asked.push(plan === undefined ? what : `${what} ${plan.name} ${plan.from - AT} ${plan.weekly}`);
    return { id };
  };
  const events = createConvoyEvents({
    stored,
    events: {
      make: async (_guild, wanted) => done('e1', 'make', wanted),
      change: async (_guild, id, wanted) => done(id, `change ${id}`, wanted),
      look: async (_guild, id) => done(id, `look ${id}`),
      remove: async (_guild, id) => done(id, `remove ${id}`),
      ...answers,
    },
    may: () => world.may,
    tellGone: async (_guild, { title }) => void told.push(title),
    now: () => time.now,
  });
  const convoy = async (id = draft.id): Promise<Convoy> => {
    const found = (await stored.in('7')).find((one) => one.id === id);
    if (found === undefined) throw new Error('it is gone');
    return found;
  };
  const keep = async (id?: string) => events.keep('7', await convoy(id));
  await stored.saveCard(key, { ...newBoardState, posted: '9' }, unfenced);
  return { stored, asked, told, time, world, plan, keep, convoy };
}

test('it is made once the card is there, and not before, and not without the right', async () => {
  const { stored, asked, world, keep } = await set();
  await stored.saveCard(convoyKey('7', draft), newBoardState, unfenced);
  await keep();
  await stored.saveCard(convoyKey('7', draft), { ...newBoardState, posted: '9' }, unfenced);
  world.may = false;
  await keep();
  expect(asked).toEqual([]);
  world.may = true;
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

test.for(['refused', 'gone'] as const)(
  'after an answer %s there is none, and nothing is asked again',
  async (answer) => {
    const { told, asked, time, plan, keep, convoy } = await set({ look: async () => answer });
    await keep();
    await keep();
    time.now += 2 * HOUR;
    await keep();
    expect((await convoy()).event?.id).toBeNull();
    await plan({ title: 'Later' });
    time.now += 2 * HOUR;
    await keep();
    expect(asked).toEqual(['make Run 0 true']);
    expect(told).toEqual(answer === 'gone' ? ['Run'] : []);
  },
);

test('what was lost is tried again', async () => {
  let times = 0;
  const { keep, convoy } = await set({ make: async () => (++times < 3 ? 'lost' : { id: 'e2' }) });
  for (let round = 0; round < 4; round += 1) await keep();
  expect([times, (await convoy()).event?.id]).toEqual([3, 'e2']);
});

test('a cancelled convoy has none any more, and one that runs is left alone', async () => {
  const { stored, asked, time, keep } = await set();
  await keep();
  time.now = AT;
  await keep();
  await stored.cancel('7', draft.id, AT);
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
  await stored.saveCard(convoyKey('7', { id: next }), { ...newBoardState, posted: '10' }, unfenced);
  await keep(next);
  expect(asked).toHaveLength(2);
  // Clocks in Berlin are put back in between.
  expect(asked[1]).toBe(`change e1 Run ${7 * 24 * HOUR + HOUR} true`);
});
