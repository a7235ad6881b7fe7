/** Discord's events of convoys, as they are asked for over REST. */
import { DiscordAPIError, GuildScheduledEventStatus } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { createScheduledEvents, type EventPlan } from '../../../src/discord/send/scheduled-events.ts';

const [GUILD, ME] = ['7', '3'];
const plan: EventPlan = {
  ...{ name: 'Run', from: Date.UTC(2026, 10, 27, 19), to: Date.UTC(2026, 10, 27, 21), weekly: false },
  location: 'https://discord.com/channels/7/8/9',
};

/** Discord's answer with that status; a code of 0 as from what stands before Discord. */
const refusal = (status: number, code: number): DiscordAPIError =>
  new DiscordAPIError({ code, message: 'no' }, code, status, 'POST', 'https://discord.com', {});

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A guild's events, which keeps those that are made. `fails`: what a request comes to instead of an answer. */
function guild(fails: (request: Request) => Error | null = () => null) {
  const all: object[] = [];
  const requests: Request[] = [];
  const ask =
    (method: string, answer: (body: object) => unknown) =>
    async (path: string, { body = {} }: { readonly body?: Request['body'] } = {}) => {
      const request = { method, path, body };
      requests.push(request);
      const failure = fails(request);
      if (failure !== null) throw failure;
      return answer(body);
    };
  const rest = {
    get: ask('get', () => (requests.at(-1)?.path.endsWith('/scheduled-events') ? all : { ...all[0] })),
    post: ask('post', (body) => {
      const made = { id: `e${all.length + 1}`, creator_id: ME, ...body };
      all.push(made);
      return made;
    }),
    patch: ask('patch', () => ({})),
    delete: ask('delete', () => ({})),
  };
  const log = { warn() {} };
  const events = createScheduledEvents(
    rest as unknown as Parameters<typeof createScheduledEvents>[0],
    () => ME,
    log as unknown as Parameters<typeof createScheduledEvents>[2],
  );
  return { all, events, requests };
}

test.each([GuildScheduledEventStatus.Completed, GuildScheduledEventStatus.Canceled])(
  'an event that was ended in Discord is gone, and another one is made (%i)',
  async (status) => {
    const { all, events } = guild();
    await events.make(GUILD, plan);
    expect(await events.look(GUILD, 'e1')).toEqual({ id: 'e1' });
    Object.assign(all[0] ?? {}, { status });
    expect(await events.look(GUILD, 'e1')).toBe('gone');
    expect(await events.find(GUILD, plan)).toBe('gone');
    expect(await events.make(GUILD, plan)).toEqual({ id: 'e2' });
  },
);

test('an event whose answer was lost is found again and not made twice', async () => {
  const { all, events } = guild();
  expect(await events.find(GUILD, plan)).toBe('gone');
  expect(await events.make(GUILD, plan)).toEqual({ id: 'e1' });
  expect(await events.make(GUILD, plan)).toEqual({ id: 'e1' });
  expect(await events.find(GUILD, plan)).toEqual({ id: 'e1' });
  expect(all).toHaveLength(1);
});

test.each([
  ['another convoy, with another card', { entity_metadata: { location: `${plan.location}0` } }],
  ['another time', { scheduled_start_time: new Date(plan.from + 60_000).toISOString() }],
  ['another name', { name: 'Run 2' }],
  ['somebody else', { creator_id: '4' }],
  ['nobody, since the maker left', { creator_id: null }],
])('an event of %s is not taken', async (_whose, others) => {
  const { all, events } = guild();
  await events.make(GUILD, plan);
  Object.assign(all[0] ?? {}, others);
  expect(await events.find(GUILD, plan)).toBe('gone');
  expect(await events.make(GUILD, plan)).toEqual({ id: 'e2' });
});

describe.each(['make', 'find', 'change', 'look', 'remove'] as const)('%s', (what) => {
  const ask = async (failure: Error) => {
    const { events } = guild(({ method }) => (what === 'make' && method === 'get' ? null : failure));
    if (what === 'make' || what === 'find') return events[what](GUILD, plan);
    return events[what](GUILD, 'e1', plan);
  };

  test.each([
    [404, 10_070, 'gone'],
    [404, 10_004, 'refused'],
    [403, 50_013, 'refused'],
    [403, 50_001, 'refused'],
    [403, 0, 'refused'],
    [401, 0, 'refused'],
    [400, 30_038, 'refused'],
    [400, 50_035, 'refused'],
    [400, 200_000, 'content'],
    [400, 200_001, 'content'],
    [400, 240_000, 'content'],
    [429, 0, 'lost'],
    [500, 0, 'lost'],
    [503, 0, 'lost'],
  ] as const)('an answer %d with code %d is %s', async (status, code, answer) => {
    expect(await ask(refusal(status, code))).toBe(answer);
  });

  test('a broken connection is lost', async () => {
    expect(await ask(new Error('reset'))).toBe('lost');
  });
});

test('a list that cannot be read makes no second event', async () => {
  const { all, events } = guild();
  all.push({ nonsense: true });
  expect(await events.make(GUILD, plan)).toBe('lost');
  expect(all).toHaveLength(1);
});

test('a change whose name is refused still moves the event to its new time', async () => {
  const { events, requests } = guild(({ body }) => ('name' in body ? refusal(400, 200_001) : null));
  expect(await events.change(GUILD, 'e1', plan)).toBe('content');
  expect(requests.at(-1)?.body).toMatchObject({ scheduled_start_time: new Date(plan.from).toISOString() });
  expect(requests).toHaveLength(2);
});

test.each([
  ['2026-11-27T23:30Z', 4],
  ['2026-11-29T00:30Z', 6],
  ['2026-11-30T00:30Z', 0],
])('a weekly event repeats on the day of %s in UTC, and Monday is 0', async (from, day) => {
  const { all, events } = guild();
  await events.make(GUILD, { ...plan, from: Date.parse(from), weekly: true });
  expect(all).toMatchObject([{ recurrence_rule: { frequency: 2, interval: 1, by_weekday: [day] } }]);
});

test('a change to one that does not repeat ends the repeating', async () => {
  const { events, requests } = guild();
  await events.change(GUILD, 'e1', plan);
  expect(requests[0]?.body).toMatchObject({ recurrence_rule: null });
});
