/** The reading of a watch right now, looked up for the person who makes it. */

import { ServiceError, toFault } from '../../../src/base/errors.ts';
import { slotsOf } from '../../../src/cards/servers/server-lines.ts';
import type { Outage } from '../../../src/community/history/history.ts';
import type { Service } from '../../../src/service/client.ts';
import { car, live, overview, profile } from '../../../src/service/endpoints.ts';
import type { Answer, Dated } from '../../../src/service/models/dated.ts';
import { type Fact, type Facts, noFacts } from '../../../src/service/models/facts.ts';
import { type LiveServer, type LiveStatus, liveServer } from '../../../src/service/models/live-status.ts';
import { readCondition, type WatchFacts, type WatchReading } from '../models/readings.ts';
import { namesDrivers, type Snapshot, takeSnapshot } from '../models/snapshot.ts';
import type { Watch } from '../models/watch.ts';

/** A condition on a server that could never be met. */
interface ImpossibleCount {
  readonly kind: 'never';
  readonly server: string;
  /** How many it has; null where the service does not say. */
  readonly slots: number | null;
}

/** The outages of a server within the last day, oldest first; null: of the data service. */
export type AskOutages = (server: string | null) => Promise<readonly Outage[]>;

/** The condition with names as the service spells them, and what it says now. */
export async function lookNow(
  condition: Watch['condition'],
  about: { readonly service: Service; readonly now: number; readonly outages: AskOutages },
): Promise<
  Pick<Watch, 'condition'> & {
    readonly reading: WatchReading | null;
    readonly isSlow: boolean;
    readonly never?: ImpossibleCount | null;
  }
> {
  const { service, now, outages } = about;
  const nothing: WatchFacts = {
    car: null,
    profile: null,
    outages: new Map(),
    now,
    snapshot: takeSnapshot(noFacts, now),
    namesDrivers: false,
  };
  const read = (known: Partial<WatchFacts>) => ({
    condition,
    reading: readCondition(condition, { ...nothing, ...known }),
    isSlow: false,
  });
  switch (condition.kind) {
    case 'driver': {
      const player = await service.get(profile, { username: condition.player });
      const snapshot = takeSnapshot(await polled(service, false), now);
      const areDriversNamed = namesDrivers(snapshot);
      const sources = { ...nothing, snapshot, profile: current(player) };
      const spelled = { ...condition, player: player.record.username };
      return {
        condition: spelled,
        // If no file can be read, only the profile is left.
        reading:
          readCondition(spelled, { ...sources, namesDrivers: areDriversNamed }) ??
          readCondition(spelled, sources),
        isSlow: areDriversNamed === false,
      };
    }
    case 'mine':
      return read({ profile: current(await service.get(profile, { username: condition.player })) });
    case 'car': {
      const one = current(await service.get(car, { vin: condition.vin }));
      // The service has been seen to answer with another car.
      return read({ car: one?.record.vin.trim() === condition.vin ? one : null });
    }
    case 'outage':
      return read({ outages: new Map([[condition.server, await outages(condition.server)]]) });
    case 'server': {
      const snapshot = takeSnapshot(await polled(service, true), now);
      return { ...read({ snapshot }), never: neverMet(condition, snapshot) };
    }
    case 'duty':
      return read({ snapshot: takeSnapshot(await polled(service, false), now) });
  }
}

/** Only what the service says now shows it: a server may be away, or the service may not answer. */
function neverMet(
  { server, free, drivers }: Extract<Watch['condition'], { kind: 'server' }>,
  { judged: { overview, live } }: Snapshot,
): ImpossibleCount | null {
  if (overview?.isStale !== false) return null;
  const listed = overview.record.find(({ name }) => name === server);
  const file = liveServer(server);
  // The overview leaves out the fourth server, even if it is up.
  const isUp = listed?.online ?? (file !== null && live[file]?.isStale === false);
  if (!isUp) return null;
  const slots = listed === undefined ? null : slotsOf(listed);
  if (slots === null) return free === null ? null : { kind: 'never', server, slots };
  return Math.max(free ?? 0, drivers ?? 0) > slots ? { kind: 'never', server, slots } : null;
}

function current<T>(answer: Answer<T>): Dated<T> | null {
  return answer.stale === null ? answer : null;
}

/** The live files, which cost no budget, and if needed the overview. What fails is missing. */
async function polled(service: Service, withOverview: boolean): Promise<Facts> {
  const file = async (server: LiveServer): Promise<Fact<LiveStatus> | null> => {
    const answer = await toFault(service.get(live, { server }));
    return answer instanceof ServiceError ? null : answer;
  };
  const [one, two, three, four] = await Promise.all([file('one'), file('two'), file('three'), file('four')]);
  const servers = withOverview ? await toFault(service.get(overview, {})) : null;
  return {
    overview: servers instanceof ServiceError ? null : servers,
    live: { one, two, three, four },
    chat: null,
  };
}
