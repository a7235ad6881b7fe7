/** The sources of boards, history, alerts and the status line, each with its polling interval. */
import type { Clock } from '../../base/clock.ts';
import { doubled, MINUTE, SECOND } from '../../base/duration.ts';
import type { Service } from '../client.ts';
import { chatStatus, live, overview } from '../endpoints.ts';
import type { ChatStatus } from '../models/chat-status.ts';
import type { LiveServer, LiveStatus } from '../models/live-status.ts';
import type { Overview } from '../models/overview.ts';
import { createPolledSource, type PolledSource, type PollOutcome } from './polled-source.ts';

/** `live`: the keyless files, which cost no budget. `overview` and `members` do. */
export type Source = 'live' | 'overview' | 'members';

export interface Sources {
  readonly files: Readonly<Record<LiveServer, PolledSource<LiveStatus>>>;
  readonly overview: PolledSource<Overview>;
  readonly members: PolledSource<ChatStatus>;
}

export interface SourcesSettings {
  readonly service: Service;
  readonly clock: Clock;
  /** Milliseconds between polls of one live file. */
  readonly liveEvery: () => number;
  /** Called after each answer or failure. */
  readonly changed: (source: Source) => void;
  /** A bug; polling continues. */
  readonly failed: (error: unknown) => void;
}

/** A change must show within four seconds; the file changes every second and costs no budget. */
export const LIVE_EVERY = 2 * SECOND;
const LIVE = { most: 12 * SECOND, never: MINUTE };
const BUDGETED = { first: MINUTE, longest: 5 * MINUTE };

export function createSources(settings: SourcesSettings): Sources {
  const { service } = settings;
  const file = (server: LiveServer): PolledSource<LiveStatus> =>
    createPolledSource({
      ...settings,
      changed: () => settings.changed('live'),
      doubtFirst: true,
      ask: async (priority) => {
        const answer = await service.get(live, { server }, { priority });
        // The time is passed beside the record; inside it, no two records would be equal.
        const record = { ...answer.record, time: null };
        return { ...answer, record, stated: answer.record.time };
      },
      pace: (outcome, failures, everKnown) => {
        const isAlone = Object.values(files).some(({ known }) => known !== null) && !everKnown;
        return livePace(settings.liveEvery(), { outcome, failures, isExpected: !isAlone });
      },
      isEmpty: ({ players }) => players.length === 0,
    });
  const files = { one: file('one'), two: file('two'), three: file('three'), four: file('four') };
  return {
    files,
    overview: createPolledSource({
      ...settings,
      changed: () => settings.changed('overview'),
      doubtFirst: false,
      ask: (priority) => service.get(overview, {}, { priority }),
      pace: budgetedPace,
      isEmpty: (record) => record.every(({ guests }) => (guests ?? 0) === 0),
    }),
    members: createPolledSource({
      ...settings,
      changed: () => settings.changed('members'),
      doubtFirst: false,
      ask: (priority) => service.get(chatStatus, {}, { priority }),
      pace: budgetedPace,
      isEmpty: ({ members }) => members.length === 0,
    }),
  };
}

/** A file that never existed while others do is polled rarely; any other failing file soon. */
function livePace(
  every: number,
  {
    outcome,
    failures,
    isExpected,
  }: { readonly outcome: PollOutcome; readonly failures: number; readonly isExpected: boolean },
): number {
  if (outcome === 'fresh') return every;
  return doubled({ first: every, longest: isExpected ? LIVE.most : LIVE.never }, failures - 1);
}

/** Without budget, it is polled less often. */
function budgetedPace(outcome: PollOutcome, failures: number): number {
  const isShort = outcome === 'over-budget' || outcome === 'refused';
  return isShort ? doubled(BUDGETED, failures) : BUDGETED.first;
}
