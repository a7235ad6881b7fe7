import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Options } from '../../service/models/options.ts';
import { cut } from '../../text/cut.ts';
import { plain } from '../../text/plain.ts';
import { modelName } from '../car/car-models.ts';
import { buttons, type Card, type Row, refreshButton } from '../kit/card.ts';
import { type DriverNames, driverName } from '../kit/driver-name.ts';
import { embed, type Section } from '../kit/embed.ts';
import { each } from '../kit/fit-lines.ts';
import { asOfLine, oldData } from '../kit/freshness.ts';
import { coloured, fact, joined, said } from '../kit/lines.ts';

type Option = Options[number];

/** Maximum characters of a value. */
const VALUE = 60;

/** How to read an option's value: literally, as on or off, or as a colour of the in-game chat. */
type Kind = 'as-it-is' | 'switch' | 'speed' | 'colour';

interface Presentation {
  readonly label: TextKey;
  readonly kind: Kind;
}

/** The options that the service documents, grouped as in the game. */
const groups: readonly (readonly [heading: TextKey, options: ReadonlyMap<string, Presentation>])[] = [
  [
    'options.group.display',
    new Map<string, Presentation>([
      ['mph', { label: 'options.mph', kind: 'speed' }],
      ['money', { label: 'options.money', kind: 'as-it-is' }],
      ['loccol', { label: 'options.loccol', kind: 'colour' }],
      ['locsize', { label: 'options.locsize', kind: 'as-it-is' }],
      ['hidead', { label: 'options.hidead', kind: 'as-it-is' }],
      ['theme', { label: 'options.theme', kind: 'as-it-is' }],
    ]),
  ],
  [
    'options.group.driving',
    new Map<string, Presentation>([
      ['spawn_location', { label: 'options.spawn_location', kind: 'as-it-is' }],
      ['force_mouse', { label: 'options.force_mouse', kind: 'switch' }],
      ['chase_debug', { label: 'options.chase_debug', kind: 'switch' }],
    ]),
  ],
];

/** `pri_uf1_cop`: an option for each car and role. */
const BY_CAR = /^pri_(?<car>[a-z0-9]{1,10})_(?<role>civ|cop|med|res)$/;
const roles: Readonly<Record<string, TextKey>> = {
  civ: 'options.role.civ',
  cop: 'options.role.cop',
  med: 'options.role.med',
  res: 'options.role.res',
};

const colours = [
  'colour.black',
  'colour.red',
  'colour.green',
  'colour.yellow',
  'colour.blue',
  'colour.magenta',
  'colour.cyan',
  'colour.white',
] as const satisfies readonly TextKey[];

/** A driver's changed options, grouped and in words. The answer does not include the driver's names. */
export function optionsCard(
  driver: DriverNames & { readonly username: string },
  answer: Answer<Options>,
  t: Translator,
): Card {
  const { record } = answer;
  const count = record.length === 0 ? t('options.none') : t('options.count', { count: record.length });
  const body = {
    title: driverName(driver),
    lead: [...oldData(answer, t), joined(`**${t('options.heading')}**`, count)],
    tail: asOfLine(answer, t),
    sections: sections(record, t),
  };
  return { embeds: [embed(body, t)], components: controls(driver.username, t) };
}

function sections(options: Options, t: Translator): readonly Section[] {
  const left = new Set(options);
  /** Each option appears once. */
  const take = (line: (option: Option) => string | null): readonly string[] =>
    [...left].flatMap((option) => {
      const written = line(option);
      if (written !== null) left.delete(option);
      return written ?? [];
    });
  const parts = [
    ...groups.map(([heading, known]) => ({
      name: t(heading),
      // In our order, not the service's.
      lines: [...known].flatMap(([name, how]) =>
        take((option) => (option.name === name ? optionLine(option, how, t) : null)),
      ),
    })),
    {
      name: t('options.group.byCar'),
      lines: take((option) => carLine(option, t)),
    },
    {
      name: t('options.group.other'),
      lines: each([...left], ({ name, value }) => `**${said(name) || '?'}** ${shown(value, t)}`),
    },
  ];
  return parts.filter(({ lines }) => lines.length > 0);
}

function optionLine({ value }: Option, { label, kind }: Presentation, t: Translator): string {
  return fact(t(label), valueWords(value, kind, t)).join('');
}

/** A value of an unexpected kind is shown as it is. */
function valueWords(value: string, kind: Kind, t: Translator): string {
  const on = value === '1' ? true : value === '0' ? false : null;
  switch (kind) {
    case 'switch':
      return on === null ? shown(value, t) : t(on ? 'options.on' : 'options.off');
    case 'speed':
      return on === null ? shown(value, t) : t(on ? 'options.miles' : 'options.kilometres');
    case 'colour':
      return colourWords(value, t);
    case 'as-it-is':
      return shown(value, t);
  }
}

/** The colour's name, and below it the name in that colour if it can be shown. */
function colourWords(value: string, t: Translator): string {
  const key = /^\d$/.test(value) ? colours[Number(value)] : undefined;
  if (key === undefined) return /^[89]$/.test(value) ? t('colour.standard') : shown(value, t);
  const name = t(key);
  return [name, ...coloured(`^${value}${name}`, t)].join('\n');
}

function carLine({ name, value }: Option, t: Translator): string | null {
  const { car, role } = BY_CAR.exec(name)?.groups ?? {};
  const roleKey = role === undefined ? undefined : roles[role];
  if (car === undefined || roleKey === undefined) return null;
  const label = joined(modelName(car.toUpperCase(), t), t(roleKey));
  return `**${label}** ${shown(value, t)}`;
}

/**
 * As code, since it is the game's own word, unless it is a number. A backtick, which would end the code, becomes a
 * similar letter.
 */
function shown(value: string, t: Translator): string {
  const word = cut(plain(value.slice(0, VALUE * 4)).trim(), VALUE).replaceAll('`', 'ˋ');
  if (/^\d+$/.test(word)) return word;
  return word === '' ? t('options.empty') : `\`${word}\``;
}

function controls(subject: string, t: Translator): readonly Row[] {
  return [
    buttons(
      {
        command: 'profile',
        action: 'overview',
        subject,
        label: t('card.profile'),
      },
      refreshButton({ command: 'options', action: '', subject }, t),
    ),
  ];
}
