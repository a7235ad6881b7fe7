import { DiscordAPIError, HTTPError } from '@discordjs/rest';
import { expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { createNotifier } from '../../src/discord/direct-message.ts';

const notice = { personId: '11', channelId: '7', content: 'a place', nonce: 'n' };

/** A Discord that answers each request by its path, in this order; it accepts the rest. */
function setUp(answers: Readonly<Record<string, Error>>) {
  const requests: { readonly path: string; readonly body: unknown }[] = [];
  const lines: string[] = [];
  const log = createLog({ level: 'debug', secrets: [], stream: { write: (line) => lines.push(line) } });
  const rest: Parameters<typeof createNotifier>[0] = {
    async post(path, options) {
      requests.push({ path, body: options?.body });
      const error = answers[path];
      if (error !== undefined) throw error;
      return path === '/users/@me/channels' ? { id: '99' } : {};
    },
  };
  return { notify: createNotifier(rest, log), requests, lines };
}

/** Without a code, as the REST client reads a page of HTML. */
function refused(code: number | undefined, status: number): DiscordAPIError {
  const body = code === undefined ? { error: 'no' } : { code, message: 'no' };
  return new DiscordAPIError(body, code ?? 'no', status, 'POST', 'https://chat.example', {});
}

const DIRECT = '/channels/99/messages';
const CHANNEL = '/channels/7/messages';

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
])('where chat refuses %s, it is said in the channel without a ping', async (_what, answers) => {
  const { notify, requests } = setUp(answers);
  expect(await notify(notice)).toBe('sent');
  expect(requests.at(-1)).toMatchObject({
    path: CHANNEL,
    body: { content: '<@11> a place', allowed_mentions: { parse: [] }, enforce_nonce: true },
  });
});

test('where Discord refuses both, it gives up and logs that', async () => {
  const { notify, lines } = setUp({ [DIRECT]: refused(50007, 403), [CHANNEL]: refused(50013, 403) });
  expect(await notify(notice)).toBe('refused');
  expect(lines).toHaveLength(2);
});

test.each([
  ['5xx', new HTTPError(503, 'Service Unavailable', 'POST', 'https://chat.example', {})],
  ['429', refused(0, 429)],
  ['401', refused(0, 401)],
  ['403 of a page in front of it', refused(undefined, 403)],
  ['no connection', new TypeError('fetch failed')],
])(
  'chat in trouble (%s) may take it later, and nothing is said in the channel meanwhile',
  async (_what, error) => {
    const { notify, requests } = setUp({ [DIRECT]: error });
    expect(await notify(notice)).toBe('lost');
    expect(requests.map(({ path }) => path)).not.toContain(CHANNEL);
  },
);

test('what nobody else may read is not said in any channel', async () => {
  const { notify, requests } = setUp({ [DIRECT]: refused(50007, 403) });
  expect(await notify({ ...notice, channelId: null })).toBe('refused');
  expect(requests.map(({ path }) => path)).toEqual(['/users/@me/channels', DIRECT]);
});
