import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createJob } from '../../src/base/job.ts';
import { countTimers, createManualClock } from '../support/manual-clock.ts';

/** Work whose runs end when the test says so, begun every ten seconds. */
function setUp(isStarted = true) {
  const manual = createManualClock();
  const { clock, timers } = countTimers(manual);
  const failures: unknown[] = [];
  const begun: number[] = [];
  let run = Promise.withResolvers<void>();
  const job = createJob(
    clock,
    10_000,
    () => {
      begun.push(clock.now() / 1000);
      run = Promise.withResolvers();
      return run.promise;
    },
    (error) => failures.push(error),
  );
  if (isStarted) void job.start(10_000);
  return {
    ...{ job, failures, begun, timers },
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

test('nothing runs before the start, and the first run may be at once', async () => {
  const { job, begun, timers, pass, ends } = setUp(false);
  job.runWithin(3000);
  expect(await job.now()).toBeNull();
  await pass(20);
  expect([begun, timers()]).toEqual([[], 0]);
  const first = job.start();
  await ends();
  expect(await first).toBeNull();
  await pass(10);
  expect(begun).toEqual([20, 30]);
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
  const { job, begun, pass, ends } = setUp();
  await pass(4);
  const done = job.now();
  expect(begun).toEqual([4]);
  await ends();
  expect(await done).toBeNull();
  await pass(12);
  expect(begun).toEqual([4, 14]);
});

test('a run begun at once takes the place of the one that falls due during it', async () => {
  const { job, begun, pass, ends } = setUp();
  await pass(9);
  void job.now();
  await pass(2);
  await ends();
  await pass(8);
  expect(begun).toEqual([9, 19]);
});

test('all who want a run during one share the one after it', async () => {
  const { job, begun, pass, ends } = setUp();
  await pass(10);
  const [one, other] = [job.now(), job.now()];
  expect(begun).toEqual([10]);
  await pass(2);
  await ends();
  expect(begun).toEqual([10, 12]);
  const third = job.now();
  const error = new Error('too bad');
  await ends(error);
  expect([await one, await other]).toEqual([{ error }, { error }]);
  await ends();
  expect(await third).toBeNull();
  expect(begun).toEqual([10, 12, 12]);
});

test('the next run can be brought forward, and not put off', async () => {
  const { job, begun, pass, ends } = setUp();
  job.runWithin(3000);
  job.runWithin(6000);
  await pass(4);
  expect(begun).toEqual([3]);
  // During a run.
  job.runWithin(1000);
  await pass(2);
  await ends();
  expect(begun).toEqual([3, 6]);
  await ends();
  job.runWithin(60_000);
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
  const { job, begun, timers, pass, ends } = setUp();
  await pass(10);
  const later = job.now();
  let hasStopped = false;
  const stopping = job.stop().then(() => {
    hasStopped = true;
  });
  await settled();
  expect(hasStopped).toBe(false);
  await ends();
  await stopping;
  expect(timers()).toBe(0);
  expect(await later).toBeNull();
  expect(await job.now()).toBeNull();
  job.runWithin(0);
  await pass(30);
  expect(begun).toEqual([10]);
});

test('a stop between two runs leaves no timer', async () => {
  const { job, timers } = setUp();
  expect(timers()).toBe(1);
  await job.stop();
  expect(timers()).toBe(0);
});

test('a stop waits for half a second, or for as long as it is told', async () => {
  const { job, pass } = setUp();
  await pass(10);
  let stopped = '';
  void job.stop().then(() => {
    stopped += 'usual ';
  });
  void job.stop(3000).then(() => {
    stopped += 'patient ';
  });
  await pass(1);
  expect(stopped).toBe('usual ');
  await pass(2);
  expect(stopped).toBe('usual patient ');
});
