/** The kinds of messages over a store of version 2.0: what it has sent is never sent again, and what it has not is sent once. */
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/base/duration.ts';
import type { Kind } from '../../../src/messages/outbox/kinds.ts';
import type { Recipient } from '../../../src/messages/outbox/message.ts';
import type { Outbox } from '../../../src/messages/outbox/outbox.ts';
import { bot, NOON, time } from '../../support/bot-in-memory.ts';

const direct: Recipient = { kind: 'direct', personId: '11' };
const channel: Recipient = { kind: 'channel', channelId: '7' };
const compose = async () => () => ({ content: 'a message' });
const content = 'a message';
const noticePlace = 'notice:4fc82b26aecb47d2868c4efbe3581732a3e7cbcc6c2efb32062c08170a05eeb8';

interface Row {
  readonly message: Parameters<Outbox['send']>[0];
  /** As version 2.0 wrote them. */
  readonly place: string;
  readonly key: string;
  readonly about: string;
  readonly cooldown: number;
  readonly most: number | null;
}

const alert = { kind: 'alert', key: 'id', compose, about: () => ['aaaaaa'] } as const;
const outage = { ...alert, kind: 'outage-alert', about: () => ['aaaaaa down'] } as const;
const free = { cooldown: 0, most: null };
const ofConvoys = { place: 'convoys-of:11', cooldown: 30 * MINUTE, most: 10 };
const daily = (word: 'alerts' | 'correction' | 'proof' | 'roles' | 'welcome'): Row => ({
  message: { kind: `${word}-notice`, key: '1', to: direct, content },
  ...{ place: noticePlace, key: `${word} 1`, about: word, cooldown: DAY, most: null },
});

const rows: readonly Row[] = [
  {
    message: { ...alert, to: direct },
    ...{ place: 'direct:11', key: 'random', about: 'aaaaaa', cooldown: 40 * MINUTE, most: 6 },
  },
  {
    message: { ...alert, to: channel },
    ...{ place: 'channel:7', key: 'random', about: 'aaaaaa', cooldown: 40 * MINUTE, most: 12 },
  },
  {
    message: { ...outage, to: direct },
    ...{ place: 'direct:11', key: 'random', about: 'aaaaaa down', cooldown: MINUTE, most: 6 },
  },
  {
    message: { ...outage, to: channel },
    ...{ place: 'channel:7', key: 'random', about: 'aaaaaa down', cooldown: MINUTE, most: 12 },
  },
  {
    message: { kind: 'slot-reminder', key: 'aaaaaa', to: direct, compose },
    ...{ place: 'reminder:11', key: 'aaaaaa', about: 'aaaaaa', ...free },
  },
  {
    message: { kind: 'community-post', key: 'month 674', of: '1', to: channel, compose },
    ...{ place: 'recap:1', key: 'month 674', about: '1', ...free },
  },
  {
    message: { kind: 'convoy-reminder', key: 'convoy c 1', about: () => ['convoy c'], to: direct, compose },
    ...{ key: 'convoy c 1', about: 'convoy c', ...ofConvoys },
  },
  {
    message: { kind: 'convoy-ping', key: 'c', to: channel, compose },
    ...{ place: 'convoy:7', key: 'c', about: 'c', ...free },
  },
  {
    message: { kind: 'convoy-notice', key: 'event c', to: direct, content },
    ...{ key: 'event c', about: 'event c', ...ofConvoys },
  },
  {
    message: { kind: 'board-notice', key: 't1', to: direct, content },
    ...{ place: noticePlace, key: 't1', about: 't1', ...free },
  },
  {
    message: { kind: 'recap-notice', key: 'recap 1', to: direct, content },
    ...{ place: noticePlace, key: 'recap 1', about: 'recap 1', ...free },
  },
  daily('alerts'),
  daily('correction'),
  daily('proof'),
  daily('roles'),
  daily('welcome'),
  {
    message: { kind: 'welcome', key: '1 5', of: '1', to: channel, content },
    ...{ place: 'welcome:1', key: '1 5', about: '1 5', ...free },
  },
];
const named = rows.map((row) => ({ ...row, kind: row.message.kind, to: row.message.to.kind }));

/** Two processes, which look at what is kept every 15 seconds. */
function twoBots() {
  const one = bot();
  const two = one.again();
  one.start();
  two.start();
  const store = (collection: string, key: string, value: unknown) =>
    one.documents.commit([], [{ collection, key, text: JSON.stringify(value) }]);
  const posted = () => one.messages.map(({ content }) => content);
  return { documents: one.documents, posted, store, send: one.outbox.send, sendFromOther: two.outbox.send };
}

test('the table has every kind', () => {
  const kinds = {
    ...{ alert: 0, 'outage-alert': 0, 'slot-reminder': 0, 'community-post': 0 },
    ...{ 'convoy-reminder': 0, 'convoy-ping': 0, 'convoy-notice': 0, 'board-notice': 0, welcome: 0 },
    ...{ 'alerts-notice': 0, 'correction-notice': 0, 'proof-notice': 0, 'roles-notice': 0 },
    ...{ 'welcome-notice': 0, 'recap-notice': 0 },
  } satisfies Record<Kind, 0>;
  expect(new Set<string>(rows.map(({ message }) => message.kind))).toEqual(new Set(Object.keys(kinds)));
});

test.each(named)('a $kind ($to) that 2.0 has sent is never sent again', async (row) => {
  for (const settled of [true, false]) {
    const { posted, store, send, sendFromOther } = twoBots();
    const at = NOON - Math.min(30 * SECOND, Math.max(row.cooldown, SECOND));
    await store('deliveries', row.place, [{ key: row.key, watches: [row.about], at, settled }]);
    const sending = Promise.all([send(row.message), sendFromOther(row.message)]);
    expect(await time.until(sending)).toEqual(['spared', 'spared']);
    await time.pass(10 * MINUTE);
    expect(posted()).toEqual([]);
  }
});

test.each(named)('a $kind ($to) is sent once by two processes, as the ledger of 2.0 has it', async (row) => {
  const { documents, posted, send, sendFromOther } = twoBots();
  const outcomes = await time.until(Promise.all([send(row.message), sendFromOther(row.message)]));
  expect(outcomes.toSorted()).toEqual(['sent', 'spared']);
  await time.pass(MINUTE / 2);
  expect([posted(), await documents.all('unsent-notices')]).toEqual([[content], new Map()]);
  const [entry] = JSON.parse((await documents.all('deliveries')).get(row.place) ?? '[]');
  expect([Math.round((entry.at - NOON) / SECOND), entry.settled]).toEqual([0, true]);
  if (row.key !== 'random') expect(entry.key).toBe(row.key);
});

test.each(named.filter(({ message }) => 'content' in message))(
  'a $kind ($to) that 2.0 has left unsent is sent once',
  async ({ message: { to }, place, key, about, cooldown, most }) => {
    const { documents, posted, store } = twoBots();
    const notice = (name: string, at: number) => ({
      to,
      claim: { key: name, place, watches: [name === key ? about : name], at, cooldown, most },
      content: name,
      components: [],
    });
    // Version 2.0 had all notices of a recipient in one document.
    const recipient = to.kind === 'direct' ? to.personId : to.channelId;
    await store('unsent-notices', recipient, [notice(key, NOON - HOUR), notice('another', NOON - MINUTE)]);
    await time.pass(10 * MINUTE);
    expect(posted().toSorted()).toEqual([key, 'another'].toSorted());
    expect(await documents.all('unsent-notices')).toEqual(new Map());
  },
);

test.each(named.filter(({ most }) => most !== null))(
  'a place that has had its $kind messages ($to) of the day from 2.0 gets no other one',
  async ({ message, place, most }) => {
    const { posted, store, send } = twoBots();
    const sentBefore = Array.from({ length: most ?? 0 }, (_, n) => ({
      ...{ key: `before ${n}`, watches: [`before ${n}`], at: NOON - 2 * HOUR, settled: true },
    }));
    await store('deliveries', place, sentBefore);
    expect([await time.until(send(message)), posted()]).toEqual(['spared', []]);
  },
);
