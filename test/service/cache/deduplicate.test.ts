import { describe, expect, test } from 'vitest';
import { type Fault, ServiceError, type Share } from '../../../src/base/errors.ts';
import { createDeduplicate } from '../../../src/service/cache/deduplicate.ts';
import type { Call, Fetched } from '../../../src/service/call.ts';
import type { Priority } from '../../../src/service/endpoints.ts';
import { startLoopback } from '../loopback.ts';

/** One call as it reached the next layer, to go on as the test says. */
interface Below {
  readonly call: Call;
  progress(progress: 'sent' | 'waiting'): void;
  answer(body: string): void;
  fail(fault: Fault, share?: Share): void;
  crash(bug: Error): void;
}

/** The layer over a budget that drops a call which nobody wants any more, unless it is on its way. */
function build() {
  const below: Below[] = [];
  const layer = createDeduplicate((call) => {
    const { promise, resolve, reject } = Promise.withResolvers<Fetched>();
    const { endpoint, signal } = call;
    let isSent = false;
    const refuse = (fault: Fault, share?: Share): void =>
      reject(new ServiceError(fault, { endpoint, sent: 'no', ...(share === undefined ? {} : { share }) }));
    signal?.addEventListener('abort', () => {
      if (!isSent) refuse('no-turn');
    });
    below.push({
      call,
      progress: (progress) => {
        isSent = progress === 'sent';
        call.onProgress?.(progress);
      },
      answer: (body) => resolve({ body, asOf: 0, stale: null, rate: null }),
      fail: refuse,
      crash: reject,
    });
    return promise;
  });
  const ask = async (priority: Priority, cacheKey = 'profile/alice'): Promise<unknown> =>
    (await layer(callOf(cacheKey, priority))).body;
  return {
    below,
    layer,
    ask,
    /** The calls that are still wanted, in the order in which they were made. */
    wanted: () => below.filter(({ call }) => !call.signal?.aborted).map(({ call }) => call.priority),
  };
}

function callOf(cacheKey: string, priority: Priority): Call {
  return {
    endpoint: 'profile',
    cacheKey,
    path: [],
    query: {},
    keyed: true,
    asksByName: true,
    priority,
    maxAge: 0,
    pickUsedPart: (body) => body,
    trueAt: () => null,
  };
}

/** Lets everything run that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('one request', () => {
  test('serves twenty who ask together, and nobody who comes later', async () => {
    const { below, ask } = build();
    const asked = Array.from({ length: 20 }, () => ask('interactive'));
    expect(below).toHaveLength(1);
    below[0]?.answer('seven');
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['seven']));
    const later = ask('interactive');
    below[1]?.answer('eight');
    expect(await later).toBe('eight');
    // To abort what has ended makes an error with a stack for nobody.
    expect(below.map(({ call }) => call.signal?.aborted)).toEqual([false, false]);
  });

  test('serves one question only', async () => {
    const { below, ask } = build();
    const asked = [ask('interactive', 'profile/alice'), ask('interactive', 'profile/bob')];
    expect(below.map(({ call }) => call.cacheKey)).toEqual(['profile/alice', 'profile/bob']);
    for (const { answer } of below) answer('x');
    await Promise.all(asked);
  });

  test('is one on the wire, too', async () => {
    const loopback = await startLoopback((_request, response) => {
      setImmediate(() => response.end('{"username":"alice"}'));
    });
    const layer = createDeduplicate(loopback.layer);
    await Promise.all(Array.from({ length: 20 }, () => layer(callOf('profile/alice', 'interactive'))));
    expect(loopback.requests).toHaveLength(1);
    await loopback.close();
  });

  test('that fails rejects all who joined, and the next call makes a new request', async () => {
    const { below, ask } = build();
    const asked = [ask('interactive'), ask('interactive'), ask('background')];
    below[0]?.fail('unavailable');
    for (const one of asked) await expect(one).rejects.toMatchObject({ fault: 'unavailable' });
    const later = ask('interactive');
    below[1]?.answer('well');
    expect(await later).toBe('well');
  });

  test('that ends in a bug reports all of it', async () => {
    const { below, ask } = build();
    const asked = [ask('background'), ask('interactive')];
    below[0]?.crash(new TypeError('x is not a function'));
    for (const one of asked) await expect(one).rejects.toThrow(TypeError);
  });
});

describe('a person who joins what the background asks', () => {
  function joined() {
    const cache = build();
    const poller = cache.ask('background');
    const person = cache.ask('interactive');
    const another = cache.ask('interactive');
    for (const one of [poller, person, another]) one.catch(() => {});
    const [background, interactive] = cache.below;
    if (background === undefined || interactive === undefined) throw new Error('two calls were expected');
    return { ...cache, poller, person, another, background, interactive };
  }

  test('has it asked again, as interactive, and others join that one', () => {
    expect(joined().wanted()).toEqual(['background', 'interactive']);
  });

  test.for(['background', 'interactive'] as const)(
    'is served by the %s call if that is sent first; the other is dropped',
    async (first) => {
      const { wanted, poller, person, another, [first]: sent } = joined();
      sent.progress('sent');
      expect(wanted()).toEqual([first]);
      await settle();
      sent.answer('seven');
      expect(await Promise.all([poller, person, another])).toEqual(['seven', 'seven', 'seven']);
    },
  );

  test('makes no second call while the first is on its way', async () => {
    const { below, ask } = build();
    const poller = ask('background');
    below[0]?.progress('sent');
    const person = ask('interactive');
    expect(below).toHaveLength(1);
    below[0]?.answer('seven');
    expect(await Promise.all([poller, person])).toEqual(['seven', 'seven']);
  });

  test('makes no second call of a person’s that has to be sent again', async () => {
    const { below, ask } = build();
    const first = ask('interactive');
    below[0]?.progress('sent');
    const second = ask('interactive');
    below[0]?.progress('waiting');
    expect(below).toHaveLength(1);
    below[0]?.answer('seven');
    expect(await Promise.all([first, second])).toEqual(['seven', 'seven']);
  });

  test('makes no second call of what needs no key, and so waits for no turn', async () => {
    const { below, layer } = build();
    const keyless = (priority: Priority) => layer({ ...callOf('live/one', priority), keyed: false });
    const asked = [keyless('background'), keyless('interactive')];
    expect(below).toHaveLength(1);
    below[0]?.answer('seven');
    await Promise.all(asked);
  });

  test.for(['before it was sent', 'while it was on its way'] as const)(
    'does not wait for the background to be sent once more, having come %s',
    async (when) => {
      const { below, ask, wanted } = build();
      const poller = ask('background');
      const come = () => ask('interactive');
      const early = when === 'before it was sent' ? come() : null;
      below[0]?.progress('sent');
      const person = early ?? come();
      await settle();
      expect(wanted()).toEqual(['background']);
      below[0]?.progress('waiting');
      expect(wanted()).toEqual(['background', 'interactive']);
      below.at(-1)?.progress('sent');
      expect(wanted()).toEqual(['interactive']);
      below.at(-1)?.answer('seven');
      expect(await Promise.all([poller, person])).toEqual(['seven', 'seven']);
    },
  );

  test('reports the failure of the sent call, whatever became of the other', async () => {
    const { background, poller, person } = joined();
    background.progress('sent');
    background.fail('unavailable');
    await expect(person).rejects.toMatchObject({ fault: 'unavailable' });
    await expect(poller).rejects.toMatchObject({ fault: 'unavailable' });
  });

  test('still gets their own answer when the background skips its turn', async () => {
    const { background, interactive, poller, person } = joined();
    background.fail('over-budget');
    await settle();
    interactive.answer('seven');
    expect(await Promise.all([poller, person])).toEqual(['seven', 'seven']);
  });

  test.for(['background', 'interactive'] as const)(
    'hears at once from the %s call that the name is unknown',
    async (first) => {
      const { person, poller, wanted, [first]: call } = joined();
      call.fail('not-found');
      await expect(person).rejects.toMatchObject({ fault: 'not-found' });
      await expect(poller).rejects.toMatchObject({ fault: 'not-found' });
      expect(wanted()).not.toContain(first === 'background' ? 'interactive' : 'background');
    },
  );

  test('hears of their own failure at once, however long the background would still wait', async () => {
    const { interactive, person, poller, background } = joined();
    interactive.fail('unavailable');
    await expect(person).rejects.toMatchObject({ fault: 'unavailable' });
    await expect(poller).rejects.toMatchObject({ fault: 'unavailable' });
    expect(background.call.signal?.aborted).toBe(true);
  });
});

describe('a refusal for the share of one', () => {
  test('is nobody else’s: those who joined ask in their place, once', async () => {
    const { below, ask } = build();
    const greedy = ask('interactive');
    const others = [ask('interactive'), ask('interactive'), ask('background')];
    below[0]?.fail('over-budget', 'burst');
    await expect(greedy).rejects.toMatchObject({ share: 'burst' });
    await settle();
    expect(below).toHaveLength(2);
    below[1]?.answer('seven');
    expect(await Promise.all(others)).toEqual(['seven', 'seven', 'seven']);
  });

  test('a person who hurried the background may leave, and the next may hurry it', async () => {
    const { below, ask, wanted } = build();
    const poller = ask('background');
    const greedy = ask('interactive');
    below[1]?.fail('over-budget', 'person');
    await expect(greedy).rejects.toMatchObject({ share: 'person' });
    expect(below[0]?.call.signal?.aborted).toBe(false);
    const person = ask('interactive');
    below[2]?.progress('sent');
    expect(wanted().at(-1)).toBe('interactive');
    below[2]?.answer('seven');
    expect(await Promise.all([poller, person])).toEqual(['seven', 'seven']);
  });

  test('is not what a poller hears whose own call has failed for another reason', async () => {
    const { below, ask } = build();
    const poller = ask('background');
    const greedy = ask('interactive');
    below[0]?.fail('over-budget');
    await settle();
    below[1]?.fail('over-budget', 'guild');
    await expect(greedy).rejects.toMatchObject({ share: 'guild' });
    await expect(poller).rejects.toMatchObject({ fault: 'over-budget', share: null });
  });

  test('that comes once the background’s call has been sent does not end it', async () => {
    const { below, ask } = build();
    const poller = ask('background');
    const person = ask('interactive');
    below[0]?.progress('sent');
    below[1]?.fail('over-budget', 'burst');
    await settle();
    below[0]?.answer('seven');
    expect(await Promise.all([poller, person])).toEqual(['seven', 'seven']);
  });
});
