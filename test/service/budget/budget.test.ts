import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/base/errors.ts';
import type { Ledger } from '../../../src/service/budget/ledger/ledger.ts';
import type { Priority } from '../../../src/service/endpoints.ts';
import {
  type BudgetInMemory,
  budgetInMemory,
  callOf,
  HOUR,
  MINUTE,
  rateOf,
  watch,
} from './budget-in-memory.ts';

let budget: BudgetInMemory;
beforeEach(() => {
  budget = budgetInMemory();
});
afterEach(() => budget.end());

/** Spends one permit so that the layer knows the window: `remaining` left until the reset in `resetIn` seconds. */
async function learnWindow(remaining: number, resetIn: number): Promise<void> {
  const first = budget.layer(callOf(`window ${budget.requests.length}`));
  await budget.time.pass(50);
  budget.open()[0]?.answer(rateOf(budget.time, { remaining, resetIn }));
  await budget.time.until(first);
}

const ask = (cacheKey: string, priority: 'interactive' | 'background' = 'interactive') =>
  watch(budget.layer(callOf(cacheKey, priority)));

const dropped = (sent: 'no' | 'maybe') =>
  new ServiceError('unavailable', { endpoint: 'profile', sent, transient: true, detail: 'connection reset' });

const hung = () =>
  new ServiceError('unavailable', { endpoint: 'profile', sent: 'maybe', detail: 'no answer in time' });

describe('what passes', () => {
  test('a question without key is sent at once and spends nothing', async () => {
    budget.answerAll(10);
    await budget.time.until(budget.layer(callOf('live', 'background', { keyed: false })));
    expect(budget.time.elapsed).toBe(10);
    expect((await budget.ledger.snapshot()).spent).toEqual({ interactive: 0, background: 0 });
  });

  test('a keyed question spends one permit of its class, and hides the rate headers', async () => {
    budget.answerAll(10, () => rateOf(budget.time, { remaining: 700, resetIn: 1800 }));
    const fetched = await budget.time.until(budget.layer(callOf('profile|ann')));
    expect(fetched.rate).toBeNull();
    expect((await budget.ledger.snapshot()).spent).toEqual({ interactive: 1, background: 0 });
  });

  test('while the window is unknown one request asks, and the others wait for its answer', async () => {
    const all = ['a', 'b', 'c'].map((cacheKey) => ask(cacheKey));
    await budget.time.pass(1100);
    expect(budget.requests).toHaveLength(1);
    budget.open()[0]?.answer(rateOf(budget.time, { remaining: 719, resetIn: 1800 }));
    // At once, although they would have looked again only a quarter of a second after they last did.
    await budget.time.pass(10);
    expect(budget.requests).toHaveLength(3);
    for (const request of budget.open())
      request.answer(rateOf(budget.time, { remaining: 717, resetIn: 1800 }));
    await budget.time.pass(100);
    expect(all.every(({ fetched }) => fetched !== null)).toBe(true);
  });

  test('no more than five requests are on the network at a time', async () => {
    await learnWindow(700, 1800);
    for (let index = 0; index < 12; index += 1) ask(`many ${index}`);
    await budget.time.pass(2000);
    expect(budget.open()).toHaveLength(5);
  });

  test('people pass pollers that came before them', async () => {
    await learnWindow(700, 1800);
    const pollers = [1, 2, 3].map((index) => ask(`poll ${index}`, 'background'));
    await budget.time.pass(100);
    const person = ask('person');
    await budget.time.pass(100);
    expect(budget.requests.map(({ call }) => call.cacheKey).slice(1)).toEqual(['poll 1', 'person']);
    expect([...pollers, person].every(({ error }) => error === null)).toBe(true);
  });

  test('pollers come evenly, six seconds apart', async () => {
    await learnWindow(700, 1800);
    budget.answerAll(50, () => rateOf(budget.time, { remaining: 600, resetIn: 1800 }));
    for (let index = 0; index < 5; index += 1) ask(`poll ${index}`, 'background');
    await budget.time.pass(29_000);
    const times = budget.requests.slice(1).map(({ at }) => at);
    expect(times).toHaveLength(5);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(5990);
  });
});

describe('what does not', () => {
  test('tells a person without a permit within ten seconds, with the next possible time', async () => {
    await learnWindow(0, 20);
    const waiting = ask('late');
    await budget.time.pass(10_000);
    expect(waiting.error).toMatchObject({ fault: 'over-budget', sent: 'no' });
    const retryIn = (waiting.error?.retryAt ?? 0) - budget.time.clock.now();
    expect(retryIn).toBeGreaterThan(9000);
    expect(retryIn).toBeLessThan(22_000);
    expect(budget.requests).toHaveLength(1);
  });

  test('a person learns at once where no permit can come within their patience', async () => {
    await learnWindow(0, 1800);
    const waiting = ask('hopeless');
    await budget.time.pass(200);
    expect(waiting.error?.fault).toBe('over-budget');
  });

  test('a person who waits gets a permit when it comes in time', async () => {
    await learnWindow(0, 5);
    const waiting = ask('patient');
    await budget.time.pass(4000);
    expect(budget.requests).toHaveLength(1);
    await budget.time.pass(3000);
    expect(budget.requests).toHaveLength(2);
    budget.open()[0]?.answer();
    await budget.time.pass(10);
    expect(waiting.fetched).not.toBeNull();
  });

  test('skips pollers beyond an even share at once, and still serves the others', async () => {
    await learnWindow(700, 1800);
    budget.answerAll(50, () => rateOf(budget.time, { remaining: 600, resetIn: 1800 }));
    const polls = Array.from({ length: 50 }, (_, index) => ask(`poll ${index}`, 'background'));
    await budget.time.pass(500);
    expect(polls.filter(({ error }) => error?.fault === 'over-budget').length).toBeGreaterThan(40);
    await budget.time.pass(MINUTE);
    const before = budget.requests.length;
    ask('another', 'background');
    await budget.time.pass(6100);
    expect(budget.requests.length).toBe(before + 1);
  });

  test('gives pollers of a small key every turn that is theirs', async () => {
    const first = budget.layer(callOf('first', 'background'));
    await budget.time.pass(50);
    budget.answerAll(50, () => rateOf(budget.time, { limit: 10, windowSeconds: 3600 }));
    await budget.time.until(first);
    for (let minute = 0; minute < 180; minute += 1) {
      ask(`minute ${minute}`, 'background');
      await budget.time.pass(MINUTE);
    }
    // A turn every 432 s, of which the poller that comes next makes use.
    expect(budget.requests.length).toBeGreaterThanOrEqual(20);
  });

  test('while the service is silent, waiting calls report that and not a spent budget', async () => {
    ask('first');
    await budget.time.pass(100);
    ask('second');
    const third = ask('third');
    await budget.time.pass(8000);
    budget.open()[0]?.fail(dropped('maybe'));
    await budget.time.pass(2000);
    expect(budget.requests.map(({ call }) => call.cacheKey)).toEqual(['first', 'second']);
    expect(third.error).toMatchObject({ fault: 'unavailable', sent: 'no' });
  });

  test('none of 300 people reads that the budget is spent because the service hangs', async () => {
    await learnWindow(700, 1800);
    const people = Array.from({ length: 300 }, (_, index) => ask(`person ${index}`));
    for (let second = 0; second < 30; second += 1) {
      await budget.time.pass(1000);
      for (const request of budget.open()) if (budget.time.elapsed - request.at >= 8000) request.fail(hung());
    }
    const faults = new Set(people.map(({ error }) => error?.fault));
    expect(faults).toEqual(new Set(['unavailable', 'no-turn']));
    expect(people.filter(({ error }) => error?.retryAt !== null)).toEqual([]);
  });

  test('more people than the limit are turned away at once, and not as a spent budget', async () => {
    await learnWindow(700, 1800);
    const people = Array.from({ length: 800 }, (_, index) => ask(`person ${index}`));
    // Bottleneck takes a turn of the timers for each.
    await budget.time.pass(2000);
    const turnedAway = people.filter(({ error }) => error?.fault === 'no-turn');
    expect(turnedAway.length).toBeGreaterThan(60);
    expect(turnedAway.length).toBeLessThan(80);
  });

  test('of a larger key more may wait', async () => {
    const first = budget.layer(callOf('first'));
    await budget.time.pass(50);
    budget
      .open()[0]
      ?.answer(rateOf(budget.time, { limit: 5000, windowSeconds: 3600, remaining: 4999, resetIn: 1800 }));
    await budget.time.until(first);
    const people = Array.from({ length: 1000 }, (_, index) => ask(`person ${index}`));
    await budget.time.pass(2500);
    expect(people.every(({ error }) => error === null)).toBe(true);
  });

  test('pollers that find the connections hung do not blame the budget', async () => {
    await learnWindow(700, 1800);
    for (let index = 0; index < 6; index += 1) ask(`person ${index}`);
    await budget.time.pass(100);
    const polls = Array.from({ length: 20 }, (_, index) => ask(`poll ${index}`, 'background'));
    await budget.time.pass(1000);
    const turnedAway = polls.flatMap(({ error }) => (error === null ? [] : [error.fault]));
    expect(turnedAway.length).toBeGreaterThan(10);
    expect(new Set(turnedAway)).toEqual(new Set(['no-turn']));
  });

  test('a permit whose request finds no connection in time comes back', async () => {
    await learnWindow(700, 1800);
    const people = Array.from({ length: 6 }, (_, index) => ask(`person ${index}`));
    await budget.time.pass(9500);
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(7);
    budget.open()[0]?.fail(hung());
    await budget.time.pass(100);
    expect(people[5]?.error).toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(6);
  });

  test('a question that nobody wanted from the start is not asked', async () => {
    await learnWindow(700, 1800);
    const signal = AbortSignal.abort();
    const unwanted = watch(budget.layer(callOf('unwanted', 'interactive', { signal })));
    await budget.time.pass(100);
    expect(unwanted.error).toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect(budget.requests).toHaveLength(1);
  });

  test('a queue that is longer than a limit that has just been learnt takes nobody more', async () => {
    await learnWindow(700, 1800);
    ask('states a limit first');
    await budget.time.pass(100);
    budget
      .open()[0]
      ?.answer(rateOf(budget.time, { limit: 50, windowSeconds: 3600, remaining: 49, resetIn: 1800 }));
    await budget.time.pass(100);
    const first = budget.layer(callOf('states it again'));
    for (let index = 0; index < 5; index += 1) ask(`hangs ${index}`);
    const many = Array.from({ length: 100 }, (_, index) => ask(`person ${index}`));
    await budget.time.pass(500);
    budget
      .open()[0]
      ?.answer(rateOf(budget.time, { limit: 50, windowSeconds: 3600, remaining: 49, resetIn: 1800 }));
    await budget.time.until(first);
    await budget.time.pass(200);
    const late = ask('late');
    await budget.time.pass(10);
    expect(late.error).toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect(many.some(({ error }) => error !== null)).toBe(false);
  });

  test('a question that nobody wants any more is dropped unsent', async () => {
    await learnWindow(0, 8);
    const nobody = new AbortController();
    const waiting = watch(budget.layer(callOf('unwanted', 'interactive', { signal: nobody.signal })));
    await budget.time.pass(1000);
    nobody.abort();
    await budget.time.pass(30_000);
    expect(waiting.error).toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect(budget.requests).toHaveLength(1);
  });
});

describe('two calls with one cache key', () => {
  type Progress = 'sent' | 'waiting';

  /** As the layer above shares them: the first to be sent ends the other. */
  function shared(first: Priority, second: Priority) {
    const controllers = [new AbortController(), new AbortController()] as const;
    const progress: string[] = [];
    const issue = (index: 0 | 1, priority: Priority) => {
      const onProgress = (what: Progress): void => {
        progress.push(`${priority} ${what}`);
        if (what === 'sent') controllers[1 - index]?.abort();
      };
      const { signal } = controllers[index];
      return watch(budget.layer(callOf('profile|ann', priority, { signal, onProgress })));
    };
    return { progress, first: issue(0, first), second: issue(1, second) };
  }

  test('the first to be sent wins, and the other spends nothing', async () => {
    await learnWindow(700, 1800);
    ask('poll', 'background');
    await budget.time.pass(100);
    budget.open()[0]?.answer(rateOf(budget.time, { remaining: 699, resetIn: 1800 }));
    const { first, second, progress } = shared('background', 'interactive');
    await budget.time.pass(100);
    expect(budget.requests).toHaveLength(3);
    budget.open()[0]?.answer(null, { username: 'ann' });
    await budget.time.pass(MINUTE);
    expect(progress).toEqual(['interactive sent']);
    expect(second.fetched?.body).toEqual({ username: 'ann' });
    expect(first.error).toMatchObject({ fault: 'no-turn', sent: 'no' });
    expect(budget.requests).toHaveLength(3);
    expect((await budget.ledger.snapshot()).spent).toEqual({ interactive: 2, background: 1 });
  });

  test("when both get a permit at once, one is sent and the other's permit comes back", async () => {
    await learnWindow(700, 1800);
    const { progress } = shared('background', 'interactive');
    await budget.time.pass(100);
    expect(budget.requests).toHaveLength(2);
    expect(progress).toEqual(['background sent']);
    expect((await budget.ledger.snapshot()).spent).toEqual({ interactive: 1, background: 1 });
  });

  test('a failed call that waits for its second try lets a person pass it', async () => {
    await learnWindow(700, 1800);
    const progress: Progress[] = [];
    const onProgress = (what: Progress): void => void progress.push(what);
    const poll = watch(budget.layer(callOf('poll', 'background', { onProgress })));
    await budget.time.pass(100);
    expect(progress).toEqual(['sent']);
    budget.open()[0]?.fail(dropped('maybe'));
    await budget.time.pass(100);
    expect(progress).toEqual(['sent', 'waiting']);
    await budget.time.pass(6000);
    expect(progress).toEqual(['sent', 'waiting', 'sent']);
    budget.open()[0]?.answer();
    await budget.time.pass(10);
    expect(poll.fetched).not.toBeNull();
  });

  test('does not stop a sent request by its signal, nor send it again when it fails', async () => {
    await learnWindow(700, 1800);
    const nobody = new AbortController();
    const progress: Progress[] = [];
    const onProgress = (what: Progress): void => void progress.push(what);
    const call = watch(
      budget.layer(callOf('profile|ann', 'interactive', { signal: nobody.signal, onProgress })),
    );
    await budget.time.pass(100);
    nobody.abort();
    await budget.time.pass(100);
    expect(call.error).toBeNull();
    budget.open()[0]?.fail(dropped('maybe'));
    await budget.time.pass(MINUTE);
    expect(call.error?.sent).toBe('maybe');
    expect(progress).toEqual(['sent']);
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(2);
  });
});

describe('after a failure', () => {
  test('repeats a dropped connection with a new permit; the doubtful one keeps counting', async () => {
    await learnWindow(700, 1800);
    const person = ask('profile|ann');
    await budget.time.pass(50);
    budget.open()[0]?.fail(dropped('maybe'));
    await budget.time.pass(50);
    budget.open()[0]?.answer(rateOf(budget.time, { remaining: 697, resetIn: 1800 }));
    await budget.time.pass(50);
    expect(person.fetched).not.toBeNull();
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(3);
  });

  test('a request that never left gives its permit back', async () => {
    await learnWindow(700, 1800);
    const person = ask('profile|ann');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await budget.time.pass(50);
      budget.open()[0]?.fail(dropped('no'));
    }
    await budget.time.pass(50);
    expect(person.error).toMatchObject({ fault: 'unavailable', sent: 'no' });
    expect(budget.requests).toHaveLength(3);
    expect((await budget.ledger.snapshot()).spent.interactive).toBe(1);
  });

  test('a second failure is reported as it is, and there is no third try', async () => {
    await learnWindow(700, 1800);
    const person = ask('profile|ann');
    await budget.time.pass(50);
    budget.open()[0]?.fail(dropped('maybe'));
    await budget.time.pass(50);
    budget.open()[0]?.fail(dropped('maybe'));
    await budget.time.pass(MINUTE);
    expect(person.error?.fault).toBe('unavailable');
    expect(budget.requests).toHaveLength(3);
  });

  test('a failure whose retry gets no permit is reported as the original failure', async () => {
    await learnWindow(4, 1800);
    const person = ask('profile|ann');
    await budget.time.pass(50);
    budget.open()[0]?.fail(
      new ServiceError('unavailable', {
        endpoint: 'profile',
        sent: 'yes',
        transient: true,
        rate: rateOf(budget.time, { remaining: 0, resetIn: 1800 }),
      }),
    );
    await budget.time.pass(1000);
    expect(person.error).toMatchObject({ fault: 'unavailable', sent: 'yes' });
  });

  test('an unknown name is no reason to try again', async () => {
    await learnWindow(700, 1800);
    const person = ask('profile|nobody');
    await budget.time.pass(50);
    budget.open()[0]?.fail(new ServiceError('not-found', { endpoint: 'profile', sent: 'yes' }));
    await budget.time.pass(50);
    expect(person.error?.fault).toBe('not-found');
    expect(budget.requests).toHaveLength(2);
  });
});

describe('after a refusal', () => {
  const refusal = (rate: Parameters<typeof rateOf>[1] | null) =>
    new ServiceError('over-budget', {
      endpoint: 'profile',
      sent: 'yes',
      ...(rate === null ? {} : { rate: rateOf(budget.time, rate) }),
    });

  test('sends nothing until Retry-After has passed', async () => {
    await learnWindow(700, 1800);
    const people = [ask('one'), ask('two')];
    await budget.time.pass(50);
    for (const request of budget.open()) request.fail(refusal({ retryAfter: 55 }));
    await budget.time.pass(50);
    expect(people[0]?.error).toMatchObject({ fault: 'over-budget', sent: 'yes' });
    expect((await budget.ledger.snapshot()).refusals).toBe(2);
    for (let second = 0; second < 45; second += 5) {
      const asked = ask(`at ${second}`);
      await budget.time.pass(5000);
      expect(asked.error?.fault).toBe('over-budget');
    }
    expect(budget.requests).toHaveLength(3);
    await budget.time.pass(5000);
    ask('later');
    await budget.time.pass(4700);
    expect(budget.requests).toHaveLength(3);
    await budget.time.pass(500);
    expect(budget.requests).toHaveLength(4);
  });

  test('one answer closes the key for a minute; a second opens or closes it for good', async () => {
    await learnWindow(700, 1800);
    const hour = { remaining: 0, retryAfter: 3600 };
    const burst = [ask('one'), ask('two'), ask('three')];
    await budget.time.pass(50);
    for (const request of budget.open()) request.fail(refusal(hour));
    await budget.time.pass(59_000);
    expect(burst.every(({ error }) => error?.fault === 'over-budget')).toBe(true);
    expect((await budget.ledger.snapshot()).closedMs).toBeLessThanOrEqual(1000);

    await budget.time.pass(1100);
    const [probe, waiting] = [ask('probe'), ask('waits for it')];
    await budget.time.pass(500);
    expect(budget.open()).toHaveLength(1);
    budget.open()[0]?.answer(rateOf(budget.time, { remaining: 690, resetIn: 1700 }));
    await budget.time.pass(500);
    expect(probe.fetched).not.toBeNull();
    budget.open()[0]?.answer(rateOf(budget.time, { remaining: 689, resetIn: 1700 }));
    await budget.time.pass(50);
    expect(waiting.fetched).not.toBeNull();

    for (const closedMs of [60_000, 3_600_000]) {
      ask(`refused for ${closedMs}`);
      await budget.time.pass(500);
      budget.open()[0]?.fail(refusal(hour));
      await budget.time.pass(1);
      expect((await budget.ledger.snapshot()).closedMs).toBeCloseTo(closedMs, -1);
      await budget.time.pass(60_000);
    }
    expect((await budget.ledger.snapshot()).refusals).toBe(5);
  });

  test.each([
    ['the reset, where Retry-After is absent', { resetIn: 30 }, 30, 32],
    ['a minute, where that is later', { resetIn: 300 }, 60, 60],
    ['a minute, where nothing is told', null, 60, 60],
    ['a minute, where both are absurd', { retryAfter: -5, resetIn: -10_800 }, 60, 60],
    ['a minute, where both lie far ahead', { retryAfter: 3e8, resetIn: 3e8 }, 60, 60],
  ])('nothing is sent until %s', async (_name, told, least, most) => {
    await learnWindow(700, 1800);
    ask('refused');
    await budget.time.pass(50);
    budget.open()[0]?.fail(refusal(told));
    await budget.time.pass(50);
    const { closedMs } = await budget.ledger.snapshot();
    expect(closedMs / 1000).toBeGreaterThan(least - 1);
    expect(closedMs / 1000).toBeLessThanOrEqual(most);
  });
});

describe('clocks', () => {
  test.each([
    ['back', -5 * HOUR],
    ['forward', 5 * HOUR],
  ])('a step of the wall clock %s stops no queue', async (_way, step) => {
    await learnWindow(700, 1800);
    budget.answerAll(50, () => rateOf(budget.time, { remaining: 600, resetIn: 1800 }));
    await budget.time.until(budget.layer(callOf('before')));
    budget.time.stepWall(step);
    const after = [ask('after', 'background'), ask('after too')];
    await budget.time.pass(1000);
    expect(after.every(({ fetched }) => fetched !== null)).toBe(true);
  });

  test('a step back while people wait in the queue does not leave them there', async () => {
    await learnWindow(700, 1800);
    const many = Array.from({ length: 30 }, (_, index) => ask(`many ${index}`));
    await budget.time.pass(100);
    budget.time.stepWall(-HOUR);
    budget.answerAll(50, () => rateOf(budget.time, { remaining: 600, resetIn: 1800 }));
    await budget.time.pass(3000);
    expect(many.filter(({ fetched }) => fetched !== null)).toHaveLength(30);
  });
});

describe('the ledger away', () => {
  test('nothing is sent without a permit; sending resumes when the ledger is back', async () => {
    budget.end();
    const told: string[] = [];
    let away = false;
    const fail = () => Promise.reject(new Error('database is locked'));
    budget = budgetInMemory({
      onLedger: (state) => told.push(state),
      wrap: (ledger): Ledger => ({ ...ledger, take: (...asked) => (away ? fail() : ledger.take(...asked)) }),
    });
    budget.answerAll(50);
    away = true;
    const tooLong = ask('too long');
    await budget.time.pass(9000);
    const second = ask('second');
    await budget.time.pass(2000);
    expect(tooLong.error).toMatchObject({ fault: 'store-away', sent: 'no', retryAt: null });
    expect(budget.requests).toHaveLength(0);
    away = false;
    await budget.time.pass(2000);
    expect(second.fetched).not.toBeNull();
    expect(told).toEqual(['away', 'back']);
  });
});
