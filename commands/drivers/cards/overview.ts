import { memoiseByKey } from '../../../src/base/memoise.ts';
import { modelName } from '../../../src/cards/car/car-models.ts';
import { gainLines, type ProfilePast } from '../../../src/cards/history/gains.ts';
import { conditionBar, conditionText, wearAndDamage } from '../../../src/cards/kit/bar.ts';
import type { Content } from '../../../src/cards/kit/card.ts';
import { fitLines } from '../../../src/cards/kit/fit-lines.ts';
import { asOf } from '../../../src/cards/kit/freshness.ts';
import { builtIn } from '../../../src/cards/kit/items.ts';
import { formatDistance, formatOptional, joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import type { Presence } from '../../../src/community/history/history.ts';
import { flagLetters, regionOf } from '../../../src/i18n/formats.ts';
import { formatTimestamp } from '../../../src/i18n/timestamp.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { GarageCar, Profile } from '../../../src/service/models/profile.ts';
import { escapeGameText, escapeMarkdown } from '../../../src/text/names.ts';
import { needsRepair } from './garage-card.ts';
import { licencesInShort } from './licences.ts';
import { allFigures, heroLine } from './record.ts';
import { onServer } from './seen-card.ts';

/** Figures shown before "+N more", where none of those that lead is reported. */
const FIGURE_LIMITS = { entries: 5, characters: 600 };

/** Null where the record is from before, or does not say. */
export function isOnline({ record, stale }: Answer<Profile>, presence: Presence | null): boolean | null {
  if (presence !== null) return presence.server !== null;
  return record.online === true && stale !== null ? null : record.online;
}

/** The first view of a driver, of the height of a phone's screen: who it is, the figures that lead, and a line for each other view. */
export function overviewView(
  answer: Answer<Profile>,
  {
    past,
    here,
    note,
  }: { readonly past: ProfilePast | null; readonly here: Presence | null; readonly note: string | null },
  t: Translator,
): Pick<Content, 'lead' | 'tail'> {
  const { record } = answer;
  const level = record.adminLevel ?? 0;
  const lead = [
    joinParts(onlineText(answer, here, t), country(record.country, t)),
    record.needsCopTraining === true ? t('profile.copTraining') : '',
    figures(record, t),
  ];
  const knownGroups = [
    past === null ? [] : gainLines(answer, past, t),
    [...aboutLines(answer, t), ...garage(record, t)],
  ];
  const groups = [lead, ...knownGroups].map((lines) => lines.filter((line) => line !== '').join('\n'));
  const rank = joinParts(
    level > 0 ? `${t('profile.adminLevel')} ${t.number(level)}` : null,
    record.insimAdmin === true ? t('profile.insimAdmin') : null,
    note,
  );
  return {
    lead: [groups.filter((group) => group !== '').join('\n\n')],
    tail: joinParts(asOf(answer, t), rank),
  };
}

function figures({ stats }: Profile, t: Translator): string {
  if (stats === null) return t('record.missing');
  const heroes = heroLine(stats, t);
  if (heroes !== '') return heroes;
  const all = allFigures(stats, t);
  // Money has lines of its own below.
  if (all.length === 0)
    return stats.other.length > 0 || Object.keys(stats.known).length > 0 ? '' : t('record.none');
  return fitLines(all, FIGURE_LIMITS, t);
}

function aboutLines({ record, asOf }: Answer<Profile>, t: Translator): readonly string[] {
  const { money, joined: joinedAt, stats, licences, properties, cars } = record;
  const licenceText = summary(licences, t('licence.missing'), t('licence.none'), (all) =>
    labelledFact(t('profile.view.licences'), licencesInShort(all, asOf, t)),
  );
  const propertyText = summary(properties, t('property.missing'), t('property.none'), ({ length }) =>
    labelledFact(t('profile.view.properties'), t.number(length)),
  );
  const garage = summary(cars, t('garage.missing'), t('garage.none'), ({ length: count }) =>
    labelledFact(t('profile.view.garage'), t('garage.count', { count })),
  );
  return [
    joinParts(
      labelledFact(t('profile.money'), formatOptional(money, t.number)),
      labelledFact(t('stat.net_value'), formatOptional(stats?.known.net_value, t.number)),
    ),
    joinParts(propertyText, labelledFact(t('profile.joined'), formatTimestamp(joinedAt, 'day'))),
    joinParts(licenceText, garage),
  ];
}

/** The two cars that matter: the best, and the worst of those to repair. */
function garage({ cars }: Profile, t: Translator): readonly string[] {
  if (cars === null) return [];
  const [first] = cars;
  if (first !== undefined && cars.length === 1) return onlyCar(first, t);
  const best = bestCar(cars);
  const broken = cars.filter(needsRepair);
  const [worst] = broken.toSorted((a, b) => (a.condition ?? Infinity) - (b.condition ?? Infinity) || 0);
  return [
    ...(best === null ? [] : [carLine('🏆', best, t)]),
    ...(worst === undefined ? [] : [carLine('🔧', worst, t)]),
  ];
}

/** The car in the best condition; null where each has to be repaired, or no condition is known. */
export function bestCar(cars: readonly GarageCar[]): GarageCar | null {
  const sound = cars.filter((car) => car.condition !== null && !needsRepair(car));
  return sound.toSorted((a, b) => (b.condition ?? 0) - (a.condition ?? 0))[0] ?? null;
}

function carLine(sign: string, { type, vin, condition }: GarageCar, t: Translator): string {
  const state = formatOptional(condition, (percent) => conditionText(percent / 100, t));
  return joinParts(`${sign} **${escapeMarkdown(modelName(type, t))}**`, escapeGameText(vin), state);
}

/** In up to three short lines: model, condition, upgrades. */
function onlyCar(car: GarageCar, t: Translator): readonly string[] {
  const is = joinParts(
    `**${escapeMarkdown(modelName(car.type, t))}**`,
    escapeGameText(car.vin),
    formatDistance(car.odometerKm, t),
  );
  const condition = formatOptional(car.condition, (percent) => conditionBar(percent / 100, t));
  const state = joinParts(condition, ...wearAndDamage(car, t));
  return [is, needsRepair(car) ? `🔧 ${state}` : state, builtIn(car.upgrades ?? [], t)];
}

/** A missing list reads differently from an empty one. Both end without a full stop, since they stand within a line. */
function summary<Entry>(
  entries: readonly Entry[] | null,
  missingText: string,
  emptyText: string,
  write: (entries: readonly Entry[]) => string | null,
): string | null {
  if (entries !== null && entries.length > 0) return write(entries);
  return (entries === null ? missingText : emptyText).replace(/\.$/, '');
}

/** Tells where the driver is and since when, or the last sighting. A record from before does not say who is online now. */
export function onlineText(answer: Answer<Profile>, presence: Presence | null, t: Translator): string | null {
  const { record, asOf } = answer;
  if (presence !== null && presence.server !== null)
    return onServer(presence.server, presence.since, asOf, t);
  const online = isOnline(answer, presence);
  if (online === true) return t('profile.online');
  const seenAt = presence !== null ? presence.lastSeen : record.online === true ? asOf : record.lastSeen;
  // The service's clock has been seen hours ahead of itself: nobody was last seen in the future.
  const ago = formatTimestamp(seenAt, 'relative');
  if (seenAt !== null && (presence !== null || seenAt <= asOf) && ago !== null)
    return t('profile.lastSeen', { ago });
  return online === false ? t('profile.offline') : null;
}

/** The flag and the country's name; null if there is no such country. */
function country(code: string | null, t: Translator): string | null {
  if (code === null) return null;
  const name = t.country(code);
  return name === null ? null : `${flagOf(code)} ${name}`;
}

/** Codes of two letters. */
const MAX_CODES = 26 * 26;

/** The code of a country that there is, as its flag has it: "uk" is an alias without one. */
export function flagCode(code: string): string {
  return regionOf(code).toLowerCase();
}

/** Flag of a country that there is. */
const flagOf = memoiseByKey((code: string): string => flagLetters(regionOf(code)), MAX_CODES);
