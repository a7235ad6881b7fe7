import { DAY, HOUR } from '../../base/duration.ts';
import type { Figures, Offer, ProfileReading } from '../../history/history.ts';
import { type PastSession, pastChunks } from '../../history/past.ts';
import type { CarOffer, DriverRecord } from '../../sandbox/service/data-service.ts';
import type { PastStay, WorldPast } from '../../sandbox/service/world/past.ts';
import { historyFile } from '../../store/sqlite/copies.ts';
import { openSqliteHistoryChunks } from '../../store/sqlite/history-chunks.ts';
import { prepareHistory } from '../../store/sqlite/prepare-file.ts';

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
  prepareHistory(file);
  const sessions = past.stays.flatMap((stay) => seen(stay, past.outages));
  const byDriver = Map.groupBy(past.stays, ({ driver }) => driver);
  const readings = records.map(({ username, figures }) => ({
    driver: username,
    readings: readingsOf(figures, byDriver.get(username) ?? [], until),
  }));
  const chunks = openSqliteHistoryChunks(file);
  await chunks.write(
    pastChunks({ sessions, readings, offers: seenOffers(offers, until), holes: past.outages, since, until }),
  );
  chunks.close();
}

/** As if each had been looked up once, on some day of the last weeks. */
function seenOffers(offers: readonly CarOffer[], until: number): readonly Offer[] {
  return offers.map((offer, index) => ({
    ...offer,
    at: until - (1 + ((index * 5) % OFFER_DAYS)) * DAY,
    gone: null,
  }));
}

/** The part of a stay that could be seen: an outage hides what happens in it, a stay's beginning or end included. */
function seen(
  { driver, server, from, to, role }: PastStay,
  outages: WorldPast['outages'],
): readonly PastSession[] {
  const begins = outages.find((outage) => from >= outage.from && from < outage.to);
  const ends = outages.find((outage) => to > outage.from && to <= outage.to);
  const first = begins?.to ?? from;
  const last = ends?.from ?? to;
  if (last <= first) return [];
  const hidden = outages.reduce(
    (sum, outage) => sum + Math.max(0, Math.min(last, outage.to) - Math.max(first, outage.from)),
    0,
  );
  const played = last - first - hidden;
  const held = (of: PastStay['role']): number => (role === of ? played : 0);
  const duty = { police: held('cop'), medic: held('med'), tow: held('tow') };
  const known = { startKnown: begins === undefined, endKnown: ends === undefined };
  return [{ driver, session: { from: first, to: last, server, played, duty, ...known } }];
}

/** Backwards from the figures of now, by what was played since. */
function readingsOf(now: Figures, stays: readonly PastStay[], until: number): readonly ProfileReading[] {
  const days = Array.from(
    { length: Math.floor(READINGS.days / READINGS.every) },
    (_day, index) => (index + 1) * READINGS.every,
  );
  return days.toReversed().map((ago) => {
    const at = until - ago * DAY;
    const later = stays.filter(({ to }) => to > at);
    const hours = (of: readonly PastStay[]): number =>
      of.reduce((sum, { from, to }) => sum + (to - from) / HOUR, 0);
    const all = hours(later);
    const police = hours(later.filter(({ role }) => role === 'cop'));
    const before = (figure: number | undefined, gained: number): number =>
      Math.max(0, Math.round((figure ?? 0) - gained));
    return {
      at,
      figures: {
        money: before(now.money, all * 900),
        driven_distance: before(now.driven_distance, all * 46_000),
        chases_won_cop: before(now.chases_won_cop, police * 1.4),
        chases_won_robber: before(now.chases_won_robber, (all - police) * 0.4),
        gaming_time_total: before(now.gaming_time_total, all * 3600),
        gaming_time_cop: before(now.gaming_time_cop, police * 3600),
      },
    };
  });
}
