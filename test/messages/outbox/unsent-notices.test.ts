/** Notices: stored while they are certainly not sent, over restarts, for a day, and for nobody who is forgotten. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collections } from '../../../src/bot/collections.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';
import { createMakerNotices } from '../../../src/messages/boards/notify-maker.ts';
import type { Outbox, RepeatedMessage } from '../../../src/messages/outbox/outbox.ts';
import { unsentNotices } from '../../../src/messages/outbox/unsent-notices.ts';
import { forgetPerson } from '../../../src/store/forget.ts';
import { VirtualTime } from '../../sim/virtual-time.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';
import { outboxTo, rolesNotice } from '../../support/messages.ts';
import { blocked } from '../../support/messages-at-work.ts';
import { countTurns } from '../../support/turns.ts';

type KeptMessage = Exclude<Parameters<Outbox['send']>[0], RepeatedMessage>;

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000] as const;
const notice = rolesNotice('11');

const kinds = [
  'alerts-notice',
  'correction-notice',
  'proof-notice',
  'roles-notice',
  'welcome-notice',
] as const;

let time: VirtualTime;
let uninstall: () => void;
beforeEach(() => {
  time = new VirtualTime(Date.UTC(2026, 2, 5, 12));
  uninstall = time.install();
});
afterEach(() => uninstall());

/** One store and one Discord, and processes that try what is stored every 15 seconds. */
function createWorld() {
  const documents = documentsInMemory(time.clock.now);
  const posted: string[] = [];
  const discord = {
    opening: null as Error | null,
    message: null as Error | null,
    /** Asked before a message is taken. */
    taking: async (): Promise<void> => {},
  };
  const rest: Parameters<typeof outboxTo>[0] = {
    async post(path, options) {
      if (path === '/users/@me/channels') {
        if (discord.opening !== null) throw discord.opening;
        return { id: '88' };
      }
      await discord.taking();
      if (discord.message !== null) throw discord.message;
      const body = options?.body as { content: string };
      posted.push(body.content);
      return {};
    },
  };
  function start() {
    const process = outboxTo(rest, { documents, clock: time.clock });
    let isAlive = true;
    const look = (): void => {
      if (!isAlive) return;
      void process.outbox.round();
      time.clock.after(15 * SECOND, look);
    };
    look();
    return {
      ...process,
      process,
      notify: (sent: KeptMessage) => time.until(process.outbox.send(sent)),
      kill(): void {
        isAlive = false;
      },
    };
  }
  const stored = async () => [...(await documents.all('unsent-notices')).values()].join(' ');
  return { documents, posted, discord, start, stored };
}

const refused = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });

test('what Discord has not taken is sent once, by the next process too', async () => {
  const { posted, discord, start, stored } = createWorld();
  const process = start();
  discord.opening = refused;
  expect(await process.notify(notice)).toBe('unsent');
  expect(await stored()).toContain('a rule is paused');
  await time.pass(HOUR);
  process.kill();
  start();
  start();
  discord.opening = null;
  await time.pass(HOUR);
  expect([posted, await stored()]).toEqual([['a rule is paused'], '']);
});

test('a notice whose message is refused goes back into the store', async () => {
  const { posted, discord, start, stored } = createWorld();
  const { notify } = start();
  discord.message = refused;
  expect(await notify(notice)).toBe('unsent');
  expect(await stored()).toContain('a rule is paused');
  discord.message = null;
  await time.pass(5 * MINUTE);
  expect([posted, await stored()]).toEqual([['a rule is paused'], '']);
});

test('a notice that may have arrived is over', async () => {
  const { posted, discord, start, stored } = createWorld();
  const { notify } = start();
  discord.message = new Unconfirmed(503);
  expect(await notify(notice)).toBe('perhaps-sent');
  discord.message = null;
  await time.pass(HOUR);
  expect([posted, await stored()]).toEqual([[], '']);
});

test('a notice that matters no more is forgotten after a day', async () => {
  const { posted, discord, start, stored } = createWorld();
  const { notify } = start();
  discord.opening = refused;
  await notify(notice);
  await time.pass(24 * HOUR + MINUTE);
  discord.opening = null;
  await time.pass(HOUR);
  expect([posted, await stored()]).toEqual([[], '']);
}, 30_000);

test('a person gets one of a kind a day, and the ledger names nobody for it', async () => {
  const { documents, posted, start } = createWorld();
  const { notify } = start();
  const outcomes = [];
  for (const key of ['1', '2', '3']) outcomes.push(await notify({ ...notice, key }));
  expect(outcomes).toEqual(['sent', 'spared', 'spared']);
  expect(await notify({ ...notice, kind: 'correction-notice' })).toBe('sent');
  expect(await notify(rolesNotice('12'))).toBe('sent');
  for (const key of (await documents.all('deliveries')).keys()) expect(key).toMatch(/^notice:[0-9a-f]{64}$/);
  await time.pass(24 * HOUR);
  expect(await notify({ ...notice, key: '4' })).toBe('sent');
  expect(posted).toHaveLength(4);
}, 30_000);

test('a person who is forgotten gets none of what was stored', async () => {
  const { documents, posted, discord, start, stored } = createWorld();
  const { notify } = start();
  discord.opening = refused;
  await notify(notice);
  await notify({ ...rolesNotice('12'), content: 'another' });
  await forgetPerson(documents, [unsentNotices], '11');
  expect(await stored()).not.toContain('"personId":"11"');
  discord.opening = null;
  await time.pass(HOUR);
  expect(posted).toEqual(['another']);
});

test('where the store fails, nothing is sent: it could be the tenth today', async () => {
  const { documents, posted, start } = createWorld();
  const { notify } = start();
  documents.commit = () => Promise.reject(new Error('away'));
  expect(await notify(notice)).toBe('lost');
  expect(posted).toEqual([]);
});

test('a hundred notices to one person take turns, and each is written alone', async () => {
  const { documents, discord, start, stored } = createWorld();
  const { process } = start();
  discord.opening = refused;
  const turn = countTurns();
  const turns: number[] = [];
  const sizes: number[] = [];
  const { commit } = documents;
  documents.commit = (read, written) => {
    turns.push(turn());
    sizes.push(...written.map(({ text }) => text?.length ?? 0));
    return commit(read, written);
  };
  const sending = Array.from({ length: 100 }, (_, n) =>
    process.outbox.send({ ...notice, kind: kinds[n % 5] ?? 'roles-notice', key: `${n}` }),
  );
  await time.until(Promise.all(sending));
  expect((await stored()).match(/a rule is paused/g)).toHaveLength(100);
  expect(new Set(turns).size).toBeGreaterThan(90);
  expect(Math.max(...sizes)).toBeLessThan(1000);
});

const ANNA = '281474976710657001';
const send =
  (message: Omit<KeptMessage, 'to'>) =>
  ({ outbox }: ReturnType<ReturnType<typeof createWorld>['start']>): Promise<unknown> =>
    outbox.send({ ...message, to: { kind: 'direct', personId: ANNA } });
const ways = [
  ...kinds.map((kind) => [kind, send({ ...notice, kind })] as const),
  [
    'board',
    ({ outbox }: ReturnType<ReturnType<typeof createWorld>['start']>) =>
      createMakerNotices(outbox)(ANNA, 'a board is paused', 'p1'),
  ],
  ['convoy', send({ kind: 'convoy-notice', key: 'event', content: 'the event is gone' })],
] as const;

test.each(
  ways.flatMap(([kind, send]) =>
    ([refused, blocked] as const).map((refusal) => ({ kind, why: refusal.message, send, refusal })),
  ),
)('who is forgotten while a $kind notice is refused ($why) is named nowhere', async ({ send, refusal }) => {
  const { documents, posted, discord, start } = createWorld();
  const process = start();
  const taken = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  discord.taking = () => {
    asked.resolve();
    return taken.promise;
  };
  discord.message = refusal;
  const sending = send(process);
  await time.until(asked.promise);
  await forgetPerson(documents, collections, ANNA);
  taken.resolve();
  await time.until(sending);
  expect(await documents.naming(ANNA)).toEqual([]);
  discord.message = null;
  await time.pass(HOUR);
  expect(posted).toEqual([]);
});
