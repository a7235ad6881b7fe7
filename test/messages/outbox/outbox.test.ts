/** Messages over all outcomes of their attempts: at most once each, and exactly once if Discord recovers in time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { OpenConversation, SendOutcome } from '../../../src/messages/outbox/message.ts';
import type { RepeatedMessage } from '../../../src/messages/outbox/outbox.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { outboxOver } from '../../support/messages.ts';

const NOON = Date.UTC(2026, 2, 5, 12);
const message = {
  kind: 'slot-reminder',
  key: 'k',
  to: { kind: 'direct', personId: '11' },
  compose: async () => () => ({ content: 'a message' }),
} as const satisfies RepeatedMessage;

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
      const { outbox } = outboxOver(open, { documents, clock });
      let isOver = false;
      const look = async (): Promise<void> => {
        if (!isAlive || isOver) return;
        const outcome = await outbox.send({
          ...message,
          retry: (ms) => void clock.after(ms, () => void look()),
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
  const tried: number[] = [];
  const open: OpenConversation = async () => {
    tried.push(time.elapsed / SECOND);
    return 'unsent';
  };
  const { outbox } = outboxOver(open, { clock: time.clock });
  const look = async (): Promise<void> => {
    await outbox.send({ ...message, retry: (ms) => void time.clock.after(ms, () => void look()) });
  };
  void look();
  await time.pass(5 * MINUTE);
  expect(tried).toEqual([0, 5, 20, 80, 140, 200, 260]);
  expect([...outbox.outcomes]).toEqual([['unsent', 7]]);
});

test.each(['message', 'conversation'])('tries a refused %s ever less often', async (refused) => {
  const time = new VirtualTime(NOON);
  const tried: number[] = [];
  const refuse = async () => {
    tried.push(time.elapsed / MINUTE);
    return 'refused' as const;
  };
  const open: OpenConversation = async () => (refused === 'message' ? { post: refuse } : refuse());
  const { outbox } = outboxOver(open, { clock: time.clock });
  const look = async (isAskedFor = false): Promise<void> => {
    await outbox.send({
      ...message,
      isAskedFor,
      retry: () => expect.unreachable('the next usual look is soon enough'),
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
  const posted: string[] = [];
  let isSure = false;
  const open: OpenConversation = async () => ({
    async post({ content }) {
      posted.push(content);
      return 'sent';
    },
  });
  const { outbox } = outboxOver(open, { clock: time.clock, maySend: () => isSure });
  const again: number[] = [];
  const sending = { ...message, retry: (ms: number) => again.push(ms) };
  expect(await outbox.send(sending)).toBe('unsent');
  expect([posted, again.length, await outbox.sentSince('reminder:11', -1)]).toEqual([[], 1, []]);
  isSure = true;
  await time.pass(MINUTE);
  expect([await outbox.send(sending), posted]).toEqual(['sent', ['a message']]);
});

test('a conversation that opens after the time of the message gets nothing', async () => {
  const time = new VirtualTime(NOON);
  const opened = Promise.withResolvers<void>();
  const posted: string[] = [];
  const open: OpenConversation = async () => {
    await opened.promise;
    return {
      async post({ content }) {
        posted.push(content);
        return 'sent';
      },
    };
  };
  const { outbox } = outboxOver(open, { clock: time.clock });
  const sending = outbox.send({ ...message, notAfter: NOON + MINUTE });
  await time.pass(MINUTE);
  opened.resolve();
  expect([await sending, posted]).toEqual(['unwanted', []]);
  expect(await outbox.sentSince('reminder:11', -1)).toEqual([]);
});
