import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError, UserError } from '../../src/base/errors.ts';
import { readCustomId, writeCustomId } from '../../src/cards/kit/custom-id.ts';
import { findPressedAction } from '../../src/command-kit/action.ts';
import type { Context } from '../../src/command-kit/context.ts';
import type { Reply } from '../../src/command-kit/reply.ts';
import { addShareButton } from '../../src/discord/interactions/share.ts';
import { listFacts, loadCommands } from '../../src/discord/publish/load.ts';
import { breaches } from '../support/embed-limits.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { rowsOf } from '../support/readable.ts';
import { tellingSituations } from '../support/situations.ts';
import { createTranslators } from '../support/translators.ts';
import { hostile } from '../text/in-game.ts';

const commands = await loadCommands(new URL('../../commands/', import.meta.url));
const translatorFor = createTranslators();
const [situation] = tellingSituations;
if (situation === undefined) throw new Error('no situation');

/** Where all is known, as after a restart. */
const afresh = () =>
  situation.contextOf(translatorFor('en-GB'), { translatorFor, commands: listFacts(commands) });
const notFound = async () => Promise.reject(new ServiceError('not-found', { endpoint: 'car', sent: 'yes' }));
const contexts = { known: afresh(), unknown: { ...afresh(), service: { get: notFound } } };

/** A reply, or null for a refusal with a message. Anything else is a bug. */
async function press(id: string, values: readonly string[], context: Context): Promise<Reply | null> {
  const read = readCustomId(id);
  const actions = read === null ? undefined : commands.get(read.command)?.actions;
  const run = read === null || actions === undefined ? null : findPressedAction(actions, read, values);
  // Left to the dispatch, which tells that the button is an old one.
  if (run === null) return null;
  try {
    return await run(context);
  } catch (error) {
    if (error instanceof UserError || error instanceof ServiceError) return null;
    throw new Error(`${id} with ${JSON.stringify(values)}: ${String(error)}`, { cause: error });
  }
}

/** The ids on every card that can be pressed, wherever they lead, with what a menu offers first. */
const written = [
  ...new Map(
    (await everyAnswer(commands, 'en-GB', translatorFor, [situation]))
      .flatMap((answered) => ('reply' in answered ? rowsOf(answered.reply) : []))
      .flatMap(({ components }) => components.filter(({ disabled }) => !disabled))
      .map(
        ({ custom_id: id, options }) => [id, options?.[0] === undefined ? [] : [options[0].value]] as const,
      ),
  ),
];

describe('a button', () => {
  test('of any card leads as far a restart later: all that it needs is in its id', async () => {
    const fresh = afresh();
    expect(written.length).toBeGreaterThan(300);
    for (const [id, values] of written) {
      const [reply, later] = [await press(id, values, contexts.known), await press(id, values, fresh)];
      expect(later === null, id).toBe(reply === null);
      expect(later === null ? [] : breaches(later), id).toEqual([]);
    }
  });

  test('that refreshes leaves a place for one that shares the same view', async () => {
    const refreshing = written.filter(([id]) => readCustomId(id)?.refresh);
    expect(refreshing.length).toBeGreaterThan(20);
    for (const [id] of refreshing) {
      const shared = addShareButton((await press(id, [], contexts.known)) ?? {}, contexts.known.t);
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
    ['1:profile:refresh-licences:k3nny', true],
    ['1:car:refresh:AB12C', true],
    ['1:garage:km-2:k3nny', false],
    ['1:garage:refresh-condition-0:k3nny', true],
    ['1:options:show:k3nny', false],
    ['1:options:refresh:k3nny', true],
    ['1:compare:show-5:k3nnymad_max', false],
    ['1:compare:refresh-5:k3nnymad_max', true],
    ['1:duty:refresh:', true],
    ['1:slots:refresh:', true],
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
    ['1:car:opencondition-0:k3nny', 'AB12C'],
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

test.each(['constructor', 'toString', '__proto__'])(
  'a button called %s leads to no action of any command',
  (action) => {
    for (const { actions } of commands.values())
      expect(findPressedAction(actions ?? {}, { action, number: 0, subject: '' }, [])).toBeNull();
  },
);
