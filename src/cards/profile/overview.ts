import type { Answer } from '../../service/client.ts';
import type { Profile } from '../../service/models/models.ts';
import { timestamp } from '../../i18n/timestamp.ts';
import type { Words } from '../../i18n/translator.ts';
import type { Section } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';
import { carLines } from './garage.ts';
import { licenceCounts } from './licences.ts';
import { fact, joined } from '../kit/lines.ts';
import type { Place } from './profile-action.ts';
import { mainFigures } from './record.ts';
import type { ViewContent } from './view-content.ts';

/** Cars shown before "+N more": the garage has a view of its own. */
const CARS = 4;

/** The first look at a driver: who it is, and the main figures of every other view. */
export function overview(answer: Answer<Profile>, _place: Place, words: Words): ViewContent {
  const { record } = answer;
  const joinedOn = record.joined === null ? null : timestamp(record.joined, 'day');
  const level = record.adminLevel ?? 0;
  const lead = [
    joined(country(record.country, words), presence(record, words)),
    ...fact(words.text('profile.money'), record.money === null ? null : words.number(record.money)),
    ...fact(words.text('profile.joined'), joinedOn),
    ...fact(words.text('profile.adminLevel'), level > 0 ? words.number(level) : null),
    ...(record.insimAdmin === true ? [words.text('profile.insimAdmin')] : []),
    ...(record.needsCopTraining === true ? [words.text('profile.copTraining')] : []),
  ];
  return { lead: lead.filter((line) => line !== ''), sections: sections(answer, words) };
}

function sections({ record, asOf }: Answer<Profile>, words: Words): readonly Section[] {
  const { stats, licences, cars, properties } = record;
  const figures = stats === null ? [words.text('record.untold')] : mainFigures(stats, words);
  return [
    {
      name: words.text('profile.view.record'),
      lines: figures.length === 0 ? [words.text('record.none')] : figures,
    },
    {
      name: words.text('profile.view.licences'),
      lines: [
        summary(licences, words.text('licence.untold'), words.text('licence.none'), (held) =>
          licenceCounts(held, asOf, words),
        ),
      ],
    },
    {
      name: words.text('profile.view.garage'),
      lines:
        cars === null || cars.length === 0
          ? [words.text(cars === null ? 'garage.untold' : 'garage.none')]
          : each(cars, (car) => carLines(car, words)),
      entries: CARS,
    },
    {
      name: words.text('profile.view.properties'),
      lines: [
        summary(properties, words.text('property.untold'), words.text('property.none'), ({ length }) =>
          words.text('property.count', { count: length }),
        ),
      ],
    },
  ];
}

/** A list that was not told reads differently from an empty one. */
function summary<Entry>(
  entries: readonly Entry[] | null,
  untold: string,
  none: string,
  some: (entries: readonly Entry[]) => string,
): string {
  if (entries === null) return untold;
  return entries.length === 0 ? none : some(entries);
}

function presence({ online, lastSeen }: Profile, words: Words): string | null {
  if (online === true) return words.text('profile.online');
  const when = lastSeen === null ? null : timestamp(lastSeen, 'relative');
  if (when !== null) return words.text('profile.lastSeen', { when });
  return online === false ? words.text('profile.offline') : null;
}

/** The flag and the country's name; the code alone where there is no such country. */
function country(code: string | null, words: Words): string | null {
  if (code === null) return null;
  const name = words.country(code);
  if (name === null) return code.toUpperCase();
  // The standing of a flag in the emoji alphabet is that of its letters; "uk" is an alias that has none.
  const region = new Intl.Locale('und', { region: code }).region ?? code;
  const letters = [...region.toLowerCase()].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 97);
  return `${String.fromCodePoint(...letters)} ${name}`;
}
