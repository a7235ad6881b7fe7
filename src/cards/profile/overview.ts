import { timestamp } from '../../i18n/timestamp.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { Section } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';
import { fact, joined } from '../kit/lines.ts';
import { carLines } from './garage.ts';
import { licenceCounts } from './licences.ts';
import type { Place } from './profile-action.ts';
import { mainFigures } from './record.ts';
import type { ViewContent } from './view-content.ts';

/** Figures shown before "+N more": the record has a view of its own. */
const FIGURES = 7;
/** Cars shown before "+N more": the garage has a view of its own. */
const CARS = 4;

/** The first view of a driver: who it is, and the main figures of every other view. */
export function overview(answer: Answer<Profile>, _place: Place, t: Translator): ViewContent {
  const { record } = answer;
  const joinedOn = record.joined === null ? null : timestamp(record.joined, 'day');
  const level = record.adminLevel ?? 0;
  const lead = [
    joined(country(record.country, t), presence(record, t)),
    ...fact(t('profile.money'), record.money === null ? null : t.number(record.money)),
    ...fact(t('profile.joined'), joinedOn),
    ...fact(t('profile.adminLevel'), level > 0 ? t.number(level) : null),
    ...(record.insimAdmin === true ? [t('profile.insimAdmin')] : []),
    ...(record.needsCopTraining === true ? [t('profile.copTraining')] : []),
  ];
  return { lead: lead.filter((line) => line !== ''), sections: sections(answer, t) };
}

function sections({ record, asOf }: Answer<Profile>, t: Translator): readonly Section[] {
  const { stats, licences, cars, properties } = record;
  const figures = stats === null ? [t('record.missing')] : mainFigures(stats, t);
  return [
    {
      name: t('profile.view.record'),
      lines: figures.length === 0 ? [t('record.none')] : figures,
      entries: FIGURES,
    },
    {
      name: t('profile.view.licences'),
      lines: [
        summary(licences, t('licence.missing'), t('licence.none'), (held) => licenceCounts(held, asOf, t)),
      ],
    },
    {
      name: t('profile.view.garage'),
      lines:
        cars === null || cars.length === 0
          ? [t(cars === null ? 'garage.missing' : 'garage.none')]
          : each(cars, (car) => carLines(car, t)),
      entries: CARS,
    },
    {
      name: t('profile.view.properties'),
      lines: [
        summary(properties, t('property.missing'), t('property.none'), ({ length }) =>
          t('property.count', { count: length }),
        ),
      ],
    },
  ];
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

function presence({ online, lastSeen }: Profile, t: Translator): string | null {
  if (online === true) return t('profile.online');
  const when = lastSeen === null ? null : timestamp(lastSeen, 'relative');
  if (when !== null) return t('profile.lastSeen', { when });
  return online === false ? t('profile.offline') : null;
}

/** The flag and the country's name; the code alone if there is no such country. */
function country(code: string | null, t: Translator): string | null {
  if (code === null) return null;
  const name = t.country(code);
  if (name === null) return code.toUpperCase();
  // A flag emoji is made of its country code's letters; "uk" is an alias without a flag.
  const region = new Intl.Locale('und', { region: code }).region ?? code;
  const letters = [...region.toLowerCase()].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 97);
  return `${String.fromCodePoint(...letters)} ${name}`;
}
