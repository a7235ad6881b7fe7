import type { Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Options } from '../../service/models/options.ts';
import { cutText } from '../../text/cut.ts';
import { toPlainText } from '../../text/plain.ts';
import { modelName } from '../car/car-models.ts';
import { inColours } from '../kit/block.ts';
import { buttonRow, type Card, createCard, refreshButton, type Section } from '../kit/card.ts';
import { type DriverNames, driverHeading } from '../kit/driver.ts';
import { linePerRow } from '../kit/fit-lines.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { escapeGameText, joinParts } from '../kit/lines.ts';

/** Maximum characters of a value. */
const MAX_VALUE_LENGTH = 60;

/** How to read an option's value: literally, as on or off, or as a colour of the in-game chat. */
type OptionKind = 'as-it-is' | 'switch' | 'speed' | 'colour';

/** The options that the service documents, grouped as in the game. */
const groups = [
  {
    group: 'display',
    options: [
      ['mph', 'speed'],
      ['money', 'as-it-is'],
      ['loccol', 'colour'],
      ['locsize', 'as-it-is'],
      ['hidead', 'as-it-is'],
      ['theme', 'as-it-is'],
    ],
  },
  {
    group: 'driving',
    options: [
      ['spawn_location', 'as-it-is'],
      ['force_mouse', 'switch'],
      ['chase_debug', 'switch'],
    ],
  },
] as const satisfies readonly {
  group: string;
  options: readonly (readonly [name: string, kind: OptionKind])[];
}[];

/** `pri_uf1_cop`: an option for each car and role. */
const BY_CAR = /^pri_(?<car>[a-z0-9]{1,10})_(?<role>civ|cop|med|res)$/;
const roles = ['civ', 'cop', 'med', 'res'] as const;

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

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
  const remaining = new Set(options);
  /** Each option appears once. */
  const take = (line: (option: Options[number]) => string | null): readonly string[] =>
    [...remaining].flatMap((option) => {
      const text = line(option);
      if (text !== null) remaining.delete(option);
      return text ?? [];
    });
  const parts = [
    ...groups.map(({ group, options: known }) => ({
      name: t(`options.group.${group}`),
      // In our order, not the service's.
      lines: known.flatMap(([name, kind]) =>
        take((option) =>
          option.name === name
            ? `**${t(`options.${name}`)}** ${valueWords(option.value, kind, t)}`.replace(' \n', '\n')
            : null,
        ),
      ),
    })),
    {
      name: t('options.group.byCar'),
      lines: take((option) => carLine(option, t)),
    },
    {
      name: t('options.group.other'),
      lines: linePerRow(
        [...remaining],
        ({ name, value }) => `**${escapeGameText(name) || '?'}** ${formatValue(value, t)}`,
      ),
    },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

/** A value of an unexpected kind is shown as it is. */
function valueWords(value: string, kind: OptionKind, t: Translator): string {
  const on = value === '1' ? true : value === '0' ? false : null;
  switch (kind) {
    case 'switch':
      return on === null ? formatValue(value, t) : t(on ? 'options.on' : 'options.off');
    case 'speed':
      return on === null ? formatValue(value, t) : t(on ? 'options.miles' : 'options.kilometres');
    case 'colour':
      return colourWords(value, t);
    case 'as-it-is':
      return formatValue(value, t);
  }
}

/** The colour's name, in a block of its own in that colour if it can be shown. */
function colourWords(value: string, t: Translator): string {
  const colour = /^\d$/.test(value) ? colours[Number(value)] : undefined;
  if (colour === undefined) return /^[89]$/.test(value) ? t('colour.standard') : formatValue(value, t);
  const name = t(`colour.${colour}`);
  const block = inColours(`^${value}${name}`, t);
  return block === null ? name : `\n${block}`;
}

function carLine({ name, value }: Options[number], t: Translator): string | null {
  const { car, role: roleName } = BY_CAR.exec(name)?.groups ?? {};
  const role = roles.find((known) => known === roleName);
  if (car === undefined || role === undefined) return null;
  const label = joinParts(modelName(car.toUpperCase(), t), t(`options.role.${role}`));
  return `**${label}** ${formatValue(value, t)}`;
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
