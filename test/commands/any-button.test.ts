import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pressed } from '../../src/app/action.ts';
import type { Context } from '../../src/app/context.ts';
import type { Reply } from '../../src/app/reply.ts';
import { ServiceError, UserError } from '../../src/base/errors.ts';
import { readCustomId, writeCustomId } from '../../src/cards/kit/custom-id.ts';
import { withShare } from '../../src/discord/interactions/share.ts';
import { loadCommands } from '../../src/discord/publish/load.ts';
import { createTranslators } from '../../src/i18n/translator.ts';
import type { Service } from '../../src/service/client.ts';
import { aboutBot } from '../support/about-bot.ts';
import { breaches, rowsOf } from '../support/embed-limits.ts';
import { noHistory } from '../support/no-history.ts';
import { noNames } from '../support/no-names.ts';
import { peopleInMemory } from '../support/people.ts';
import { carJson, chatJson, driverJson, liveJson, NOON, overviewJson } from '../support/records.ts';
import { hostile } from '../text/in-game.ts';

const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const bodies: Readonly<Record<string, unknown>> = {
  profile: driverJson,
  car: carJson,
  options: { mph: '1' },
  overview: overviewJson,
  'chat-status': chatJson,
  live: liveJson({ 1: { cop: true } }),
};

/** Knows whatever it is asked for, or nothing. Checks what it is asked as the client does. */
function service(knows: boolean): Service {
  return {
    async get(endpoint, asked) {
      const checked = endpoint.params.safeParse(asked);
      if (!checked.success) throw new TypeError(`${endpoint.name} cannot be asked with this`);
      if (!knows && endpoint.named)
        throw new ServiceError('not-found', { endpoint: endpoint.name, sent: 'yes' });
      const body =
        typeof asked === 'object' && asked !== null && 'username' in asked && endpoint.name === 'profile'
          ? { ...driverJson, username: asked.username }
          : bodies[endpoint.name];
      return { record: endpoint.response.parse(body), asOf: NOON, stale: null };
    },
  };
}

function contextThat(knows: boolean): Context {
  return {
    service: service(knows),
    recentNames: noNames,
    t: createTranslators()('en-GB'),
    person: { id: '1', guildId: '2', channelId: '3', mayManage: true, locale: 'en-GB' },
    now: NOON,
    ...peopleInMemory(),
    ...noHistory,
    history: {
      ...noHistory.history,
      driver: async (driver) =>
        knows ? { driver, current: null, sessions: [], since: NOON, until: NOON, holes: [] } : null,
    },
    bot: aboutBot(),
  };
}

/** That person's own driver beside that driver. */
const OWN = '1:compare:me:mad_max';

/** The same for a person who has linked a driver. */
async function linked(context: Context): Promise<Context> {
  await context.store.links.set(context.person.id, { username: 'mad_max', since: NOON });
  return context;
}

const contexts = { known: await linked(contextThat(true)), unknown: await linked(contextThat(false)) };

/** A reply, or null for a refusal with a message. Anything else is a bug. */
async function press(id: string, values: readonly string[], context: Context): Promise<Reply | null> {
  const read = readCustomId(id);
  const actions = read === null ? undefined : commands.get(read.command)?.actions;
  const run = read === null || actions === undefined ? null : pressed(actions, read, values);
  // Left to the dispatch, which tells that the button is an old one.
  if (run === null) return null;
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof UserError || error instanceof ServiceError) return null;
    throw new Error(`${id} with ${JSON.stringify(values)}: ${String(error)}`, { cause: error });
  }
}

/** One way into each of the look-ups. */
const first = [
  '1:profile:overview:k3nny',
  '1:car:refresh:AB12C',
  '1:garage:km-0:k3nny',
  '1:options:show:k3nny',
  '1:compare:show-5:k3nnymad_max',
  '1:seen:show:k3nny',
  '1:duty:refresh:',
  '1:slots:refresh:',
  '1:servers:refresh:',
  '1:members:refresh-0:',
  '1:live:page-0:one',
];

/** The ids that the commands' own cards carry, followed wherever they lead. */
async function writtenIds(): Promise<readonly (readonly [id: string, values: readonly string[]])[]> {
  const found = new Map<string, readonly string[]>();
  const follow = async (reply: Reply | null): Promise<void> => {
    for (const control of rowsOf(reply ?? {}).flatMap(({ components }) => components)) {
      const id = control.custom_id;
      const values = control.options?.[0] === undefined ? [] : [control.options[0].value];
      if (id === undefined || found.has(id)) continue;
      found.set(id, values);
      await follow(await press(id, values, contexts.known));
    }
  };
  for (const id of first) await follow(await press(id, [], contexts.known));
  return [...found];
}

const written = await writtenIds();

describe('a button', () => {
  test('of every card leads somewhere, a month and a restart later: all that it needs is in its id', async () => {
    const commandOf = (id: string) => readCustomId(id)?.command;
    expect(new Set(written.map(([id]) => commandOf(id)))).toEqual(new Set(first.map(commandOf)));
    const fresh = await linked(contextThat(true));
    for (const [id, values] of written) {
      const reply = await press(id, values, fresh);
      // Nobody can press what leads to no page, and nobody compares a driver with themselves.
      if (id.includes(':none:') || id === OWN) continue;
      expect(reply, id).not.toBeNull();
      expect(breaches(reply ?? {}), id).toEqual([]);
    }
  });

  test('that refreshes has room beside it, or below, for one that shares the same view', async () => {
    const refreshing = written.filter(([id]) => readCustomId(id)?.refresh);
    expect(refreshing.length).toBeGreaterThan(20);
    for (const [id] of refreshing) {
      const shared = withShare((await press(id, [], contexts.known)) ?? {}, contexts.known.t);
      const last = rowsOf(shared)
        .flatMap(({ components }) => components)
        .find(({ custom_id: shares }) => readCustomId(shares ?? '')?.share);
      expect(last, id).toMatchObject({ label: 'Share' });
      expect(breaches(shared), id).toEqual([]);
      expect(await press(last?.custom_id ?? '', [], contexts.known)).not.toBeNull();
    }
  });

  test.each([
    ['1:profile:overview:k3nny', false],
    ['1:profile:garage-2:k3nny', false],
    ['1:profile:refresh-licences:k3nny', true],
    ['1:profile:refresh-garage-0:k3nny', true],
    ['1:car:refresh:AB12C', true],
    ['1:garage:km-2:k3nny', false],
    ['1:garage:refresh-condition-0:k3nny', true],
    ['1:options:show:k3nny', false],
    ['1:options:refresh:k3nny', true],
    ['1:compare:show-5:k3nnymad_max', false],
    ['1:compare:refresh-5:k3nnymad_max', true],
    ['1:duty:refresh:', true],
    ['1:slots:refresh:', true],
    ['1:slots:tell:one', false],
    ['1:servers:refresh:', true],
    ['1:servers:mine:123456789012345678', false],
    ['1:members:page-0:', false],
    ['1:members:refresh-0:', true],
    ['1:live:page-0:one', false],
    ['1:live:refresh-0:one', true],
    ['1:forget-me:confirm:1', false],
  ])('below a message that the first version sent, %s, works; refresh: %s', async (id, refresh) => {
    expect(readCustomId(id)?.refresh).toBe(refresh);
    expect(await press(id, [], contexts.known)).not.toBeNull();
  });

  test.each([
    ['1:car:openprofile-0:k3nny', 'AB12C'],
    ['1:garage:sort:k3nny', 'km'],
  ])('and so does the menu %s', async (id, value) => {
    expect(await press(id, [value], contexts.known)).not.toBeNull();
  });

  const name = fc.constantFrom(...commands.keys());
  const actions = [...new Set(written.map(([id]) => readCustomId(id)?.action ?? ''))];
  const odd = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom('', '__proto__', 'constructor', 'toString', '-1', '9'.repeat(30), ...hostile),
  );
  const foreign = fc
    .record({
      command: name,
      action: fc.oneof(odd, fc.constantFrom(...actions)),
      number: fc.option(fc.nat(20), { nil: undefined }),
      subject: odd,
      refresh: fc.boolean(),
    })
    .filter(({ action, subject }) => !action.includes(':') && [...action, ...subject].length < 80)
    .map(writeCustomId);
  const mutated = fc
    .tuple(fc.constantFrom(...written), fc.nat(99), fc.nat(3), fc.string({ maxLength: 4 }))
    .map(([[id], at, gone, put]) => id.slice(0, at) + put + id.slice(at + gone));
  const values = fc.oneof(
    fc.array(odd, { maxLength: 3 }),
    fc.constantFrom(...written.map(([, picked]) => picked)),
  );

  test('that is unknown or was tampered with is refused, or answered: 2000 of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(foreign, mutated, odd), values, fc.boolean(), async (id, picked, knows) => {
        const reply = await press(id, picked, knows ? contexts.known : contexts.unknown);
        if (reply !== null) expect(breaches(reply)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
