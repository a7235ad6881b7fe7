import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { repeatEvery } from '../../src/base/repeat-every.ts';
import { countTimers, createManualClock } from '../support/manual-clock.ts';

/** Work whose runs end when the test says so, begun every ten seconds. */
function setUp() {
  const manual = createManualClock();
  const { clock, timers } = countTimers(manual);
  const failures: unknown[] = [];
  const begun: number[] = [];
  let run = Promise.withResolvers<void>();
  const repetition = repeatEvery(
    clock,
    10_000,
    () => {
      begun.push(clock.now() / 1000);
      run = Promise.withResolvers();
      return run.promise;
    },
    (error) => failures.push(error),
  );
  return {
    ...{ repetition, failures, begun, timers },
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        manual.pass(1000);
        await settled();
      }
    },
    async ends(error?: Error) {
      if (error === undefined) run.resolve();
      else run.reject(error);
      await settled();
    },
  };
}

test('a run begins every ten seconds, the first one after ten', async () => {
  const { begun, pass, ends } = setUp();
  await pass(10);
  await pass(3);
  await ends();
  await pass(7);
  await ends();
  await pass(12);
  expect(begun).toEqual([10, 20, 30]);
});

test('a run that would begin during another one is left out', async () => {
  const { begun, pass, ends } = setUp();
  await pass(34);
  expect(begun).toEqual([10]);
  await ends();
  await pass(16);
  expect(begun).toEqual([10, 40]);
});

test('a run can be begun at once, and the next one is ten seconds later', async () => {
  const { repetition, begun, pass, ends } = setUp();
  await pass(4);
  const done = repetition.now();
  expect(begun).toEqual([4]);
  await ends();
  expect(await done).toBeNull();
  await pass(12);
  expect(begun).toEqual([4, 14]);
});

test('a run begun at once takes the place of the one that falls due during it', async () => {
  const { repetition, begun, pass, ends } = setUp();
  await pass(9);
  void repetition.now();
  await pass(2);
  await ends();
  await pass(8);
  expect(begun).toEqual([9, 19]);
});

test('all who want a run during one share the one after it', async () => {
  const { repetition, begun, pass, ends } = setUp();
  await pass(10);
  const [one, other] = [repetition.now(), repetition.now()];
  expect(begun).toEqual([10]);
  await pass(2);
  await ends();
  expect(begun).toEqual([10, 12]);
  const third = repetition.now();
  const error = new Error('too bad');
  await ends(error);
  expect([await one, await other]).toEqual([{ error }, { error }]);
  await ends();
  expect(await third).toBeNull();
  expect(begun).toEqual([10, 12, 12]);
});

test('the next run can be brought forward, and not put off', async () => {
  const { repetition, begun, pass, ends } = setUp();
  repetition.runWithin(3000);
  repetition.runWithin(6000);
  await pass(4);
  expect(begun).toEqual([3]);
  // During a run.
  repetition.runWithin(1000);
  await pass(2);
  await ends();
  expect(begun).toEqual([3, 6]);
  await ends();
  repetition.runWithin(60_000);
  await pass(11);
  expect(begun).toEqual([3, 6, 16]);
});

test('several failures in a row are reported once, and do not end it', async () => {
  const { failures, begun, pass, ends } = setUp();
  const outcomes = ['first', 'second', null, 'third'].map((why) =>
    why === null ? undefined : new Error(why),
  );
  for (const outcome of outcomes) {
    await pass(10);
    await ends(outcome);
  }
  expect(begun).toEqual([10, 20, 30, 40]);
  expect(failures).toEqual([outcomes[0], outcomes[3]]);
});

test('a stop waits for the run under way, and no further one begins', async () => {
  const { repetition, begun, timers, pass, ends } = setUp();
  await pass(10);
  const later = repetition.now();
  let hasStopped = false;
  const stopping = repetition.stop().then(() => {
    hasStopped = true;
  });
  await settled();
  expect(hasStopped).toBe(false);
  await ends();
  await stopping;
  expect(timers()).toBe(0);
  expect(await later).toBeNull();
  expect(await repetition.now()).toBeNull();
  repetition.runWithin(0);
  await pass(30);
  expect(begun).toEqual([10]);
});

test('a stop between two runs leaves no timer', async () => {
  const { repetition, timers } = setUp();
  expect(timers()).toBe(1);
  await repetition.stop();
  expect(timers()).toBe(0);
});

test('a stop waits for half a second, or for as long as it is told', async () => {
  const { repetition, pass } = setUp();
  await pass(10);
  let stopped = '';
  void repetition.stop().then(() => {
    stopped += 'usual ';
  });
  void repetition.stop(3000).then(() => {
    stopped += 'patient ';
  });
  await pass(1);
  expect(stopped).toBe('usual ');
  await pass(2);
  expect(stopped).toBe('usual patient ');
});
