import { DiscordAPIError, MessageFlags, REST, RESTJSONErrorCodes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { createLog } from '../../../src/base/log.ts';
import { deliverReply } from '../../../src/discord/interactions/deliver.ts';
import { Unconfirmed } from '../../../src/discord/rest/resend.ts';
import type { Rest } from '../../../src/discord/rest/rest-client.ts';
import { commandOver, pressOver } from '../../support/interaction.ts';
import { createTranslators } from '../../support/translators.ts';

test.for([
  ['of its own haste', 429, 0],
  ...(['UnknownInteraction', 'UnknownMessage', 'UnknownChannel', 'UnknownGuild'] as const).map(
    (name) => [`of ${name}`, 404, RESTJSONErrorCodes[name]] as const,
  ),
  ['of InvalidWebhookToken', 401, RESTJSONErrorCodes.InvalidWebhookToken],
] as const)(
  'a reply that Discord refuses because %s is no bug and is not repeated',
  async ([_why, status, code]) => {
    let requests = 0;
    const headers = { 'content-type': 'application/json', 'retry-after': '3600' };
    const client = new REST({
      rejectOnRateLimit: () => true,
      async makeRequest() {
        requests += 1;
        const refusal = JSON.stringify({ code, message: 'no', retry_after: 3600 });
        return new Response(refusal, { status, headers });
      },
    });
    const bugs: unknown[] = [];
    const told = { log: createLog({ level: 'silent', secrets: [] }), clock: systemClock };
    const onBug = (error: unknown) => bugs.push(error);
    const reporting = Promise.resolve({ ...told, id: 'ab12cd34', t: createTranslators()('en-GB'), onBug });
    const { result } = await deliverReply(
      { to: 'public', interaction: commandOver(client) },
      Promise.resolve({ reply: { content: 'Here.' }, png: null, result: 'answered' }),
      { deferAfter: 1000, isContested: false, ...told, reporting },
    );
    expect({ result, requests, bugs }).toEqual({ result: 'failed', requests: 1, bugs: [] });
  },
);

const isPrivate = (flags = 0): boolean => (flags & MessageFlags.Ephemeral) !== 0;

const broken = (code: string): Error => Object.assign(new Error('gone'), { code });

/** What is sent below an acknowledgement, where these are the ends of the first messages; and what the log says of it. */
async function followed(...ends: readonly Error[]) {
  const contents: string[] = [];
  const logged: string[] = [];
  const left = [...ends];
  const { promise: answer, resolve } = Promise.withResolvers<Awaited<Parameters<typeof deliverReply>[1]>>();
  const post: Rest['post'] = async (route, { body } = {}) => {
    // The acknowledgement: the answer comes after it.
    if (!route.startsWith('/webhooks/'))
      return resolve({ reply: { content: 'No.' }, png: null, result: 'declined' });
    const { content, flags } = z.object({ content: z.string(), flags: z.int().optional() }).parse(body);
    contents.push(isPrivate(flags) ? `(${content})` : content);
    const end = left.shift();
    if (end !== undefined) throw end;
  };
  const unasked = () => Promise.reject(new Error('not asked for'));
  const rest: Rest = { post, get: unasked, put: unasked, patch: unasked, delete: unasked };
  const log = createLog({
    level: 'warn',
    secrets: [],
    stream: { write: (line) => logged.push(JSON.parse(line).msg) },
  });
  const told = { log, clock: systemClock, onBug: () => {} };
  const t = createTranslators()('en-GB');
  const { result } = await deliverReply({ to: 'in-place', interaction: pressOver(rest) }, answer, {
    deferAfter: 0,
    isContested: false,
    ...told,
    reporting: Promise.resolve({ ...told, id: 'ab12cd34', t }),
  });
  return { contents, logged, result, doubt: `(${t('discord.unconfirmed')})` };
}

test.for([
  ['was never answered', new Unconfirmed(null)],
  ['was answered with an error', new Unconfirmed(502)],
  ['was answered, and the answer broke off,', broken('UND_ERR_SOCKET')],
] as const)('a message below that %s is not sent again, and the person is told to look', async ([, end]) => {
  const once = await followed(end);
  expect(once).toMatchObject({ contents: ['(No.)', once.doubt], result: 'failed' });
  expect(once.logged).toEqual(['Discord did not confirm the reply']);
  const twice = await followed(end, new Unconfirmed(500));
  expect(twice).toMatchObject({ contents: ['(No.)', twice.doubt], result: 'failed' });
  expect(twice.logged).toEqual([
    'the person could not be notified either',
    'Discord did not confirm the reply',
  ]);
});

test('a message below that never left is sent again, once, and leaves no doubt', async () => {
  expect(await followed(broken('ECONNREFUSED'))).toMatchObject({
    ...{ contents: ['(No.)', '(No.)'], logged: [], result: 'declined' },
  });
  expect(await followed(broken('ECONNREFUSED'), broken('ENOTFOUND'))).toMatchObject({
    ...{ contents: ['(No.)', '(No.)'], logged: ['Discord did not accept the reply'], result: 'failed' },
  });
});

test('a message below that Discord refuses is not there, and there is no doubt', async () => {
  const { contents, logged } = await followed(
    new DiscordAPIError({ code: 50035, message: 'no' }, 50035, 400, 'POST', '', {}),
  );
  expect(contents).toEqual(['(No.)', expect.stringContaining('ab12cd34')]);
  expect(logged).toEqual(['bug']);
});

/** Whatever is waited for is over as soon as everything else has been done. */
const eagerClock: Clock = {
  ...systemClock,
  after(_ms, callback) {
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  },
};

/** The ends of an answer that is late or not, public or private, if Discord ends these requests so: each shown message. */
async function answered(to: 'public' | 'private', deferAfter: number, ...ends: readonly Error[]) {
  const shown: string[] = [];
  const levels: string[] = [];
  const left = [...ends];
  let deferredPublicly = false;
  const { promise: work, resolve } = Promise.withResolvers<Awaited<Parameters<typeof deliverReply>[1]>>();
  const outcome = { reply: { content: 'Rude name' }, png: null, result: 'answered' } as const;
  if (deferAfter > 0) resolve(outcome);
  const take = (content: string | undefined, isForOne: boolean): void => {
    const end = content === undefined ? undefined : left.shift();
    if (end !== undefined) throw end;
    if (content !== undefined) shown.push(isForOne ? `(${content})` : content);
  };
  const Body = z.object({
    type: z.int().optional(),
    content: z.string().optional(),
    flags: z.int().optional(),
    data: z.object({ content: z.string().optional(), flags: z.int().optional() }).optional(),
  });
  const rest: Rest = {
    async post(_route, { body } = {}) {
      const { type, data, ...own } = Body.parse(body);
      const { content, flags } = data ?? own;
      if (type === 5) {
        deferredPublicly = !isPrivate(flags);
        resolve(outcome);
        return;
      }
      take(content, isPrivate(flags));
    },
    async patch(_route, { body } = {}) {
      take(Body.parse(body).content, !deferredPublicly);
    },
    async delete() {
      deferredPublicly = false;
    },
    get: () => Promise.reject(new Error('not asked for')),
    put: () => Promise.reject(new Error('not asked for')),
  };
  const log = createLog({
    level: 'warn',
    secrets: [],
    stream: { write: (line) => void levels.push(JSON.parse(line).level) },
  });
  const clock = eagerClock;
  const bugs: unknown[] = [];
  const told = { log, clock, onBug: (error: unknown) => bugs.push(error) };
  const t = createTranslators()('en-GB');
  const done = deliverReply({ to, interaction: commandOver(rest) }, work, {
    deferAfter,
    isContested: false,
    ...told,
    reporting: Promise.resolve({ ...told, id: 'ab12cd34', t }),
  });
  const { result } = await done;
  return { shown, levels, result, bugs, blocked: `(${t('discord.blocked')})` };
}

const refusal = (code: number): DiscordAPIError =>
  new DiscordAPIError({ code, message: 'no' }, code, 400, 'POST', '', {});
const WARN = 'warn';

describe.each([
  ['at once', 1000],
  ['after an acknowledgement', 0],
] as const)('an answer %s', (_when, deferAfter) => {
  test.for([
    ['public', 200_000],
    ['public', 200_001],
    ['private', 200_000],
    ['public', 240_000],
  ] as const)(
    'in %s that is blocked for its content (%d) is explained to the person alone',
    async ([to, code]) => {
      const { shown, levels, result, bugs, blocked } = await answered(to, deferAfter, refusal(code));
      expect({ shown, levels, result, bugs }).toEqual({
        shown: [blocked],
        levels: [WARN],
        result: 'declined',
        bugs: [],
      });
    },
  );

  test.each([20_028, 30_038, 130_000])('that is refused for the moment (%d) is sent again', async (code) => {
    const { shown, levels } = await answered('public', deferAfter, refusal(code), refusal(code));
    expect({ shown, levels }).toEqual({ shown: ['Rude name'], levels: [] });
  });

  test('is there, although nobody can read what Discord says of it', async () => {
    // The library makes a message of the answer, and these are empty.
    const { shown, levels, result, bugs } = await answered('public', deferAfter);
    expect({ shown, levels, result, bugs }).toEqual({
      ...{ shown: ['Rude name'], levels: [], result: 'answered', bugs: [] },
    });
  });

  test('that ends in a bug says so to the person alone', async () => {
    const { shown } = await answered('public', deferAfter, refusal(50_035));
    expect(shown).toEqual([expect.stringMatching(/^\(.*ab12cd34/s)]);
  });
});
