import { z } from 'zod';
import type { Json } from './json.ts';
import type { World } from './world.ts';

/** An operation's result: the record, or a refusal. */
type Reply = { readonly status: 200; readonly body: Json } | Problem;

/** Sent as the documented error body: `errorCode` and `errorMessage`. */
interface Problem {
  readonly status: 400 | 403 | 404 | 405 | 501;
  readonly message: string;
}

export type Operation = (world: World, query: URLSearchParams) => Reply;

/** Flags are 0 or 1; 0 by default. */
const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((digit) => digit === '1');
const text = z.string().min(1);

/** Validates the parameters first. The last one of a name counts. */
function operation<Params>(
  params: z.ZodType<Params>,
  answer: (world: World, params: Params) => Reply,
): Operation {
  return (world, query) => {
    const checked = params.safeParse(Object.fromEntries(query));
    if (checked.success) return answer(world, checked.data);
    const names = checked.error.issues.map(({ path }) => path.join('.'));
    return { status: 400, message: `bad request: ${names.join(', ')}` };
  };
}

const found = (body: Json | null, what: 'user' | 'car'): Reply =>
  body === null ? { status: 404, message: `Unknown ${what}` } : { status: 200, body };

const overviewNames = ['one', 'two', 'three', 'events', 'training'] as const;

/** The operations that need a key, by their path below the game's segment. */
export const gameOperations: ReadonlyMap<string, Operation> = new Map([
  [
    'profile/get',
    operation(
      z.object({ username: text, stats: flag, cars: flag, licenses: flag, upgrades: flag, properties: flag }),
      (world, { username, ...flags }) => found(world.profile(username, flags), 'user'),
    ),
  ],
  [
    'profile/getopts',
    operation(z.object({ username: text }), (world, { username }) => found(world.options(username), 'user')),
  ],
  [
    'carinfo',
    operation(z.object({ vin: text, preowners: flag, upgrades: flag }), (world, { vin, ...flags }) =>
      found(world.car(vin, flags), 'car'),
    ),
  ],
  [
    'live/status',
    operation(z.object({ server: z.enum(['all', ...overviewNames]) }), (world, { server }) => ({
      status: 200,
      body:
        server === 'all'
          ? Object.fromEntries(overviewNames.map((name) => [name, world.overview(name)]))
          : world.overview(server),
    })),
  ],
  ['stats/online', operation(z.object({}), (world) => ({ status: 200, body: world.online() }))],
]);

/** The status of the chat server: needs a key, and stands outside the game's segment. */
export const chatOperation = operation(z.object({}), (world) => ({ status: 200, body: world.chat() }));
