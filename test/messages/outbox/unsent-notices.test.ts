/** Notices: stored while they are certainly not sent, over restarts, for a day, and for nobody who is forgotten. */
import { expect, test } from 'vitest';
import { collections } from '../../../src/bot/collections.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';
import { createMakerNotices } from '../../../src/messages/boards/notify-maker.ts';
import type { Outbox, RepeatedMessage } from '../../../src/messages/outbox/outbox.ts';
import { unsentNotices } from '../../../src/messages/outbox/unsent-notices.ts';
import { forgetPerson } from '../../../src/store/forget.ts';
import { bot, time } from '../../support/bot-in-memory.ts';
import { blocked, rolesNotice } from '../../support/messages.ts';
import { countTurns } from '../../support/turns.ts';

type KeptMessage = Exclude<Parameters<Outbox['send']>[0], RepeatedMessage>;

const [MINUTE, HOUR] = [60_000, 3_600_000] as const;
const notice = rolesNotice('11');

const kinds = [
  'alerts-notice',
  'correction-notice',
  'proof-notice',
  'roles-notice',
  'welcome-notice',
] as const;

const refused = Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
const refuse = (error: Error) => () => Promise.reject(error);
const take = async (): Promise<void> => {};

/** A bot that sends what is stored every 15 seconds. */
function startBot() {
  const all = bot();
  all.start();
  return {
    ...all,
    posted: () => all.messages.map(({ content }) => content),
    notify: (message: KeptMessage) => time.until(all.outbox.send(message)),
    stored: async () => [...(await all.documents.all('unsent-notices')).values()].join(' '),
  };
}

test('what Discord has not taken is sent once, by the next process too', async () => {
  const { posted, discord, notify, kill, again, stored } = startBot();
  discord.opening = refuse(refused);
  expect(await notify(notice)).toBe('unsent');
  expect(await stored()).toContain('a rule is paused');
  await time.pass(HOUR);
  kill();
  again().start();
  again().start();
  discord.opening = take;
  await time.pass(HOUR);
  expect([posted(), await stored()]).toEqual([['a rule is paused'], '']);
});

test('a notice whose message is refused goes back into the store', async () => {
  const { posted, discord, notify, stored } = startBot();
  discord.message = refuse(refused);
  expect(await notify(notice)).toBe('unsent');
  expect(await stored()).toContain('a rule is paused');
  discord.message = take;
  await time.pass(5 * MINUTE);
  expect([posted(), await stored()]).toEqual([['a rule is paused'], '']);
});

test('a notice that may have arrived is over', async () => {
  const { posted, discord, notify, stored } = startBot();
  discord.message = refuse(new Unconfirmed(503));
  expect(await notify(notice)).toBe('perhaps-sent');
  discord.message = take;
  await time.pass(HOUR);
  expect([posted(), await stored()]).toEqual([[], '']);
});

test('a notice that matters no more is forgotten after a day', async () => {
  const { posted, discord, notify, stored } = startBot();
  discord.opening = refuse(refused);
  await notify(notice);
  await time.pass(24 * HOUR + MINUTE);
  discord.opening = take;
  await time.pass(HOUR);
  expect([posted(), await stored()]).toEqual([[], '']);
}, 30_000);

test('a person gets one of a kind a day, and the ledger names nobody for it', async () => {
  const { documents, posted, notify } = startBot();
  const outcomes = [];
  for (const key of ['1', '2', '3']) outcomes.push(await notify({ ...notice, key }));
  expect(outcomes).toEqual(['sent', 'spared', 'spared']);
  expect(await notify({ ...notice, kind: 'correction-notice' })).toBe('sent');
  expect(await notify(rolesNotice('12'))).toBe('sent');
  for (const key of (await documents.all('deliveries')).keys()) expect(key).toMatch(/^notice:[0-9a-f]{64}$/);
  await time.pass(24 * HOUR);
  expect(await notify({ ...notice, key: '4' })).toBe('sent');
  expect(posted()).toHaveLength(4);
}, 30_000);

test('a person who is forgotten gets none of what was stored', async () => {
  const { documents, posted, discord, notify, stored } = startBot();
  discord.opening = refuse(refused);
  await notify(notice);
  await notify({ ...rolesNotice('12'), content: 'another' });
  await forgetPerson(documents, [unsentNotices], '11');
  expect(await stored()).not.toContain('"personId":"11"');
  discord.opening = take;
  await time.pass(HOUR);
  expect(posted()).toEqual(['another']);
});

test('where the store fails, nothing is sent: it could be the tenth today', async () => {
  const { documents, posted, notify } = startBot();
  documents.commit = () => Promise.reject(new Error('away'));
  expect(await notify(notice)).toBe('lost');
  expect(posted()).toEqual([]);
});

test('a hundred notices to one person take turns, and each is written alone', async () => {
  const { documents, discord, outbox, stored } = startBot();
  discord.opening = refuse(refused);
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
    outbox.send({ ...notice, kind: kinds[n % 5] ?? 'roles-notice', key: `${n}` }),
  );
  await time.until(Promise.all(sending));
  expect((await stored()).match(/a rule is paused/g)).toHaveLength(100);
  expect(new Set(turns).size).toBeGreaterThan(90);
  expect(Math.max(...sizes)).toBeLessThan(1000);
});

const ANNA = '281474976710657001';
const send =
  (message: Omit<KeptMessage, 'to'>) =>
  (outbox: Outbox): Promise<unknown> =>
    outbox.send({ ...message, to: { kind: 'direct', personId: ANNA } });
const ways = [
  ...kinds.map((kind) => [kind, send({ ...notice, kind })] as const),
  ['board', (outbox: Outbox) => createMakerNotices(outbox)(ANNA, 'a board is paused', 'p1')],
  ['convoy', send({ kind: 'convoy-notice', key: 'event', content: 'the event is gone' })],
] as const;

test.each(
  ways.flatMap(([kind, send]) =>
    ([refused, blocked] as const).map((refusal) => ({ kind, why: refusal.message, send, refusal })),
  ),
)('who is forgotten while a $kind notice is refused ($why) is named nowhere', async ({ send, refusal }) => {
  const { documents, posted, discord, outbox } = startBot();
  const taken = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  discord.message = () => {
    asked.resolve();
    return taken.promise.then(refuse(refusal));
  };
  const sending = send(outbox);
  await time.until(asked.promise);
  await forgetPerson(documents, collections, ANNA);
  taken.resolve();
  await time.until(sending);
  expect(await documents.naming(ANNA)).toEqual([]);
  discord.message = take;
  await time.pass(HOUR);
  expect(posted()).toEqual([]);
});
