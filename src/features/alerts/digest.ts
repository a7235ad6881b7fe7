/** The weekly digest: when it is sent, and what it says about the week that is over. */
import { setImmediate } from 'node:timers/promises';
import { DAY, HOUR, MINUTE } from '../../base/duration.ts';
import { sumBy } from '../../base/sum-by.ts';
import { FIRST_MONDAY, hourOf, wallTime, wallTimes, weekdayOf } from '../../base/zone.ts';
import type { NicknameOf } from '../../cards/kit/driver.ts';
import type { MessageContent } from '../../deliveries/send-once.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import type { CountPoint, Coverage, History, Stretch, TopList } from '../../service/models/history.ts';
import { isSilent } from './admit.ts';
import { alertMessage } from './alert-text.ts';
import { type DeliverParts, sendTo } from './deliver.ts';
import { digestCard, digestText, type WeekFacts } from './digest-card.ts';
import type { Watch } from './watch.ts';

const WEEK = 7 * DAY;
/** From Monday, 9:00 there, until the end of Tuesday, for a bot that was down in between. */
const SENDING_TIME = { days: [0, 1], from: 9 };
/** Age in ms from which a week is over in every time zone: if Monday has begun there but not in UTC, UTC is a week behind. */
const WEEK_OVER_AFTER_MS = 3 * DAY;
/** From 18:00 on. */
const EVENING_HOUR = 18;
const TOP_DRIVERS = 5;
/** Names of new faces; more would be a list. */
const MAX_NEW_FACES = 15;

/** Nobody waits for a digest, whose picture is often the first one in days and starts the drawing process. */
const PICTURE_TIMEOUT_MS = MINUTE;

/** How far two sums of the same sessions may differ, in ms. */
const ROUNDING_MS = MINUTE;

/** From Monday to Monday, UTC, like the days by which time on the servers is counted. Unix milliseconds. */
interface Week {
  readonly from: number;
  readonly to: number;
}

/** The week whose digest is due at that moment; null while none is. */
function digestWeek(zone: string, now: number): Week | null {
  const wall = wallTime(zone, now);
  const day = weekdayOf(wall);
  if (!SENDING_TIME.days.includes(day) || (day === SENDING_TIME.days[0] && hourOf(wall) < SENDING_TIME.from))
    return null;
  const week = lastWeek(now);
  return now - week.to > WEEK_OVER_AFTER_MS ? null : week;
}

function lastWeek(now: number): Week {
  const to = FIRST_MONDAY + Math.floor((now - FIRST_MONDAY) / WEEK) * WEEK;
  return { from: to - WEEK, to };
}

export type DigestHistory = Pick<History, 'counts' | 'top' | 'namesDrivers'>;

/** `pastAt`: history as of that moment (unix milliseconds). */
export async function lastWeekFacts(
  pastAt: (at: number) => DigestHistory,
  zone: string,
  now: number,
): Promise<WeekFacts> {
  const week = lastWeek(now);
  const past = pastAt(week.to - 1);
  const counts = await past.counts('all', week);
  const missingSpans = missingIn(counts, week);
  const weekFacts = { ...week, zone, missing: missingSpans };
  if (lengthOf(missingSpans) > WEEK / 2) return { ...weekFacts, figures: null };
  const areDriversNamed = (await past.namesDrivers()) === true;
  return {
    ...weekFacts,
    figures: {
      counts,
      busiest: busiestEvening(counts.points, zone),
      most: counts.points.reduce<CountPoint | null>(
        (most, point) => (most === null || point.most >= most.most ? point : most),
        null,
      ),
      ...(areDriversNamed
        ? people(await past.top('playtime', 'week'), await past.top('playtime', 'all'), week)
        : { top: [], newFaces: [] }),
    },
  };
}

/** When nothing was known. */
function missingIn({ holes, since, until }: Coverage, { from, to }: Week): readonly Stretch[] {
  if (since === null || until === null) return [{ from, to }];
  return [{ from, to: since }, ...holes, { from: until, to }].filter((part) => part.to > part.from);
}

function lengthOf(parts: readonly Stretch[]): number {
  return sumBy(parts, ({ from, to }) => to - from);
}

/** Finds the evening with the most drivers. An evening with data for less than half of it does not count. */
function busiestEvening(points: readonly CountPoint[], zone: string) {
  const wallTimeAt = wallTimes(zone);
  const zoned = points.map((point) => ({ ...point, wall: wallTimeAt(point.at) }));
  const evenings = Map.groupBy(
    zoned.filter(({ wall }) => hourOf(wall) >= EVENING_HOUR),
    ({ wall }) => weekdayOf(wall),
  );
  const means = [...evenings.values()].flatMap((evening) => {
    const [first] = evening;
    const knownTime = sumBy(evening, (point) => point.known);
    const sum = sumBy(evening, (point) => point.drivers * point.known);
    return first === undefined || knownTime < (DAY - EVENING_HOUR * HOUR) / 2
      ? []
      : [{ at: first.at, drivers: sum / knownTime }];
  });
  return means.toSorted((a, b) => b.drivers - a.drivers)[0] ?? null;
}

/** The drivers with the most time, and those seen for the first time since anything is known. */
function people(ofWeek: TopList, ofAll: TopList, { from }: Week) {
  const earlierTimes = new Map(ofAll.rows.map(({ driver, value }) => [driver, value]));
  const isKnownBefore = ofAll.since !== null && ofAll.since < from;
  return {
    top: ofWeek.rows.slice(0, TOP_DRIVERS),
    newFaces: isKnownBefore
      ? ofWeek.rows
          .filter(({ driver, value }) => (earlierTimes.get(driver) ?? value) - value < ROUNDING_MS)
          .map(({ driver }) => driver)
          .slice(0, MAX_NEW_FACES)
      : [],
  };
}

/** At most one message a week to each channel. Does nothing for a watch of another kind, or while no digest is due. */
export async function sendDigest(
  stored: Watch,
  parts: DeliverParts & {
    readonly pastAt: (at: number) => DigestHistory;
    readonly nicknameOf: NicknameOf;
    readonly draw: Pictures['draw'];
  },
): Promise<void> {
  const { watches, deliveries, now, translatorOf, inZone } = parts;
  const watch = await inZone(stored);
  const { condition, place, zone } = watch;
  if (condition.kind !== 'digest' || place.kind !== 'channel' || isSilent(watch, now())) return;
  const week = digestWeek(zone ?? 'UTC', now());
  if (week === null) return;
  const to = `digest:${place.channel}`;
  const key = `week:${new Date(week.from).toISOString().slice(0, 10)}`;
  const claim = { key, place: to, watches: [watch.id], at: now(), cooldown: 0, most: null };
  await sendTo(watch, parts, {
    id: `${to} ${key}`,
    urgency: 'notice',
    isDue: async () => (await deliveries.admitted(claim)).length > 0,
    async prepare() {
      const t = await translatorOf(watch);
      const message = await digestMessage(watch, t, parts);
      return {
        // The first process to claim the week sends it.
        claim,
        isWanted: (transaction) => watches.areAll(transaction, [watch]),
        compose: () => message,
      };
    },
  });
}

/** As text alone where the bot may post no embeds, and without a picture that cannot be drawn. */
async function digestMessage(
  { id, place, zone }: Watch,
  t: Translator,
  { pastAt, nicknameOf, draw, access, now }: Parameters<typeof sendDigest>[1],
): Promise<MessageContent> {
  const facts = await lastWeekFacts(pastAt, zone ?? 'UTC', now());
  // Facts and card are two slices of work.
  await setImmediate();
  const { embeds, components, picture } = digestCard(facts, nicknameOf, t);
  const png = picture === undefined ? null : await draw(picture.chart, PICTURE_TIMEOUT_MS);
  const buttons = alertMessage({ watches: [id], lines: [], roles: [] }, t).components;
  const extras = {
    components: [...components, ...buttons],
    roles: [],
    ...(picture !== undefined && png instanceof Uint8Array
      ? { picture: { name: picture.name, alt: picture.alt, png } }
      : {}),
  };
  return mayEmbed(place, access)
    ? { content: '', embeds, ...extras }
    : { content: digestText(facts, t), ...extras };
}

function mayEmbed(place: Watch['place'], access: DeliverParts['access']): boolean {
  if (place.kind === 'direct') return true;
  const granted = access(place.guild, place.channel);
  return granted.kind !== 'missing' || !granted.rights.includes('EmbedLinks');
}
