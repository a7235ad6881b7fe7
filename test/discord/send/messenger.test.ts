/** Opening a conversation and posting in it: what Discord's answers say about whether a message was sent. */
import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/base/log.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';
import { createMessenger } from '../../../src/discord/send/messenger.ts';
import type { OutgoingMessage, Recipient, Urgency } from '../../../src/messages/outbox/message.ts';
import type { VirtualTime } from '../../sim/virtual-time.ts';
import { startTime } from '../../support/start-time.ts';

const SECOND = 1000;
const OPENING = '/users/@me/channels';
const DIRECT = '/channels/88/messages';
const CHANNEL = '/channels/7/messages';

const message: OutgoingMessage = { content: 'k3nny is online', components: [], roles: [], nonce: 'n' };
const person: Recipient = { kind: 'direct', personId: '11' };
const channel: Recipient = { kind: 'channel', channelId: '7' };

let time: VirtualTime;
beforeEach(() => {
  time = startTime(Date.UTC(2026, 2, 5, 12));
});

/** A Discord that answers these paths with an error, or after some time, and accepts the rest. */
function setUp(answers: Record<string, Error | number | ((files: unknown) => Error | null)> = {}) {
  const requests: {
    readonly path: string;
    readonly body: unknown;
    readonly files: unknown;
    readonly at: number;
  }[] = [];
  const lines: string[] = [];
  const log = createLog({ level: 'debug', secrets: [], stream: { write: (line) => lines.push(line) } });
  const rest: Parameters<typeof createMessenger>[0] = {
    async post(path, options) {
      requests.push({ path, body: options?.body, files: options?.files, at: time.elapsed });
      const given = answers[path];
      const answer = typeof given === 'function' ? given(options?.files) : given;
      if (typeof answer === 'number') await new Promise<void>((resolve) => time.clock.after(answer, resolve));
      if (answer instanceof Error) throw answer;
      return path === OPENING ? { id: '88' } : {};
    },
  };
  const open = createMessenger(rest, time.clock, log);
  async function send(to: Recipient, sent = message) {
    const conversation = await open(to, 'alert');
    return typeof conversation === 'string' ? conversation : conversation.post(sent);
  }
  const sendNow = (...sending: Parameters<typeof send>) => time.until(send(...sending));
  return { open, send, sendNow, requests, lines, answers };
}

function refused(code: number | undefined, status = 403): DiscordAPIError {
  const body = code === undefined ? { error: 'no' } : { code, message: 'no' };
  return new DiscordAPIError(body, code ?? 'no', status, 'POST', 'https://chat.example', {});
}

function failed(code: string): Error {
  return Object.assign(new Error(code), { code });
}

const unavailable = new HTTPError(503, 'no', 'POST', 'https://chat.example', {});
const tooFast = new RateLimitError({
  ...{ timeToReset: 90_000, limit: 5, method: 'POST', hash: '', url: '', route: '', majorParameter: '' },
  ...{ global: false, retryAfter: 90_000, sublimitTimeout: 0, scope: 'user' },
});

test('a message to a person pings nobody; one in a channel pings the chosen role alone', async () => {
  const { sendNow, requests } = setUp();
  expect(await sendNow(person)).toBe('sent');
  expect(await sendNow(channel, { ...message, roles: ['99'] })).toBe('sent');
  expect(requests).toMatchObject([
    { path: OPENING, body: { recipient_id: '11' } },
    { path: DIRECT, body: { allowed_mentions: { parse: [] }, nonce: 'n', enforce_nonce: true } },
    { path: CHANNEL, body: { allowed_mentions: { parse: [], roles: ['99'] }, enforce_nonce: true } },
  ]);
  expect(requests[2]?.body).not.toHaveProperty('roles');
});

describe('a message with a picture', () => {
  const picture = { name: 'week', png: new Uint8Array([1]), alt: 'Line chart' };
  const fileOf = ({ files }: { readonly files: unknown }) => files;

  test('has it as a file with its alt text', async () => {
    const { sendNow, requests } = setUp();
    expect(await sendNow(channel, { ...message, picture })).toBe('sent');
    expect(requests).toMatchObject([
      {
        body: { content: message.content, attachments: [{ id: '0', description: 'Line chart' }] },
        files: [{ name: 'week.png', contentType: 'image/png' }],
      },
    ]);
    expect(requests[0]?.body).not.toHaveProperty('picture');
  });

  test('is sent without it if Discord refuses it, and pauses if words are refused too', async () => {
    const { sendNow, requests, answers } = setUp({ [CHANNEL]: refused(50013) });
    expect(await sendNow(channel, { ...message, picture })).toBe('rights');
    expect(requests.map(fileOf)).toEqual([expect.anything(), undefined]);
    answers[CHANNEL] = (files) => (files === undefined ? null : refused(50013));
    expect(await sendNow(channel, { ...message, picture })).toBe('sent');
  });

  test.each([
    ['may have arrived', new Unconfirmed(null), 'perhaps-sent'],
    ['was refused for the moment', refused(20028, 429), 'unsent'],
    ['has no channel any more', refused(10003, 404), 'gone'],
  ])('is not sent twice if it %s', async (_what, error, outcome) => {
    const { sendNow, requests } = setUp({ [CHANNEL]: error });
    expect(await sendNow(channel, { ...message, picture })).toBe(outcome);
    expect(requests).toHaveLength(1);
  });
});

describe('what an answer says', () => {
  test.each([
    ['a person who accepts no messages', person, DIRECT, refused(50007), 'closed'],
    ['a person who shares no server with the bot', person, OPENING, refused(50278), 'closed'],
    ['a person who is gone', person, OPENING, refused(10013, 404), 'closed'],
    ['a conversation that is closed to the bot', person, DIRECT, refused(50001), 'closed'],
    ['a channel that is gone', channel, CHANNEL, refused(10003, 404), 'gone'],
    ['a channel that it does not see', channel, CHANNEL, refused(50001), 'rights'],
    ['a channel where it may not write', channel, CHANNEL, refused(50013), 'rights'],
    ['too many new conversations', person, OPENING, refused(40003), 'unsent'],
    ['a conversation refused with another number', person, OPENING, refused(50_035, 400), 'refused'],
    ['an opening that fails', person, OPENING, unavailable, 'unsent'],
    ['an opening without an answer', person, OPENING, failed('ECONNRESET'), 'unsent'],
    ['an opening refused without a number', person, OPENING, refused(undefined), 'unsent'],
    ['a message refused for its content', channel, CHANNEL, refused(200_000, 400), 'refused'],
    ['a message that Discord finds invalid', person, DIRECT, refused(50_035, 400), 'refused'],
    ['a server that wants a second factor', channel, CHANNEL, refused(60_003), 'refused'],
    ['a channel that takes no more for now', channel, CHANNEL, refused(20_028), 'unsent'],
    ['a message refused for the moment', person, DIRECT, refused(0, 429), 'unsent'],
    ['a token refused for the moment', person, DIRECT, refused(0, 401), 'unsent'],
    ['a wait for a limit that is too long', channel, CHANNEL, tooFast, 'unsent'],
    ['no connection', channel, CHANNEL, failed('ECONNREFUSED'), 'unsent'],
    ['no address', person, DIRECT, failed('EAI_AGAIN'), 'unsent'],
    ['a certificate that is not valid', person, DIRECT, failed('CERT_HAS_EXPIRED'), 'unsent'],
    ['Discord with a fault', channel, CHANNEL, new Unconfirmed(503), 'perhaps-sent'],
    ['a fault that has a number', channel, CHANNEL, refused(0, 500), 'perhaps-sent'],
    ['a broken connection', person, DIRECT, failed('ECONNRESET'), 'perhaps-sent'],
    ['no answer in time', person, DIRECT, new Unconfirmed(null), 'perhaps-sent'],
    ['a page of what stands in front of Discord', channel, CHANNEL, refused(undefined), 'perhaps-sent'],
  ] as const)('%s', async (_what, to, path, error, expected) => {
    const { sendNow, lines } = setUp({ [path]: error });
    expect(await sendNow(to)).toBe(expected);
    expect(lines).toHaveLength(1);
  });

  test('opens a new conversation at the next attempt if the remembered one is gone', async () => {
    const { sendNow, requests, answers } = setUp();
    await sendNow(person);
    answers[DIRECT] = refused(10003, 404);
    expect(await sendNow(person)).toBe('unsent');
    expect(await sendNow(person)).toBe('closed');
    expect(requests.filter(({ path }) => path === OPENING)).toHaveLength(2);
  });
});

describe('new conversations', () => {
  const people = (count: number): readonly Recipient[] =>
    Array.from({ length: count }, (_, n) => ({ kind: 'direct', personId: String(n) }));
  const openings = (requests: ReturnType<typeof setUp>['requests']) =>
    requests.flatMap(({ path, at }) => (path === OPENING ? [at] : []));

  test('are at most five in any five seconds', async () => {
    const { send, requests } = setUp();
    for (const to of people(3)) void send(to);
    await time.pass(4 * SECOND);
    for (const to of people(17)) void send(to);
    await time.pass(60 * SECOND);
    const opened = openings(requests);
    expect(opened).toHaveLength(17);
    for (const [n, at] of opened.entries())
      expect(at - (opened[n - 5] ?? -5000)).toBeGreaterThanOrEqual(5000);
    expect(opened.at(-1)).toBeLessThanOrEqual(20 * SECOND);
  });

  test('are opened once for a person, and remembered', async () => {
    const { send, sendNow, requests } = setUp({ [OPENING]: SECOND });
    const both = Promise.all([send(person), send(person)]);
    await time.pass(2 * SECOND);
    expect([await both, await sendNow(person)]).toEqual([['sent', 'sent'], 'sent']);
    expect(requests.map(({ path }) => path)).toEqual([OPENING, DIRECT, DIRECT, DIRECT]);
  });

  test('for reminders go ahead of those for alerts, and those of notices come last', async () => {
    const { open, requests } = setUp();
    const openFrom = (first: number, urgency: Urgency): void => {
      for (const to of people(first + 5).slice(first)) void open(to, urgency);
    };
    // Ten are let in before the others come: five at once, and five that wait for their time.
    openFrom(0, 'alert');
    openFrom(5, 'alert');
    openFrom(10, 'notice');
    openFrom(15, 'alert');
    openFrom(20, 'reminder');
    await time.pass(30 * SECOND);
    const order = requests.map(({ body }) => Number((body as { recipient_id: string }).recipient_id));
    expect(order.slice(10)).toEqual([20, 21, 22, 23, 24, 15, 16, 17, 18, 19, 10, 11, 12, 13, 14]);
  });

  test('do not wait for a wall clock that was set back', async () => {
    const { send, requests } = setUp();
    for (const to of people(5)) void send(to);
    await time.pass(SECOND);
    time.stepWall(-3600 * SECOND);
    for (const to of people(10).slice(5)) void send(to);
    await time.pass(10 * SECOND);
    expect(openings(requests)).toHaveLength(10);
  });
});

test('many failures are one line of the log, and one once Discord takes messages again', async () => {
  const { sendNow, lines, answers } = setUp({ [CHANNEL]: failed('ECONNREFUSED') });
  for (let times = 0; times < 5; times += 1) await sendNow(channel);
  expect(lines).toHaveLength(1);
  delete answers[CHANNEL];
  await sendNow(channel);
  await sendNow(channel);
  expect(lines).toHaveLength(2);
});
