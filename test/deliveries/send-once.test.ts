/** Messages over all outcomes of their attempts: at most once each, and exactly once if Discord recovers in time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../src/base/duration.ts';
import { createDeliveries } from '../../src/deliveries/ledger.ts';
import { createSendOnce, type OpenConversation, type SendOutcome } from '../../src/deliveries/send-once.ts';
import { VirtualTime } from '../sim/virtual-time.ts';
import { documentsInMemory } from '../support/documents-in-memory.ts';

const NOON = Date.UTC(2026, 2, 5, 12);

/** The outcome of one attempt. `killed`: the process ends while the message is on its way, which arrives or not. */
type Attempt =
  | { readonly at: 'opening'; readonly outcome: 'unsent' | 'closed' }
  | { readonly at: 'message'; readonly outcome: SendOutcome; readonly arrives: boolean }
  | { readonly at: 'killed'; readonly when: 'opening' | 'message'; readonly arrives: boolean };

const attempts: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ at: 'opening', outcome: 'unsent' } as const) },
  { weight: 4, arbitrary: fc.constant({ at: 'message', outcome: 'unsent', arrives: false } as const) },
  fc.constant({ at: 'opening', outcome: 'closed' } as const),
  fc
    .constantFrom('closed', 'gone', 'rights')
    .map((outcome) => ({ at: 'message', outcome, arrives: false }) as const),
  fc.boolean().map((arrives) => ({ at: 'message', outcome: 'perhaps-sent', arrives }) as const),
  fc.constant({ at: 'message', outcome: 'sent', arrives: true } as const),
  fc.record({
    at: fc.constant('killed' as const),
    when: fc.constantFrom('opening' as const, 'message' as const),
    arrives: fc.boolean(),
  }),
);

const isCertainlyUnsent = (attempt: Attempt): boolean =>
  attempt.at === 'killed' ? attempt.when === 'opening' : attempt.outcome === 'unsent';

/** Looks at what is due every 15 s and whenever it is asked to, in as many processes as are killed and started. */
async function deliver(script: readonly Attempt[], processes: number) {
  const time = new VirtualTime(NOON);
  const uninstall = time.install();
  try {
    const { clock } = time;
    const documents = documentsInMemory(clock.now);
    const deliveries = createDeliveries(documents);
    const left = [...script];
    let delivered = 0;
    let tried = 0;

    function start(): void {
      let isAlive = true;
      const killed = (): Promise<never> => {
        isAlive = false;
        start();
        return new Promise(() => {});
      };
      const open: OpenConversation = async () => {
        const [next] = left;
        tried += 1;
        if (next?.at === 'opening') {
          left.shift();
          return next.outcome;
        }
        if (next?.at === 'killed' && next.when === 'opening') {
          left.shift();
          return killed();
        }
        return {
          async post() {
            const attempt = left.shift() ?? { at: 'message', outcome: 'sent', arrives: true };
            if (attempt.at === 'opening') return attempt.outcome;
            if (attempt.arrives) delivered += 1;
            return attempt.at === 'killed' ? killed() : attempt.outcome;
          },
        };
      };
      const { send } = createSendOnce({ deliveries, open, maySend: () => true, clock });
      let isOver = false;
      const look = async (): Promise<void> => {
        if (!isAlive || isOver) return;
        const claim = { key: 'k', place: 'p', watches: ['k'], at: clock.now(), cooldown: 0, most: null };
        const outcome = await send({
          id: 'p k',
          to: [{ kind: 'direct', personId: '11' }],
          urgency: 'alert',
          isDue: async () => (await deliveries.admitted(claim)).length > 0,
          prepare: async () => ({
            claim,
            compose: () => ({ content: 'a message', components: [], roles: [] }),
          }),
          again: (ms) => void clock.after(ms, () => void look()),
        });
        // Its owner gives a place up that refuses for good.
        isOver = outcome === 'closed' || outcome === 'gone' || outcome === 'rights';
        if (isOver) stopped = true;
      };
      const every = (): void => {
        if (isAlive && !stopped) void look();
        clock.after(15 * SECOND, every);
      };
      every();
    }

    let stopped = false;
    for (let n = 0; n < processes; n += 1) start();
    await time.pass(60 * MINUTE);
    return { delivered, tried };
  } finally {
    uninstall();
  }
}

test('whatever becomes of the attempts, a message arrives at most once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(attempts, { maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (script, n) => {
        expect((await deliver(script, n)).delivered).toBeLessThanOrEqual(1);
      },
    ),
    { numRuns: 150 },
  );
});

test('a message that was only ever certainly not sent arrives exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(attempts.filter(isCertainlyUnsent), { maxLength: 12 }),
      fc.integer({ min: 1, max: 3 }),
      async (script, n) => {
        expect((await deliver(script, n)).delivered).toBe(1);
      },
    ),
    { numRuns: 150 },
  );
});

test('the next attempts follow after 5, 15 and 60 seconds, then each minute', async () => {
  const time = new VirtualTime(NOON);
  const deliveries = createDeliveries(documentsInMemory(time.clock.now));
  const tried: number[] = [];
  const open: OpenConversation = async () => {
    tried.push(time.elapsed / SECOND);
    return 'unsent';
  };
  const { send, outcomes } = createSendOnce({ deliveries, open, maySend: () => true, clock: time.clock });
  const look = async (): Promise<void> => {
    await send({
      id: 'p k',
      to: [{ kind: 'direct', personId: '11' }],
      urgency: 'alert',
      isDue: async () => true,
      prepare: async () => null,
      again: (ms) => void time.clock.after(ms, () => void look()),
    });
  };
  void look();
  await time.pass(5 * MINUTE);
  expect(tried).toEqual([0, 5, 20, 80, 140, 200, 260]);
  expect([...outcomes]).toEqual([['unsent', 7]]);
});

test.each(['message', 'conversation'])('tries a refused %s ever less often', async (refused) => {
  const time = new VirtualTime(NOON);
  const deliveries = createDeliveries(documentsInMemory(time.clock.now));
  const tried: number[] = [];
  const refuse = async () => {
    tried.push(time.elapsed / MINUTE);
    return 'refused' as const;
  };
  const open: OpenConversation = async () => (refused === 'message' ? { post: refuse } : refuse());
  const { send } = createSendOnce({ deliveries, open, maySend: () => true, clock: time.clock });
  const look = async (isAskedFor = false): Promise<void> => {
    await send({
      id: 'p k',
      isAskedFor,
      to: [{ kind: 'channel', channelId: '7' }],
      urgency: 'notice',
      isDue: async () => true,
      prepare: async () => ({
        claim: { key: 'k', place: 'p', watches: ['k'], at: time.clock.now(), cooldown: 0, most: null },
        compose: () => ({ content: 'a message', components: [], roles: [] }),
      }),
      again: () => expect.unreachable('the next usual look is soon enough'),
      ...(refused === 'conversation' && { split: () => expect.unreachable('no content was refused') }),
    });
  };
  for (let minute = 0; minute < 4 * 24 * 60; minute += 1) {
    await look();
    await time.pass(MINUTE);
  }
  expect(tried).toEqual([0, 10, 30, 70, 150, 310, 630, 1270, 2550, 3990, 5430]);
  await look(true);
  expect(tried).toHaveLength(12);
});

test('a process that stood still while opening a conversation sends and stores nothing', async () => {
  const time = new VirtualTime(NOON);
  const deliveries = createDeliveries(documentsInMemory(time.clock.now));
  const posted: string[] = [];
  let isSure = false;
  const open: OpenConversation = async () => {
    return {
      async post({ content }) {
        posted.push(content);
        return 'sent';
      },
    };
  };
  const { send } = createSendOnce({ deliveries, open, maySend: () => isSure, clock: time.clock });
  const claim = { key: 'k', place: 'p', watches: ['k'], at: time.clock.now(), cooldown: 0, most: null };
  const again: number[] = [];
  const sending: Parameters<typeof send>[0] = {
    ...{ id: 'p k', urgency: 'alert', to: [{ kind: 'direct', personId: '11' }] },
    isDue: async () => true,
    prepare: async () => ({ claim, compose: () => ({ content: 'a message', components: [], roles: [] }) }),
    again: (ms) => again.push(ms),
  };
  expect(await send(sending)).toBe('unsent');
  expect([posted, again.length, await deliveries.since('p', -1)]).toEqual([[], 1, []]);
  isSure = true;
  await time.pass(MINUTE);
  expect([await send(sending), posted]).toEqual(['sent', ['a message']]);
});
