/** A community with alerts on virtual time: the real rounds, rules, store and client over a made-up data service. */
import { Keyv } from 'keyv';
import { createPauseNotices } from '../../../../commands/alerts/jobs/pause-notices.ts';
import { createWatchRounds } from '../../../../commands/alerts/jobs/watch-rounds.ts';
import { newWatchState } from '../../../../commands/alerts/models/observe.ts';
import { newWatchId, type Watch } from '../../../../commands/alerts/models/watch.ts';
import { createWatches } from '../../../../commands/alerts/models/watches.ts';
import { HOUR, MINUTE, SECOND } from '../../../../src/base/duration.ts';
import { createListeners } from '../../../../src/base/listeners.ts';
import { createLog } from '../../../../src/base/log.ts';
import { createRuns } from '../../../../src/base/runs.ts';
import { createCache } from '../../../../src/service/cache/cache.ts';
import type { Layer } from '../../../../src/service/call.ts';
import { createClient } from '../../../../src/service/client.ts';
import { car, type Observation, profile } from '../../../../src/service/endpoints.ts';
import { createLookUps } from '../../../../src/service/look-ups.ts';
import { mostWithin, mulberry32 } from '../../../sim/simulation.ts';
import { VirtualTime } from '../../../sim/virtual-time.ts';
import { documentsInMemory } from '../../../support/documents-in-memory.ts';
import { openTo, outboxOver } from '../../../support/messages.ts';
import { liveFile, servers } from '../../../support/records.ts';
import { createTranslators } from '../../../support/translators.ts';
import { unrestricted } from '../support/watches.ts';

const ROUND = 15 * SECOND;

export interface WatchSetting {
  readonly hours: number;
  readonly drivers: number;
  readonly watches: number;
  /** Profiles and cars that people look up in an hour. */
  readonly lookUps: number;
  /** Profiles that are wanted once a day beside them. */
  readonly daily: number;
  /** Whether the live files name their drivers. Where they do not, profiles have to say who is online. */
  readonly named: boolean;
  readonly seed: number;
}

export interface WatchOutcome {
  /** The most requests within any hour. */
  readonly mostCars: number;
  readonly mostProfiles: number;
  readonly mostInAll: number;
  /** On average, in an hour. */
  readonly mean: number;
  readonly alerts: number;
  /** The most messages to one place within any 24 hours. */
  readonly mostADay: number;
  readonly failures: readonly unknown[];
}

export async function simulateWatches(setting: WatchSetting): Promise<WatchOutcome> {
  const time = new VirtualTime(Date.UTC(2026, 2, 2, 6));
  const uninstall = time.install();
  try {
    return await run(setting, time);
  } finally {
    uninstall();
  }
}

async function run(setting: WatchSetting, time: VirtualTime): Promise<WatchOutcome> {
  const random = mulberry32(setting.seed);
  const { clock } = time;
  const community = createCommunity(setting, random);
  const asked: { readonly at: number; readonly endpoint: string }[] = [];
  const failures: unknown[] = [];
  const transport: Layer = async ({ endpoint, query, priority, pickUsedPart, onFetched }) => {
    await new Promise<void>((resolve) => clock.after(50, resolve));
    if (priority === 'background') asked.push({ at: time.elapsed, endpoint });
    const body = pickUsedPart(community.answer(endpoint, query));
    const fetched = { body, asOf: clock.now(), stale: null, rate: null };
    onFetched?.(fetched);
    return fetched;
  };
  const cached = createCache({
    keyv: new Keyv(),
    shared: false,
    clock,
    onBug: (error) => failures.push(error),
  });
  const observations = createListeners<[Observation, number]>();
  const service = createClient({
    layer: cached(transport),
    places: { game: 'drivesim', chatPath: 'chat_status' },
    onObservation: observations.call,
  });

  const documents = documentsInMemory(clock.now);
  const watches = createWatches(documents);
  for (const watch of community.watches) await watches.add({ watch, state: newWatchState });
  const sent: { readonly at: number; readonly to: string }[] = [];
  const translatorFor = createTranslators();
  const failed = (error: unknown): void => void failures.push(error);
  const { outbox } = outboxOver(
    openTo(async ({ to }) => {
      sent.push({ at: time.elapsed, to: JSON.stringify(to) });
      return 'sent';
    }),
    { documents, clock, log: createLog({ level: 'warn', secrets: [], stream: { write: failed } }) },
  );
  const rounds = createWatchRounds({
    ...unrestricted,
    watches,
    pauseNotices: createPauseNotices(documents),
    clock,
    poll: {
      get facts() {
        return community.facts(clock.now());
      },
      watch: () => () => {},
    },
    outbox,
    runs: createRuns(clock, failed),
    translatorOf: async ({ locale }) => translatorFor(locale),
  });
  observations.listen(rounds.observed);
  const lookUps = createLookUps({ service, observations, clock, onFailure: failed });
  lookUps.want(rounds.subjects);
  // Members with rules for roles, and the leaders of rankings: once a day each.
  const daily = Array.from({ length: setting.daily }, (_, index) => ({
    ...{ kind: 'profile' as const, name: `driver${index}`, every: 24 * HOUR, isUrgent: false, knownAt: null },
  }));
  lookUps.want(() => daily);

  const every = (ms: () => number, work: () => void): void => {
    clock.after(ms(), () => {
      work();
      every(ms, work);
    });
  };
  every(
    () => MINUTE,
    () => community.live(MINUTE),
  );
  every(
    () => ROUND,
    () => void rounds.round().then(outbox.round).catch(failed),
  );
  if (setting.lookUps > 0)
    every(
      () => (-Math.log(1 - random()) * HOUR) / setting.lookUps,
      () => {
        const work =
          random() < 0.5
            ? service.get(profile, { username: community.anyDriver() })
            : service.get(car, { vin: community.anyCar() });
        work.catch(failed);
      },
    );
  await time.pass(setting.hours * HOUR);

  const times = (endpoint?: string): number[] =>
    asked.filter((one) => endpoint === undefined || one.endpoint === endpoint).map(({ at }) => at);
  const byPlace = Map.groupBy(sent, ({ to }) => to);
  return {
    mostCars: mostWithin(times('car'), HOUR),
    mostProfiles: mostWithin(times('profile'), HOUR),
    mostInAll: mostWithin(times(), HOUR),
    mean: asked.length / setting.hours,
    alerts: sent.length,
    mostADay: Math.max(
      0,
      ...[...byPlace.values()].map((all) =>
        mostWithin(
          all.map(({ at }) => at),
          24 * HOUR,
        ),
      ),
    ),
    failures,
  };
}

/** Drivers who come and go, cars that are put up for sale and taken off again, licences that run out. */
function createCommunity({ drivers, watches: count, named }: WatchSetting, random: () => number) {
  const people = Array.from({ length: drivers }, (_, index) => ({
    name: `driver${index}`,
    vin: vinOf(index),
    isOnline: random() < 0.2,
    isOnSale: random() < 0.1,
    condition: 40 + random() * 60,
    isPolice: random() < 0.15,
    licenceUntil: Date.now() + random() * 60 * 24 * HOUR,
  }));
  const pick = () => people[Math.floor(random() * people.length)] ?? people[0];
  let drawn: ReturnType<typeof draw> | null = null;
  const found = (name: string) => people.find((one) => one.name === name || one.vin === name);

  return {
    watches: Array.from({ length: count }, (_, index) => watchOf(index, drivers)),
    anyDriver: () => pick()?.name ?? '',
    anyCar: () => pick()?.vin ?? '',
    live(ms: number): void {
      const hours = ms / HOUR;
      drawn = null;
      for (const one of people) {
        if (random() < hours * (one.isOnline ? 0.8 : 0.2)) one.isOnline = !one.isOnline;
        if (random() < hours * 0.02) one.isOnSale = !one.isOnSale;
        one.condition =
          random() < hours * 0.02 ? 100 : Math.max(5, one.condition - (one.isOnline ? hours * 3 : 0));
        if (one.licenceUntil < Date.now()) one.licenceUntil += 60 * 24 * HOUR;
      }
    },
    answer(endpoint: string, query: Readonly<Record<string, string>>): unknown {
      const one = found(endpoint === 'car' ? (query['vin'] ?? '') : (query['username'] ?? ''));
      if (one === undefined) throw new Error(`nobody asks for ${JSON.stringify(query)}`);
      const { name: username, vin, condition } = one;
      if (endpoint === 'car')
        return {
          vin,
          owner: username,
          type: 'XRT',
          isOnMarket: one.isOnSale,
          marketPrice: one.isOnSale ? 50_000 : 0,
        };
      const licenses = [{ name: 'Truck', validUntil: Math.round(one.licenceUntil / 1000) }];
      return { username, isOnline: one.isOnline, cars: [{ vin, type: 'XRT', condition }], licenses };
    },
    facts(now: number) {
      drawn ??= draw();
      const { record, overview } = drawn;
      return {
        overview: { record: overview, asOf: now },
        live: { one: { record, asOf: now }, two: null, three: null, four: null },
        chat: null,
      };
    },
  };

  /** What the service says of them all, until somebody comes or goes. */
  function draw() {
    const driving = people.filter(({ isOnline }) => isOnline);
    const file = liveFile(
      named
        ? {
            n: 'One',
            ps: Object.fromEntries(driving.map(({ name }, index) => [index, { un: name, u: index }])),
          }
        : {
            server: 'One',
            players: Object.fromEntries(driving.map(({ isPolice }, index) => [index, { cop: isPolice }])),
          },
    );
    return {
      record: { ...file, time: null },
      overview: servers({ one: { online: true, guests: driving.length, maxGuests: 80 } }),
    };
  }
}

function vinOf(index: number): string {
  return `V${String(index).padStart(4, '0')}`;
}

/** Of ten watches four are of drivers, two of cars and two of own cars and licences; each person has five. */
function watchOf(index: number, drivers: number): Watch {
  const subject = (index * 7) % drivers;
  const conditions: readonly Watch['condition'][] = [
    { kind: 'driver', player: `driver${subject}` },
    { kind: 'car', vin: vinOf(subject), below: null },
    { kind: 'mine', player: `driver${subject}`, below: 50 },
    { kind: 'driver', player: `driver${(subject + 1) % drivers}` },
    { kind: 'duty', duty: 'police', atLeast: 5 },
    { kind: 'driver', player: `driver${(subject + 2) % drivers}` },
    { kind: 'car', vin: vinOf((subject + 3) % drivers), below: 60_000 },
    { kind: 'mine', player: `driver${(subject + 4) % drivers}`, below: 60 },
    { kind: 'driver', player: `driver${(subject + 5) % drivers}` },
    { kind: 'server', server: 'one', free: 10, drivers: null },
  ];
  const condition = conditions[index % conditions.length] ?? { kind: 'duty', duty: 'medic', atLeast: 1 };
  const person = String(1000 + Math.floor(index / 5));
  return {
    ...{ id: newWatchId(), person, place: { kind: 'direct' }, condition },
    ...{ locale: 'en-GB', zone: 'Europe/London', atNight: index % 3 === 0, since: Date.now() + index },
    ...{ snoozedUntil: null, paused: null, once: null },
  };
}
