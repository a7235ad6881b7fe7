import { inspect } from 'node:util';
import Keyv from 'keyv';
import { MockAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/base/errors.ts';
import { createCache } from '../../../src/service/cache/cache.ts';
import { createClient } from '../../../src/service/client.ts';
import { options, profile } from '../../../src/service/endpoints.ts';
import { createTransport } from '../../../src/service/transport/transport.ts';
import { questions } from '../../support/records.ts';
import { key, places } from '../loopback.ts';
import { all, complaint, type Form, forms, type Name } from './answer-forms.ts';

const url = 'https://data.example';

let agent: MockAgent;
beforeEach(() => {
  agent = new MockAgent();
  agent.disableNetConnect();
});
afterEach(() => agent.close());

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function reply({ status = 200, body, headers = {} }: Pick<Form, 'body'> & Partial<Form>): void {
  agent
    .get(url)
    .intercept({ path: () => true })
    .reply(status, textOf(body), { headers })
    .persist();
}

function ask(name: Name): Promise<unknown> {
  const { layer } = createTransport({ url, key, dispatcher: agent });
  const { get } = createClient({ layer, places });
  return questions[name](get);
}

async function failureOf(asked: Promise<unknown>): Promise<ServiceError> {
  const outcome: unknown = await asked.then(
    (answer) => answer,
    (error: unknown) => error,
  );
  if (outcome instanceof ServiceError) return outcome;
  throw new Error(`no ServiceError: ${inspect(outcome)}`);
}

const rows = forms.flatMap((form) => form.of.map((name) => ({ ...form, name })));

describe('an answer that is no record', () => {
  test.for(rows)('$what to $name is $fault', async ({ name, fault, refusal, transient, ...form }) => {
    reply(form);
    const error = await failureOf(ask(name));
    expect({
      fault: error.fault,
      refusal: error.refusal,
      transient: error.transient,
      sent: error.sent,
      endpoint: error.endpoint,
    }).toEqual({
      fault,
      refusal,
      transient,
      sent: 'yes' satisfies ServiceError['sent'],
      endpoint: name,
    });
  });

  test('is still a record where nothing is a legal answer', async () => {
    reply({ body: '[]' });
    await expect(ask('options')).resolves.toMatchObject({ record: [] });
    await expect(ask('overview')).resolves.toMatchObject({ record: [] });
  });

  test.for([
    [403, 50_004],
    [404, 10_004],
    [200, '50004'],
  ] as const)('is the answer where the community has no widget: status %i with code %j', async (sent) => {
    const [status, code] = sent;
    reply({ status, body: { message: 'Widget Disabled', code } });
    await expect(ask('chat-status')).resolves.toMatchObject({ record: { isWidgetOff: true, members: [] } });
    expect((await failureOf(ask('overview'))).fault).toMatch(/unavailable|bad-response/);
  });

  test('of Discord about another matter than its widget is an outage', async () => {
    reply({ status: 403, body: { message: 'Missing Access', code: 50_001 } });
    expect(await failureOf(ask('chat-status'))).toMatchObject({ fault: 'unavailable' });
  });

  test.for(['database', 'key', 'server down', 'timeout', 'user', 'page', 'not found'])(
    'names nobody known when %s is the name that is unknown',
    async (username) => {
      reply({ body: { error: `Unknown user ${username}` } });
      const { layer } = createTransport({ url, key, dispatcher: agent });
      const { get } = createClient({ layer, places });
      expect((await failureOf(get(profile, { username }))).fault).toBe('not-found');
    },
  );
});

test.for([
  ['live', 404, true],
  ['live', 503, false],
  ['live', 403, false],
  ['overview', 404, false],
] as const)(
  'a file is missing where its own address answers 404: %s, %d',
  async ([name, status, isMissing]) => {
    reply({ status, body: '<html>404 Not Found</html>' });
    expect(await failureOf(ask(name))).toMatchObject({ fault: 'unavailable', isMissing });
  },
);

describe('a name that reads like a refusal', () => {
  const names = [
    'rate limit',
    'too many requests',
    'Rate limited exceeded',
    'not authorised',
    'host not allowed',
    'command not allowed',
    'not implemented',
  ];
  const answers: readonly [number, (name: string) => unknown][] = [
    [200, (name) => ({ error: `Player ${name} is unknown` })],
    [200, (name) => `${name}: no such player`],
    [404, (name) => complaint(404, `"${name}" is not a known user`)],
    [400, (name) => complaint(400, `There is nobody by the name of ${name.toUpperCase()}`)],
    [200, (name) => ({ error: `Nothing for ${name.replaceAll(' ', '_')}` })],
    [200, (name) => ({ error: `Nothing for ${encodeURIComponent(name)}` })],
  ];
  test.for(names.flatMap((name) => answers.map(([status, form]) => [name, status, form(name)] as const)))(
    '%s decides nothing with %d %j',
    async ([username, status, body]) => {
      reply({ status, body, headers: { 'retry-after': '3060' } });
      const { layer } = createTransport({ url, key, dispatcher: agent });
      const { get } = createClient({ layer, places });
      const { fault, retryAt } = await failureOf(get(profile, { username }));
      expect(['not-found', 'rejected', 'bad-response']).toContain(fault);
      expect(retryAt).toBeNull();
    },
  );

  test('does not hide a refusal in the words that the service documents', async () => {
    reply({ status: 403, body: complaint(403, 'Rate limited exceeded') });
    const { layer } = createTransport({ url, key, dispatcher: agent });
    const { get } = createClient({ layer, places });
    const { fault } = await failureOf(get(profile, { username: 'exceeded' }));
    expect(fault).toBe('over-budget');
  });
});

describe('a refusal', () => {
  const now = Date.now();
  const at = (ms: number): string => new Date(now + ms).toUTCString();

  test.for([
    ['seconds to wait', { 'retry-after': '90' }, 90],
    ['a date to wait for', { date: at(-3_600_000), 'retry-after': at(-3_600_000 + 40_000) }, 40],
    [
      'a reset by its own clock',
      { date: at(-3_600_000), 'x-ratelimit-reset': `${Math.floor(now / 1000) - 3600 + 120}` },
      120,
    ],
    [
      'a reset three hours ago',
      { date: at(0), 'x-ratelimit-reset': `${Math.floor(now / 1000) - 10_800}` },
      60,
    ],
    [
      'a reset ten years ahead',
      { date: at(0), 'x-ratelimit-reset': `${Math.floor(now / 1000) + 315_000_000}` },
      60,
    ],
    ['nonsense', { 'retry-after': 'soon', 'x-ratelimit-reset': 'NaN' }, 60],
    ['nothing', {}, 60],
    [
      'a reset of a window that is nearly unused',
      {
        date: at(0),
        'x-ratelimit-remaining': '719',
        'x-ratelimit-reset': `${Math.floor(now / 1000) + 3000}`,
      },
      60,
    ],
  ] as const)('with %s says when to ask again', async ([, headers, seconds]) => {
    reply({ status: 429, body: '', headers });
    const { retryAt } = await failureOf(ask('profile'));
    expect(Math.abs((retryAt ?? 0) - Date.now() - seconds * 1000)).toBeLessThan(3000);
  });

  test('reports the budget as the headers tell it, unjudged', async () => {
    const date = at(0);
    reply({
      status: 403,
      body: complaint(403, 'Not authorised'),
      headers: {
        date,
        'x-ratelimit-limit': '720/3600',
        'x-ratelimit-remaining': '-5',
        'x-ratelimit-reset': '1e9',
      },
    });
    expect((await failureOf(ask('car'))).rate).toEqual({
      limit: 720,
      windowSeconds: 3600,
      remaining: -5,
      reset: null,
      date: Date.parse(date),
      retryAfter: null,
    });
  });
});

describe('the key', () => {
  const encodings = [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)];

  function holdsKey(text: string): boolean {
    return encodings.some((form) => text.includes(form));
  }

  test('goes into the query of keyed questions alone', async () => {
    const paths: string[] = [];
    agent
      .get(url)
      .intercept({
        path: (path) => {
          paths.push(path);
          return true;
        },
      })
      .reply(200, '[]')
      .persist();
    for (const name of all) await ask(name).catch(() => {});
    const keys = paths.map((path) => new URL(path, url).searchParams.getAll('key'));
    const asked = [...new Set(paths)].map((path) => path.split('?')[0]);
    expect(new Set(asked).size).toBe(all.length);
    expect(keys.filter((values) => values.length === 0)).not.toEqual([]);
    expect(paths.every((path) => holdsKey(path) !== path.startsWith('/json/'))).toBe(true);
    expect(keys.every((values) => values.every((value) => value === key))).toBe(true);
  });

  test('is in no record, in whatever form the service repeats it', async () => {
    const told = [key, ...encodings, key.replaceAll('/', '\\/')].map(
      (form) => `"f${form.length}":"?key=${form}&x"`,
    );
    reply({ body: `{${told.join()}}` });
    const { layer } = createTransport({ url, key, dispatcher: agent });
    const { record } = await createClient({ layer, places }).get(options, { username: 'alice' });
    expect(record.map(({ value }) => value)).toContain('?key=…&x');
    expect(holdsKey(JSON.stringify(record))).toBe(false);
  });

  test('is in no error, however it is looked at, and in no stored entry', async () => {
    const store = new Map<string, unknown>();
    const { layer } = createTransport({ url, key, dispatcher: agent });
    const cached = createCache({
      keyv: new Keyv({ store, throwOnErrors: true }),
      shared: false,
      clock: systemClock,
    })(layer);
    const { get } = createClient({ layer: cached, places });
    const errors: unknown[] = [];
    for (const form of rows) {
      const pool = agent.get(url);
      pool
        .intercept({ path: () => true })
        .reply(form.status ?? 200, textOf(form.body), { ...(form.headers && { headers: form.headers }) });
      await questions[form.name](get).catch((error: unknown) => errors.push(error));
    }
    for (const name of all) {
      agent
        .get(url)
        .intercept({ path: () => true })
        .replyWithError(
          new Error(`connect failed to ${url}/?key=${key}`, { cause: { url: `${url}?key=${key}` } }),
        );
      await questions[name](get).catch((error: unknown) => errors.push(error));
    }
    expect(errors.length).toBeGreaterThan(100);
    for (const error of errors) {
      expect(error).toBeInstanceOf(ServiceError);
      const { stack, message, cause } = error instanceof Error ? error : new Error('none');
      expect(cause).toBeUndefined();
      const detail = [stack ?? '', message, String(error), JSON.stringify(error)];
      detail.push(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }));
      expect(detail.filter(holdsKey)).toEqual([]);
    }
    expect(store.size).toBeGreaterThan(0);
    expect(holdsKey(inspect(store, { depth: Number.POSITIVE_INFINITY }))).toBe(false);
  });
});
