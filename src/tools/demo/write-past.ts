import { features } from '../../../commands/subjects.ts';
import { systemClock } from '../../base/clock.ts';
import { DAY, MINUTE, SECOND } from '../../base/duration.ts';
import { createLog } from '../../base/log.ts';
import { sumBy } from '../../base/sum-by.ts';
import { keepRecentNames } from '../../command-kit/names/recent-names.ts';
import { createLinks } from '../../community/accounts/links.ts';
import {
  type Figures,
  type Offer,
  overlapOf,
  type ProfileReading,
  type Stretch,
} from '../../community/history/history.ts';
import { writePast as writeHistory } from '../../community/history/past.ts';
import type { NamedRun } from '../../community/history/runs.ts';
import type { DriverSession } from '../../community/history/sessions.ts';
import type { DemoGuild, Feature } from '../../features/feature.ts';
import type { CarOffer, DriverRecord } from '../../sandbox/service/data-service.ts';
import type { PastStay, WorldPast } from '../../sandbox/service/world/past.ts';
import { ledgerTables } from '../../service/budget/ledger/tables.ts';
import { LiveServer } from '../../service/models/live-status.ts';
import { openStore } from '../../store/open.ts';
import { historyFile } from '../../store/sqlite/copies.ts';
import { historyFormat } from '../../store/sqlite/format.ts';
import { openSqliteHistory } from '../../store/sqlite/history.ts';
import { prepareFile } from '../../store/sqlite/prepare-file.ts';

/** How far back prices reach, in days. */
const OFFER_DAYS = 23;
/** How far back the readings of profiles reach, and how often there is one. */
const READINGS = { days: 28, every: 3 };

interface Community {
  readonly past: WorldPast;
  readonly since: number;
  readonly until: number;
  /** Their figures as they are now. */
  readonly records: readonly DriverRecord[];
  /** The cars that are for sale now. */
  readonly offers: readonly CarOffer[];
}

/**
 * Gives the bot a year to remember: what it would have written if it had watched this community. It goes into the
 * bot's own file before the bot starts, so that the bot is the one that everybody runs.
 */
export async function writePast(
  storeFile: string,
  { past, since, until, records, offers }: Community,
): Promise<void> {
  const file = historyFile(storeFile);
  prepareFile(file, historyFormat).close();
  const seenOf = (stays: readonly PastStay[]) => stays.flatMap((stay) => toSeenSession(stay, past.outages));
  const byDriver = Map.groupBy([...past.stays, ...past.underWay], ({ driver }) => driver);
  const readings = records.map((record) => ({
    driver: record.username,
    readings: readingsOf(record, byDriver.get(record.username) ?? [], until),
  }));
  const history = openSqliteHistory(file);
  await writeHistory(
    {
      sessions: seenOf(past.stays),
      underWay: seenOf(past.underWay),
      runs: LiveServer.options.flatMap((name) => runsOf(name, past, { since, until })),
      readings,
      offers: seenOffers(offers, until),
      holes: past.outages,
      since,
      until,
    },
    history,
  );
  history.close();
}

/** Writes the drivers' names, as the live files of that year would have told them, members' links, and what features store. */
export async function writeMemory(
  storeFile: string,
  records: readonly DriverRecord[],
  guild: DemoGuild,
): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const log = createLog({ level: 'warn', secrets: [] });
  const runtime = { clock: systemClock, log, resources };
  const store = await openStore(
    { kind: 'sqlite', file: storeFile },
    ledgerTables,
    { shards: 'auto', standBy() {} },
    runtime,
  );
  const names = await keepRecentNames(store, runtime);
  const players = records.map(({ username }) => username);
  names.learn({ players, vins: [], nicknames: records }, systemClock.now());
  const links = createLinks(store.documents);
  for (const { person, username } of guild.members)
    if (username !== null) await links.set(person, { username, since: systemClock.now() - 30 * DAY });
  for (const feature of Object.values<Feature>(features))
    await feature.writeDemo?.(store.documents, guild, systemClock.now());
}

/** A server is down now and then, where nobody was on it: every so many of the gaps in its stays, for so long in ms. */
const DOWN = { every: 13, longest: 40 * MINUTE };

/** A server was up whenever it was watched, but for a few outages. */
function runsOf(
  name: LiveServer,
  { stays, outages: holes }: WorldPast,
  { since, until }: Pick<Community, 'since' | 'until'>,
): readonly NamedRun[] {
  const gaps: Stretch[] = [];
  let empty = since;
  for (const stay of stays.filter(({ server }) => server === name)) {
    const length = Math.min(stay.from - empty, DOWN.longest) / (1 + (gaps.length % 3));
    if (stay.from - empty >= DOWN.longest) gaps.push({ from: empty, to: empty + length });
    empty = Math.max(empty, stay.to);
  }
  const isSeen = (gap: Stretch): boolean => !holes.some(({ from, to }) => from < gap.to && to > gap.from);
  const downs = gaps
    .filter((gap, index) => index % DOWN.every === 0 && isSeen(gap))
    .map((gap) => ({ ...gap, isDown: true }));
  const events = [...downs, ...holes.map((hole) => ({ ...hole, isDown: false }))];
  const runs: NamedRun[] = [];
  let from = since;
  for (const event of events.toSorted((a, b) => a.from - b.from)) {
    if (event.from > from) runs.push({ name, isUp: true, from, to: event.from });
    if (event.isDown) runs.push({ name, isUp: false, from: event.from, to: event.to });
    from = Math.max(from, event.to);
  }
  return [...runs, { name, isUp: true, from, to: until }];
}

/** Returns offers as if each had been looked up once, on some day of the last weeks. */
function seenOffers(offers: readonly CarOffer[], until: number): readonly Offer[] {
  return offers.map((offer, index) => ({
    ...offer,
    at: until - (1 + ((index * 5) % OFFER_DAYS)) * DAY,
    gone: null,
  }));
}

/** The part of a stay that could be seen: an outage hides what happens in it, a stay's beginning or end included. */
function toSeenSession(
  { driver, server, from, to, role }: PastStay,
  outages: WorldPast['outages'],
): readonly DriverSession[] {
  const begins = outages.find((outage) => from >= outage.from && from < outage.to);
  const ends = outages.find((outage) => to > outage.from && to <= outage.to);
  const first = begins?.to ?? from;
  const last = ends?.from ?? to;
  if (last <= first) return [];
  const hiddenMs = sumBy(outages, (outage) => overlapOf(outage, { from: first, to: last }));
  const played = last - first - hiddenMs;
  const dutyTime = (of: PastStay['role']): number => (role === of ? played : 0);
  const duty = { police: dutyTime('cop'), medic: dutyTime('med'), tow: dutyTime('tow') };
  const knownEnds = { startKnown: begins === undefined, endKnown: ends === undefined };
  return [{ driver, session: { from: first, to: last, server, played, duty, ...knownEnds } }];
}

/** Backwards from the figures of now: each is less by the share that was played since, in the role that it is of. */
function readingsOf(
  { joined, figures: now }: DriverRecord,
  stays: readonly PastStay[],
  until: number,
): readonly ProfileReading[] {
  const all = now['gaming_time_total'] ?? 0;
  const police = now['gaming_time_cop'] ?? 0;
  const times = Array.from(
    { length: Math.floor(READINGS.days / READINGS.every) + 1 },
    (_reading, index) => until - index * READINGS.every * DAY,
  );
  return times
    .filter((at) => at > joined)
    .toReversed()
    .map((at) => {
      const later = stays.filter(({ to }) => to > at);
      const seconds = (of: readonly PastStay[]): number =>
        sumBy(of, ({ from, to }) => (to - Math.max(from, at)) / SECOND);
      const [played, asPolice] = [seconds(later), seconds(later.filter(({ role }) => role === 'cop'))];
      const figureBefore = (name: keyof Figures, since: number, of: number): number =>
        Math.round((now[name] ?? 0) * (of === 0 ? 1 : Math.max(0, 1 - since / of)));
      return {
        at,
        figures: {
          money: Math.max(0, Math.round((now['money'] ?? 0) - (played / 3600) * 900)),
          driven_distance: figureBefore('driven_distance', played, all),
          chases_won_cop: figureBefore('chases_won_cop', asPolice, police),
          chases_won_robber: figureBefore('chases_won_robber', played - asPolice, all - police),
          gaming_time_total: figureBefore('gaming_time_total', played, all),
          gaming_time_cop: figureBefore('gaming_time_cop', asPolice, police),
        },
      };
    });
}
