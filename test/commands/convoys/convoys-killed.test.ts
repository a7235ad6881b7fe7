/** A process that is killed at any moment of a convoy, and the one that goes on. */

import { expect, test } from 'vitest';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import { bot, GUILD, OWNER, ROLE, time } from '../../support/bot-in-memory.ts';

const CHANNEL = '8';
const people = ['501', '502', '503'] as const;
const asker = (id: string) => ({ id, guild: GUILD });

/** A convoy from its draft to its result. Whoever got no answer asks again. */
async function live(first: ReturnType<typeof bot>): Promise<void> {
  const stored = createConvoyRepository(first.documents);
  let process = first;
  process.start();
  function restart(): void {
    if (process.isAlive()) return;
    process = process.again();
    process.start();
  }
  async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const answer = await ask().catch(() => null);
    await time.pass(0);
    if (process.isAlive() && answer !== null) return answer;
    restart();
    return untilAnswered(ask);
  }
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      await time.pass(MINUTE);
      restart();
    }
  }

  const typed = { title: 'Run', when: 'in 40 min', server: 'two', hours: 1, places: null, weekly: true };
  const reader = { about: null, channel: CHANNEL, locale: 'en-GB', zone: 'UTC' };
  const [{ id }] = await untilAnswered(async () => {
    const there = await stored.in(GUILD);
    if (there.length > 0) return there as [(typeof there)[0]];
    const now = time.clock.now();
    const planned = await process.features.convoys.plan(
      asker(OWNER),
      { ...typed, role: ROLE },
      { ...reader, now },
    );
    if ('refusal' in planned) throw new Error(`refused: ${JSON.stringify(planned.refusal)}`);
    const done = await process.features.convoys.announce(
      asker(OWNER),
      planned.draft.id,
      { locale: 'en-GB', colours: true, zone: 'UTC' },
      now,
    );
    return done !== null && 'convoy' in done ? ([done.convoy] as const) : null;
  }).then((found) => found ?? expect.unreachable());
  for (const person of people)
    for (const press of ['in', 'remind'] as const)
      await untilAnswered(() => process.features.convoys.press(asker(person), id, press, time.clock.now()));
  await pass(2 * HOUR);
  expect((await stored.signUpsOf(GUILD, id)).map(({ person, answer }) => `${person} ${answer}`)).toEqual(
    [OWNER, ...people].map((person) => `${person} in`),
  );
  expect((await stored.in(GUILD)).map(({ stage }) => stage)).toEqual(['over', 'open']);
  expect(await stored.past(GUILD)).toHaveLength(1);
}

test('signs up all whom it has answered, and tells and reminds of nothing twice', async () => {
  const botKilledAfter = (stepsToKill: number) =>
    bot({ stepsToKill, features: ['convoys'], connection: { mayInGuild: () => false } });
  const whole = botKilledAfter(Number.POSITIVE_INFINITY);
  await live(whole);
  const everything = [CHANNEL, ...people];
  expect(whole.places()).toEqual(everything.toSorted());
  let lives = 0;
  for (let isKilled = true; isKilled; lives += 1) {
    const killed = botKilledAfter(lives);
    await live(killed);
    isKilled = !killed.isAlive();
    const places = killed.places();
    expect(new Set(places).size).toBe(places.length);
    // What a kill has interrupted may have been sent; of all others there is no doubt.
    expect(places.length).toBeGreaterThanOrEqual(everything.length - 1);
  }
  expect(lives).toBeGreaterThan(40);
});
