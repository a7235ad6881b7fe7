import { DiscordAPIError, HTTPError } from 'discord.js';
import { expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { createAlertSender } from '../../../src/discord/send/send-alert.ts';

type Outgoing = Parameters<ReturnType<typeof createAlertSender>>[0];

const said = { content: 'k3nny is online', components: [], nonce: 'n' };
const direct: Outgoing = { ...said, to: { kind: 'direct', personId: '11' }, roles: [] };
const channel: Outgoing = { ...said, to: { kind: 'channel', channelId: '7' }, roles: ['99'] };

/** A Discord that answers these paths with an error and accepts the rest. */
function setUp(answers: Readonly<Record<string, Error>> = {}) {
  const requests: { readonly path: string; readonly body: unknown }[] = [];
  const log = createLog({ level: 'silent', secrets: [] });
  const rest: Parameters<typeof createAlertSender>[0] = {
    async post(path, options) {
      requests.push({ path, body: options?.body });
      const error = answers[path];
      if (error !== undefined) throw error;
      return path === '/users/@me/channels' ? { id: '88' } : {};
    },
  };
  return { send: createAlertSender(rest, log), requests };
}

function refused(code: number, status = 403): DiscordAPIError {
  return new DiscordAPIError({ code, message: 'no' }, code, status, 'POST', 'https://chat.example', {});
}

test('an alert to a person pings nobody; one in a channel pings the chosen role and nothing else', async () => {
  const { send, requests } = setUp();
  expect(await send(direct)).toBe('sent');
  expect(await send(channel)).toBe('sent');
  expect(requests.map(({ path }) => path)).toEqual([
    '/users/@me/channels',
    '/channels/88/messages',
    '/channels/7/messages',
  ]);
  expect(requests[1]?.body).toMatchObject({
    allowed_mentions: { parse: [] },
    nonce: 'n',
    enforce_nonce: true,
  });
  expect(requests[2]?.body).toMatchObject({
    allowed_mentions: { parse: [], roles: ['99'] },
    enforce_nonce: true,
  });
});

test.each([
  ['a person who accepts no messages', direct, '/channels/88/messages', refused(50007), 'closed'],
  ['a person who shares no server with the bot', direct, '/users/@me/channels', refused(50278), 'closed'],
  ['a person who is gone', direct, '/users/@me/channels', refused(10013, 404), 'closed'],
  ['a conversation that is closed to the bot', direct, '/channels/88/messages', refused(50001), 'closed'],
  ['a channel that is gone', channel, '/channels/7/messages', refused(10003, 404), 'gone'],
  ['a channel that it does not see', channel, '/channels/7/messages', refused(50001), 'rights'],
  ['a channel where it may not write', channel, '/channels/7/messages', refused(50013), 'rights'],
  [
    'Discord with a fault',
    channel,
    '/channels/7/messages',
    new HTTPError(503, 'no', 'POST', 'https://chat.example', {}),
    'lost',
  ],
  ['a broken connection', direct, '/channels/88/messages', new TypeError('fetch failed'), 'lost'],
  ['a message that Discord does not accept', channel, '/channels/7/messages', refused(50035, 400), 'lost'],
] as const)('%s', async (_what, message, path, error, expected) => {
  const { send } = setUp({ [path]: error });
  expect(await send(message)).toBe(expected);
});
