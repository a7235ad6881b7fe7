import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { GarageCar } from '../../service/models/garage-car.ts';
import type { Profile } from '../../service/models/profile.ts';
import { modelName } from '../car/car-models.ts';
import { gains } from '../history/gains.ts';
import { bar } from '../kit/bar.ts';
import type { Section } from '../kit/embed.ts';
import { fact, joined, named, said } from '../kit/lines.ts';
import { carLines } from './garage.ts';
import { licencesInShort } from './licence-state.ts';
import type { Place } from './profile-action.ts';
import { allFigures, heroFigures } from './record.ts';
import type { Remembered, ViewContent } from './view-content.ts';

/** Figures shown before "+N more", where none of those that lead is reported. */
const FIGURES = 7;

/** The first view of a driver: who it is, the figures that lead, and one line for each of the other views. */
export function overview(
  answer: Answer<Profile>,
  _place: Place,
  t: Translator,
  { past }: Remembered,
): ViewContent {
  const { record } = answer;
  const level = record.adminLevel ?? 0;
  const lead = [
    joined(country(record.country, t), onlineText(answer, t)),
    joined(
      ...fact(t('profile.adminLevel'), level > 0 ? t.number(level) : null),
      record.insimAdmin === true ? t('profile.insimAdmin') : null,
      record.needsCopTraining === true ? t('profile.copTraining') : null,
    ),
  ];
  return {
    lead: lead.filter((line) => line !== ''),
    sections: [
      ...figures(record, t),
      ...(past === null ? [] : gains(answer, past, t)),
      about(answer, t),
      garage(record, t),
    ],
  };
}

function figures({ stats }: Profile, t: Translator): readonly Section[] {
  const name = t('profile.view.record');
  if (stats === null) return [{ name, lines: [t('record.missing')] }];
  const heroes = heroFigures(stats, t);
  if (heroes.length > 0) return heroes;
  const all = allFigures(stats, t);
  return [{ name, lines: all.length === 0 ? [t('record.none')] : all, entries: FIGURES }];
}

function about({ record, asOf }: Answer<Profile>, t: Translator): Section {
  const { money, joined: since, stats, licences, properties } = record;
  const joinedOn = since === null ? null : timestamp(since, 'day');
  const worth = stats?.known.net_value;
  const lines = [
    ...fact(t('profile.money'), money === null ? null : t.number(money)),
    ...fact(t('stat.net_value'), worth === undefined ? null : t.number(worth)),
    ...fact(t('profile.joined'), joinedOn),
    summary(licences, t('licence.missing'), t('licence.none'), (all) =>
      fact(t('profile.view.licences'), licencesInShort(all, asOf, t)).join(''),
    ),
    summary(properties, t('property.missing'), t('property.none'), ({ length }) =>
      fact(t('profile.view.properties'), t.number(length)).join(''),
    ),
  ];
  return { name: t('profile.about'), lines, inline: true };
}

/** How many cars, and the two that matter: the best, and the one to repair. */
function garage({ cars }: Profile, t: Translator): Section {
  const name = t('profile.view.garage');
  if (cars === null || cars.length === 0)
    return { name, lines: [t(cars === null ? 'garage.missing' : 'garage.none')], inline: true };
  const [first] = cars;
  if (first !== undefined && cars.length === 1) return { name, lines: [carLines(first, t)], inline: true };
  const { best, worst } = extremes(cars);
  const lines = [
    t('garage.count', { count: cars.length }),
    ...(best === undefined ? [] : [carLine('🏆', best, t)]),
    ...(worst === undefined || worst === best || worst.condition === best?.condition
      ? []
      : [carLine('🔧', worst, t)]),
  ];
  return { name, lines, inline: true };
}

/** By condition; of equal ones the first is the best, and the last the worst. */
function extremes(cars: readonly GarageCar[]) {
  let [best, worst]: (GarageCar | undefined)[] = [];
  for (const car of cars) {
    if (car.condition === null) continue;
    if (best === undefined || car.condition > (best.condition ?? 0)) best = car;
    if (worst === undefined || car.condition <= (worst.condition ?? 0)) worst = car;
  }
  return { best, worst };
}

function carLine(sign: string, { type, vin, condition }: GarageCar, t: Translator): string {
  const is = joined(`${sign} **${named(modelName(type, t))}**`, said(vin));
  return condition === null ? is : `${is}\n${bar(condition / 100, t)}`;
}

/** A missing list reads differently from an empty one. */
function summary<Entry>(
  entries: readonly Entry[] | null,
  missing: string,
  none: string,
  some: (entries: readonly Entry[]) => string,
): string {
  if (entries === null) return missing;
  return entries.length === 0 ? none : some(entries);
}

/** A record from before says ago the driver was online, not who is now. */
function onlineText({ record, asOf, stale }: Answer<Profile>, t: Translator): string | null {
  const { online, lastSeen } = record;
  if (online === true && stale === null) return t('profile.online');
  const seen = online === true ? asOf : lastSeen;
  // The service's clock has been seen hours ahead of itself: nobody was last seen in the future.
  const ago = seen === null || seen > asOf ? null : timestamp(seen, 'relative');
  if (ago !== null) return t('profile.lastSeen', { ago });
  return online === false ? t('profile.offline') : null;
}

/** The flag and the country's name; the code alone if there is no such country. */
function country(code: string | null, t: Translator): string | null {
  if (code === null) return null;
  const name = t.country(code);
  return name === null ? code.toUpperCase() : `${flagOf(code)} ${name}`;
}

/** Of a country that there is. A flag emoji is made of its country code's letters. */
function flagOf(code: string): string {
  // "uk" is an alias without a flag.
  const region = new Intl.Locale('und', { region: code }).region ?? code;
  const letters = [...region.toLowerCase()].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 97);
  return String.fromCodePoint(...letters);
}
