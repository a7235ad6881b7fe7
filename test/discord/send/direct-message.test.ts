import { DiscordAPIError, HTTPError } from 'discord.js';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { createNotifier } from '../../../src/discord/send/direct-message.ts';
import { createDocumentClaims } from '../../../src/store/claims.ts';
import { documentsInMemory } from '../../support/documents-in-memory.ts';

const notice = { personId: '11', kind: 'welcome', content: 'a place', nonce: 'n' } as const;
const DAY = 24 * 3_600_000;

/** A Discord that answers each request by its path, in this order; it accepts the rest. */
function setUp(answers: Readonly<Record<string, Error>>) {
  const requests: { readonly path: string; readonly body: unknown }[] = [];
  const lines: string[] = [];
  const log = createLog({ level: 'debug', secrets: [], stream: { write: (line) => lines.push(line) } });
  const time = { now: 1_000_000 };
  const documents = documentsInMemory(() => time.now);
  const claims = createDocumentClaims(documents);
  const rest: Parameters<typeof createNotifier>[0]['rest'] = {
    async post(path, options) {
      requests.push({ path, body: options?.body });
      const error = answers[path];
      if (error !== undefined) throw error;
      return path === '/users/@me/channels' ? { id: '99' } : {};
    },
  };
  return { notify: createNotifier({ rest, claims, log }), requests, lines, documents, time };
}

/** Without a code, as the REST client reads a page of HTML. */
function refused(code: number | undefined, status: number): DiscordAPIError {
  const body = code === undefined ? { error: 'no' } : { code, message: 'no' };
  return new DiscordAPIError(body, code ?? 'no', status, 'POST', 'https://chat.example', {});
}

const DIRECT = '/channels/99/messages';

test('a person gets one direct message, without pings, never twice', async () => {
  const { notify, requests } = setUp({});
  expect(await notify(notice)).toBe('sent');
  expect(requests).toEqual([
    { path: '/users/@me/channels', body: { recipient_id: '11' } },
    {
      path: DIRECT,
      body: { content: 'a place', nonce: 'n', enforce_nonce: true, allowed_mentions: { parse: [] } },
    },
  ]);
});

test.each([
  ['the message', { [DIRECT]: refused(50007, 403) }],
  ['the conversation', { '/users/@me/channels': refused(50001, 403) }],
])('where Discord refuses %s, it gives up, says it nowhere else and logs that', async (_what, answers) => {
  const { notify, requests, lines } = setUp(answers);
  expect(await notify(notice)).toBe('refused');
  expect(requests.filter(({ path }) => path !== DIRECT && path !== '/users/@me/channels')).toEqual([]);
  expect(lines).toHaveLength(1);
  expect(await notify(notice)).toBe('spared');
});

test('a person gets one of a kind a day, whatever others do, and the store names nobody for it', async () => {
  const { notify, requests, documents, time } = setUp({});
  const ends = [];
  for (const nonce of ['1', '2', '3']) ends.push(await notify({ ...notice, nonce }));
  expect(ends).toEqual(['sent', 'spared', 'spared']);
  expect(await notify({ ...notice, kind: 'correction' })).toBe('sent');
  expect(await notify({ ...notice, personId: '12' })).toBe('sent');
  expect(requests.filter(({ path }) => path === DIRECT)).toHaveLength(3);
  for (const key of (await documents.all('claims')).keys()) expect(key).toMatch(/^notice:[0-9a-f]{64}$/);
  time.now += DAY;
  expect(await notify(notice)).toBe('sent');
});

test('where the store fails, nothing is sent: it could be the tenth today', async () => {
  const { notify, requests, documents } = setUp({});
  documents.commit = () => Promise.reject(new Error('away'));
  expect(await notify(notice)).toBe('lost');
  expect(requests).toEqual([]);
});

test.each([
  ['5xx', new HTTPError(503, 'Service Unavailable', 'POST', 'https://chat.example', {})],
  ['429', refused(0, 429)],
  ['401', refused(0, 401)],
  ['403 of a page in front of it', refused(undefined, 403)],
  ['no connection', new TypeError('fetch failed')],
])('Discord in trouble (%s) may take it later, and the same day', async (_what, error) => {
  const answers: Record<string, Error> = { [DIRECT]: error };
  const { notify } = setUp(answers);
  expect(await notify(notice)).toBe('lost');
  delete answers[DIRECT];
  expect(await notify(notice)).toBe('sent');
});
