/** A process that is killed at any moment of a convoy, and the one that goes on. */

import { Routes } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createConvoyRepository } from '../../../commands/convoys/models/convoy-repository.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { HOUR, MINUTE } from '../../../src/base/duration.ts';
import type { Runtime } from '../../../src/base/runtime.ts';
import type { Bot } from '../../../src/bot/bot.ts';
import { createRepositories } from '../../../src/bot/repositories.ts';
import { createGuildDrivers } from '../../../src/community/accounts/guild-drivers.ts';
import type { Documents } from '../../../src/store/documents.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { outboxTo } from '../../support/messages.ts';
import { noHistory } from '../../support/no-history.ts';
import { openFeature } from '../../support/open-feature.ts';
import { createTranslators } from '../../support/translators.ts';

const NOON = Date.UTC(2026, 10, 27, 12);
const [GUILD, CHANNEL, ROLE, MAKER] = ['100', '8', '5', '411'] as const;
const people = ['501', '502', '503'] as const;
const asker = (id: string) => ({ id, guild: GUILD });

/** The process ended at that moment. */
class Killed extends Error {}

let time: VirtualTime;
let uninstall: () => void;
beforeEach(startTime);
afterEach(() => uninstall());

function startTime(): void {
  time = new VirtualTime(NOON);
  uninstall = time.install();
}

/** Ends the processes of an earlier world, which would go on beside those of the next one. */
function restartTime(): void {
  uninstall();
  startTime();
}

type World = ReturnType<typeof createWorld>;

/** A guild and its store. `untilKill`: how often more is written or sent until the process is killed. */
function createWorld(untilKill: number) {
  const documents = documentsInMemory(time.clock.now);
  return {
    documents,
    stored: createConvoyRepository(documents),
    posted: [] as string[],
    untilKill,
    isKilled: false,
  };
}

function startProcess(world: World) {
  let isDead = false;
  world.isKilled = false;
  function live(): void {
    if (isDead) throw new Killed();
  }
  const clock: Clock = {
    ...time.clock,
    after: (ms, callback) =>
      time.clock.after(ms, () => {
        if (!isDead) callback();
      }),
  };
  function step(): void {
    if (!isDead && world.untilKill === 0) [isDead, world.isKilled] = [true, true];
    world.untilKill -= 1;
    live();
  }
  const { read, all, commit, ...others } = world.documents;
  /** The kill comes before or after it is written. */
  const documents: Documents = {
    ...others,
    read: (...asked) => Promise.try(live).then(() => read(...asked)),
    all: (...asked) => Promise.try(live).then(() => all(...asked)),
    async commit(...asked) {
      step();
      const isDone = await commit(...asked);
      step();
      return isDone;
    },
  };
  const bot = {
    repositories: createRepositories(documents),
    store: { documents },
    guildDrivers: createGuildDrivers(documents, () => false),
    ...noHistory,
    translatorFor: createTranslators(),
    boards: { changed() {}, syncMessage: async () => true },
    shards: { mayAct: () => true },
    connection: {
      ...{
        userId: () => '3',
        access: () => ({ kind: 'open' }),
        mayInGuild: () => false,
        isThere: () => true,
      },
      audienceOf: () => 'everyone',
      mayView: () => true,
      clockSkew: () => null,
      isClockRight: async () => null,
      rightsOf: () => ({ may: () => true, mayIn: () => true }),
      rest: {
        get: async (path: string) =>
          path === Routes.guild(GUILD)
            ? { owner_id: MAKER, roles: [] }
            : { roles: [], joined_at: '2026-01-01T00:00:00Z' },
        async post(path: string, { body }: { readonly body: { readonly recipient_id?: string } }) {
          if (path === Routes.userChannels()) return { id: body.recipient_id };
          step();
          world.posted.push(path);
          step();
          return { id: String(world.posted.length) };
        },
      },
    },
  } as unknown as Bot;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  Object.assign(bot, outboxTo(bot.connection.rest, { clock, documents }));
  const runtime = { clock, log, resources: new AsyncDisposableStack() } as unknown as Runtime;
  const running = openFeature('convoys', bot, runtime);
  running.start();
  return running.requests;
}

/** A convoy from its draft to its result. Whoever got no answer asks again. */
async function live(world: World): Promise<void> {
  let requests = startProcess(world);
  const restarted = (): void => {
    if (world.isKilled) requests = startProcess(world);
  };
  async function untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    const answer = await ask().catch(() => null);
    await time.pass(0);
    if (!world.isKilled && answer !== null) return answer;
    restarted();
    return untilAnswered(ask);
  }
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += MINUTE) {
      await time.pass(MINUTE);
      restarted();
    }
  }

  const typed = { title: 'Run', when: 'in 40 min', server: 'two', hours: 1, places: null, weekly: true };
  const reader = { about: null, channel: CHANNEL, locale: 'en-GB', zone: 'UTC' };
  const [{ id }] = await untilAnswered(async () => {
    const there = await world.stored.in(GUILD);
    if (there.length > 0) return there as [(typeof there)[0]];
    const now = time.clock.now();
    const planned = await requests.plan(asker(MAKER), { ...typed, role: ROLE }, { ...reader, now });
    if ('refusal' in planned) throw new Error(`refused: ${JSON.stringify(planned.refusal)}`);
    const done = await requests.announce(
      asker(MAKER),
      planned.draft.id,
      { locale: 'en-GB', colours: true, zone: 'UTC' },
      now,
    );
    return done !== null && 'convoy' in done ? ([done.convoy] as const) : null;
  }).then((found) => found ?? expect.unreachable());
  for (const person of people)
    for (const press of ['in', 'remind'] as const)
      await untilAnswered(() => requests.press(asker(person), id, press, time.clock.now()));
  await pass(2 * HOUR);
  expect(
    (await world.stored.signUpsOf(GUILD, id)).map(({ person, answer }) => `${person} ${answer}`),
  ).toEqual([MAKER, ...people].map((person) => `${person} in`));
  expect((await world.stored.in(GUILD)).map(({ stage }) => stage)).toEqual(['over', 'open']);
  expect(await world.stored.past(GUILD)).toHaveLength(1);
}

test('signs up all whom it has answered, and tells and reminds of nothing twice', async () => {
  const whole = createWorld(Number.POSITIVE_INFINITY);
  await live(whole);
  const everything = [CHANNEL, ...people].map((channel) => Routes.channelMessages(channel));
  expect(whole.posted.toSorted()).toEqual(everything.toSorted());
  let lives = 0;
  for (let isKilled = true; isKilled; lives += 1) {
    restartTime();
    const world = createWorld(lives);
    await live(world);
    isKilled = world.untilKill < 0;
    expect(new Set(world.posted).size).toBe(world.posted.length);
    // What a kill has interrupted may have been sent; of all others there is no doubt.
    expect(world.posted.length).toBeGreaterThanOrEqual(everything.length - 1);
  }
  expect(lives).toBeGreaterThan(40);
});
