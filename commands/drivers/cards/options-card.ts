import { modelName } from '../../../src/cards/car/car-models.ts';
import { inColours } from '../../../src/cards/kit/block.ts';
import {
  buttonRow,
  type Card,
  createCard,
  refreshButton,
  type Section,
} from '../../../src/cards/kit/card.ts';
import { type DriverNames, driverHeading } from '../../../src/cards/kit/driver.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { joinParts } from '../../../src/cards/kit/lines.ts';
import type { TextKey, Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Options } from '../../../src/service/models/options.ts';
import { cutText } from '../../../src/text/cut.ts';
import { escapeGameText } from '../../../src/text/names.ts';
import { toPlainText } from '../../../src/text/plain.ts';

/** Maximum characters of a value. */
const MAX_VALUE_LENGTH = 60;

type Option = Options[number];

/** The words for the digits of a value, from 0 on. Any other value is shown as it is. */
type Words = readonly TextKey[];

const asItIs: Words = [];
const offOrOn: Words = ['options.off', 'options.on'];
const kilometresOrMiles: Words = ['options.kilometres', 'options.miles'];
/** Colours of the in-game chat. */
const colours: Words = [
  'colour.black',
  'colour.red',
  'colour.green',
  'colour.yellow',
  'colour.blue',
  'colour.magenta',
  'colour.cyan',
  'colour.white',
  'colour.standard',
  'colour.standard',
];

/** The options that the service documents, grouped and ordered as in the game. */
const knownOptions = [
  { group: 'display', name: 'mph', words: kilometresOrMiles },
  { group: 'display', name: 'money', words: asItIs },
  { group: 'display', name: 'loccol', words: colours },
  { group: 'display', name: 'locsize', words: asItIs },
  { group: 'display', name: 'hidead', words: asItIs },
  { group: 'display', name: 'theme', words: asItIs },
  { group: 'driving', name: 'spawn_location', words: asItIs },
  { group: 'driving', name: 'force_mouse', words: offOrOn },
  { group: 'driving', name: 'chase_debug', words: offOrOn },
] as const;
const groups = ['display', 'driving', 'byCar', 'other'] as const;

/** `pri_uf1_cop`: an option for each car and role. */
const BY_CAR = /^pri_(?<car>[a-z0-9]{1,10})_(?<role>civ|cop|med|res)$/;
const roles = ['civ', 'cop', 'med', 'res'] as const;

/** A driver's changed options, grouped and in words. The answer does not include the driver's names. */
export function optionsCard(
  driver: DriverNames & { readonly username: string },
  answer: Answer<Options>,
  t: Translator,
): Card {
  const { record } = answer;
  const count = record.length === 0 ? t('options.none') : t('options.count', { count: record.length });
  const subject = driver.username;
  const { title, name } = driverHeading(driver, t);
  const content = {
    title,
    lead: [name, oldData(answer, t), joinParts(`**${t('options.heading')}**`, count)],
    tail: asOf(answer, t),
    sections: sections(record, t),
    components: [
      buttonRow(
        { command: 'profile', action: 'overview', subject, label: t('card.profile') },
        refreshButton({ command: 'options', action: '', subject }, t),
      ),
    ],
  };
  return createCard(content, t);
}

function sections(options: Options, t: Translator): readonly Section[] {
  const byGroup = Map.groupBy(options, groupOf);
  return groups.flatMap((group) => {
    // In our order, not the service's.
    const rows = byGroup.get(group)?.toSorted((a, b) => placeOf(a) - placeOf(b)) ?? [];
    const lines = linePerRow(rows, (option) => optionLine(option, t));
    return rows.length === 0 ? [] : [{ name: t(`options.group.${group}`), lines }];
  });
}

function placeOf({ name }: Option): number {
  return knownOptions.findIndex((known) => known.name === name);
}

function groupOf(option: Option): (typeof groups)[number] {
  return knownOptions[placeOf(option)]?.group ?? (BY_CAR.test(option.name) ? 'byCar' : 'other');
}

/** A colour is in a block of its own in that colour if it can be shown. */
function optionLine(option: Option, t: Translator): string {
  const { name, value } = option;
  const known = knownOptions[placeOf(option)];
  const label = known ? t(`options.${known.name}`) : (carLabel(name, t) ?? (escapeGameText(name) || '?'));
  const word = /^\d$/.test(value) ? known?.words[Number(value)] : undefined;
  const text = word ? t(word) : formatValue(value, t);
  const block = word && known?.words === colours ? inColours(`^${value}${text}`, t) : null;
  return block === null ? `**${label}** ${text}` : `**${label}**\n${block}`;
}

function carLabel(name: string, t: Translator): string | null {
  const { car = '', role: roleName } = BY_CAR.exec(name)?.groups ?? {};
  const role = roles.find((known) => known === roleName);
  return role === undefined ? null : joinParts(modelName(car.toUpperCase(), t), t(`options.role.${role}`));
}

/**
 * Formats a value as code, since it is the game's own word, unless it is a number. A backtick, which would end the code, becomes a
 * similar letter.
 */
function formatValue(value: string, t: Translator): string {
  const word = cutText(toPlainText(value.slice(0, MAX_VALUE_LENGTH * 4)).trim(), MAX_VALUE_LENGTH).replaceAll(
    '`',
    'ˋ',
  );
  if (/^\d+$/.test(word)) return word;
  return word === '' ? t('options.empty') : `\`${word}\``;
}
