import type { Fault } from '../../../src/base/errors.ts';
import { createMetrics } from '../../../src/bot/operator/metrics.ts';
import type { Sample } from '../../../src/bot/operator/sample.ts';
import type { BoardStatus } from '../../../src/cards/board/board.ts';
import type { Result } from '../../../src/discord/interactions/failure.ts';
import { loadCommands } from '../../../src/discord/publish/load.ts';
import type { RequestResult } from '../../../src/discord/rest/request-count.ts';
import type { RequestFailure } from '../../../src/messages/boards/channels.ts';
import type { SendOutcome } from '../../../src/messages/outbox/message.ts';
import { endpoints } from '../../../src/service/endpoints.ts';
import { processSample, sample } from './samples.ts';

const commands = [...(await loadCommands(new URL('../../../commands/', import.meta.url))).keys()];
// Objects, so that a value that is added to a type is missed here.
const outcomes = keysOf({ answered: 0, declined: 0, unavailable: 0, failed: 0 } satisfies Record<Result, 0>);
const faults: Readonly<Record<Fault, 0>> = {
  ...{ 'not-found': 0, unauthorised: 0, 'over-budget': 0, 'no-turn': 0 },
  ...{ 'store-away': 0, unavailable: 0, rejected: 0, 'bad-response': 0 },
};
const modes: Readonly<Record<BoardStatus['mode'], 0>> = {
  ...{ live: 0, 'partly-stale': 0, stale: 0, 'no-data': 0, paused: 0, starting: 0 },
};
const writes: Readonly<Record<'ok' | RequestFailure['kind'], 0>> = {
  ...{ ok: 0, 'unknown-message': 0, 'unknown-channel': 0, forbidden: 0, 'two-factor': 0, 'too-fast': 0 },
  ...{ blocked: 0, refused: 0, lost: 0 },
};

const sendOutcomes: Readonly<Record<SendOutcome, 0>> = {
  ...{ sent: 0, 'perhaps-sent': 0, unsent: 0, refused: 0, closed: 0, gone: 0, rights: 0 },
};
const requestResults: Readonly<Record<RequestResult, 0>> = {
  ...{ ok: 0, unauthorised: 0, limited: 0, refused: 0, failed: 0, lost: 0 },
};

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table).filter((key): key is Key => Object.hasOwn(table, key));
}

/** Without the key nothing waits for the budget and its store, and without a name nothing is unknown. */
function faultsOf({
  keyed,
  asksByName,
}: {
  readonly keyed: boolean;
  readonly asksByName: boolean;
}): readonly Fault[] {
  return keysOf(faults).filter((fault) =>
    fault === 'not-found' ? asksByName : keyed || !['no-turn', 'store-away'].includes(fault),
  );
}

/** Everything that can happen has happened. */
export const eventful: Sample = {
  ...sample,
  calls: {
    counts: keysOf(endpoints).flatMap((endpoint) =>
      (['answered', ...faultsOf(endpoints[endpoint])] as const).map((result) => ({
        endpoint,
        result,
        count: 7,
      })),
    ),
    cache: { asked: 100, fetched: 30 },
  },
  messages: new Map(keysOf(sendOutcomes).map((outcome) => [outcome, 5])),
  requests: new Map(keysOf(requestResults).map((result) => [result, 9])),
  boards: {
    statuses: keysOf(modes).map((mode) => ({ mode, paused: null, checked: sample.now - 30_000 })),
    writes: new Map(keysOf(writes).map((outcome) => [outcome, 3])),
  },
};

export async function eventfulText(): Promise<string> {
  const metrics = createMetrics();
  for (const command of commands)
    for (const outcome of outcomes) metrics.count({ command, outcome, acknowledgedAfter: 120 });
  for (const outcome of ['declined', 'failed'] as const)
    metrics.count({ command: 'unknown', outcome, acknowledgedAfter: 120 });
  metrics.delayed({ count: 1, longestMs: 3, atMost: () => 1 });
  return metrics.text(eventful, processSample);
}
