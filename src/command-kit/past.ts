/** History's part of a card; nothing where the store fails, since the card itself is worth showing. */
import { StoreError } from '../base/errors.ts';
import { memoiseByObject } from '../base/memoise-by-object.ts';
import type { ProfilePast } from '../cards/history/gains.ts';
import type { History, Offer, Presence } from '../community/history/history.ts';
import type { Answer } from '../service/models/dated.ts';
import { type JudgedFacts, judgeFacts } from '../service/models/facts.ts';
import { sameSpelling } from '../service/models/identifiers.ts';
import { LiveServer, type LiveStatus, liveServer } from '../service/models/live-status.ts';
import type { OverviewServer } from '../service/models/overview.ts';
import type { Profile } from '../service/models/profile.ts';
import type { Context } from './context.ts';

/**
 * The earlier figures that a profile is compared with: without the time online where the live files name drivers, from which
 * rankings and sessions count it.
 */
export async function profilePast(username: string, history: History): Promise<ProfilePast | null> {
  return tolerateStoreFailure(async () => {
    const [reading, ranks, isCounted] = await Promise.all([
      history.earlierReading(username),
      history.bestRanks(),
      history.namesDrivers(),
    ]);
    const { gaming_time_total: _, ...figures } = reading?.figures ?? {};
    const earlier = isCounted === true ? reading && { ...reading, figures } : reading;
    return { earlier, best: ranks.get(sameSpelling(username)) ?? null };
  }, null);
}

/** A record is minutes old, and an in-game name may have changed since: the newest one that any answer had. */
export function withNewestName(
  answer: Answer<Profile>,
  { recentNames }: Pick<Context, 'recentNames'>,
): Answer<Profile> {
  const { username, nickname } = answer.record;
  const newest = recentNames.nicknameOf(username) ?? nickname;
  return newest === nickname ? answer : { ...answer, record: { ...answer.record, nickname: newest } };
}

/** A record has the ids of the issuers of licences; their names, where their own profiles were read. */
export function withIssuers(
  answer: Answer<Profile>,
  { recentNames }: Pick<Context, 'recentNames'>,
): Answer<Profile> {
  const licences = answer.record.licences?.map((licence) => ({
    ...licence,
    issuedBy: recentNames.playerWithId(licence.issuedBy ?? '') ?? licence.issuedBy,
  }));
  return { ...answer, record: { ...answer.record, licences: licences ?? null } };
}

/** Profiles are asked for more often than files change. */
const namesIn = memoiseByObject(
  (players: LiveStatus['players']) =>
    new Set(players.flatMap(({ username }) => (username === null ? [] : sameSpelling(username)))),
);

/** The server whose live file names the driver; null where none does that shows the present. */
export function findServer(username: string, { live }: JudgedFacts): LiveServer | null {
  const driver = sameSpelling(username);
  const isHere = (server: LiveServer): boolean => {
    const file = live[server];
    return file !== null && !file.isStale && namesIn(file.record.players).has(driver);
  };
  return LiveServer.options.find(isHere) ?? null;
}

/**
 * Returns the driver's server by the live files that are polled anyway, or the time of the last sighting if that is newer
 * than the record; null if the files do not say. Servers without such a file may have a driver whom no file names.
 */
export async function findPresence(
  { record, asOf }: Answer<Profile>,
  { poll, history, hidden, now }: Pick<Context, 'poll' | 'history' | 'hidden' | 'now'>,
): Promise<Presence | null> {
  if (hidden.isHidden(record.username)) return null;
  const judged = judgeFacts(poll.facts, now);
  const { live, overview } = judged;
  const fileOf = (server: LiveServer | null) => {
    const file = server === null ? null : live[server];
    return file === null || file.isStale
      ? null
      : { asOf: file.asOf, names: namesIn(file.record.players), isEmpty: file.record.players.length === 0 };
  };
  const currentServer = findServer(record.username, judged);
  const isAway = ({ name, online, guests }: OverviewServer): boolean => {
    const file = fileOf(liveServer(name));
    if (file === null) return online === false || guests === 0;
    return file.asOf > asOf && (file.isEmpty || file.names.size > 0);
  };
  const isNowhere =
    overview !== null && !overview.isStale && overview.asOf > asOf && overview.record.every(isAway);
  if (currentServer === null && !isNowhere) return null;
  const open = await tolerateStoreFailure(() => history.openSessions(record.username), []);
  if (currentServer !== null)
    return { server: currentServer, since: open.find(({ server }) => server === currentServer) ?? null };
  const { online, lastSeen } = record;
  return {
    server: null,
    lastSeen: Math.max(online === true ? asOf : (lastSeen ?? 0), ...open.map(({ to }) => to)) || null,
  };
}

/** Returns the prices that were seen for these models. */
export async function carOffers(models: readonly string[], history: History): Promise<readonly Offer[]> {
  return tolerateStoreFailure(() => history.offers(models), []);
}

/** Returns the prices that were seen for the models of a garage. */
export async function garageOffers(
  cars: readonly { readonly type: string | null }[] | null,
  history: History,
): Promise<readonly Offer[]> {
  return carOffers([...new Set((cars ?? []).flatMap(({ type }) => type ?? []))], history);
}

/** Returns the answer, or `nothing` if the store fails: its outage costs a card a part, not the whole card. */
export async function tolerateStoreFailure<T>(ask: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoreError) return nothing;
    throw error;
  }
}
