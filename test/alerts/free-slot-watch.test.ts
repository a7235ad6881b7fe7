import { beforeEach, describe, expect, test } from 'vitest';
import { createFreeSlotWatch, type Notice } from '../../src/alerts/free-slot-watch.ts';
import { ServiceError } from '../../src/base/errors.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import type { Ask, Service } from '../../src/service/client.ts';
import type { Answer } from '../../src/service/models/dated.ts';
import type { Subscriptions } from '../../src/store/subscriptions.ts';
import { peopleInMemory } from '../support/people.ts';
import { NOON } from '../support/records.ts';

const HOUR = 3_600_000;

let subscriptions: Subscriptions;
let asks: (Ask | undefined)[];
let sent: Notice[];
let failures: unknown[];
/** Free slots on One of 12. */
let free: number;
let stale: Answer<unknown>['stale'];
let fault: Error | null;
let chat: 'sent' | 'refused' | 'lost';
let now: number;
let keeps: boolean;
let watch: () => Promise<void>;

const service: Service = {
  async get(endpoint, _asked, ask) {
    asks.push(ask);
    if (fault !== null) throw fault;
    const body = {
      one: { online: true, guests: 12 - free, maxGuests: 12 },
      two: { online: false, guests: 0, maxGuests: 24 },
    };
    return { record: endpoint.response.parse(body), asOf: now, stale };
  },
};

beforeEach(() => {
  subscriptions = peopleInMemory().store.subscriptions;
  asks = [];
  sent = [];
  failures = [];
  free = 0;
  stale = null;
  fault = null;
  chat = 'sent';
  now = NOON;
  keeps = true;
  watch = createFreeSlotWatch({
    service,
    subscriptions,
    holdsLease: () => keeps,
    translatorOf: async ({ locale }) => createTranslators()(locale),
    notify: async (notice) => {
      sent.push(notice);
      return chat;
    },
    now: () => now,
    failed: (error) => failures.push(error),
  });
});

function wait(person: string, server = 'one', expires = NOON + 2 * HOUR): Promise<void> {
  return subscriptions.add({ person, server, channel: '7', guild: '1', locale: 'en-GB', expires });
}

describe('a person who waits for a free slot', () => {
  test('is notified once when there is one', async () => {
    await wait('anna');
    await watch();
    expect(sent).toEqual([]);
    free = 2;
    await watch();
    await watch();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ personId: 'anna', channelId: '7' });
    expect(sent[0]?.content).toContain('**One** has 2 free slots');
  });

  test('is notified together with everyone else who waits', async () => {
    await wait('anna');
    await wait('boris');
    await wait('cem', 'two');
    free = 1;
    await watch();
    expect(sent.map(({ personId }) => personId)).toEqual(['anna', 'boris']);
    expect(new Set(sent.map(({ nonce }) => nonce)).size).toBe(2);
    // The other one still waits for the other server, which is down.
    expect(await subscriptions.waiting(now)).toHaveLength(1);
  });

  test('is forgotten after the time that was promised', async () => {
    await wait('anna');
    now += 2 * HOUR;
    free = 1;
    await watch();
    expect(sent).toEqual([]);
    expect(asks).toEqual([]);
  });

  test('is not sent to a server by old data', async () => {
    await wait('anna');
    free = 1;
    stale = 'unavailable';
    await watch();
    expect(sent).toEqual([]);
    stale = null;
    await watch();
    expect(sent).toHaveLength(1);
  });

  test('is notified later when Discord fails, by a message that Discord can deduplicate', async () => {
    await wait('anna');
    free = 1;
    chat = 'lost';
    await watch();
    chat = 'sent';
    await watch();
    await watch();
    expect(sent).toHaveLength(2);
    expect(sent[1]?.nonce).toBe(sent[0]?.nonce);
  });

  test('and cannot be reached is given up', async () => {
    await wait('anna');
    free = 1;
    chat = 'refused';
    await watch();
    await watch();
    expect(sent).toHaveLength(1);
  });
});

test('the watch rests while another process keeps it, and continues when that one hands over', async () => {
  await wait('anna');
  free = 1;
  keeps = false;
  await watch();
  expect({ asks, sent }).toEqual({ asks: [], sent: [] });
  keeps = true;
  await watch();
  expect(sent).toHaveLength(1);
});

describe('the overview', () => {
  test('is requested only while someone waits, in the background', async () => {
    await watch();
    expect(asks).toEqual([]);
    await wait('anna');
    await watch();
    expect(asks).toEqual([{ priority: 'background', maxAge: 30_000 }]);
  });

  test('that is unavailable means waiting longer and is no failure of the watch', async () => {
    await wait('anna');
    fault = new ServiceError('unavailable', { endpoint: 'overview', sent: 'no' });
    await watch();
    expect(failures).toEqual([]);
    fault = new Error('a bug');
    await watch();
    expect(failures).toEqual([fault]);
    fault = null;
    free = 1;
    await watch();
    expect(sent).toHaveLength(1);
  });

  test('is asked for once for rounds that overlap', async () => {
    await wait('anna');
    await Promise.all([watch(), watch(), watch()]);
    expect(asks).toHaveLength(1);
  });
});
