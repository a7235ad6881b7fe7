import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { StatName, Stats } from '../../service/models/stats.ts';
import type { Section } from '../kit/embed.ts';
import { each, type Lines } from '../kit/fit-lines.ts';
import { fact, joined, said } from '../kit/lines.ts';
import { table } from '../kit/table.ts';
import type { Place } from './profile-action.ts';
import { chasesOf, crashRate, earnedByHour, winRate } from './rates.ts';
import type { ViewContent } from './view-content.ts';

type Figures = Stats['known'];
/** Shown as won and lost in one line, not separately. */
type ScoreName = 'chases_won_cop' | 'chases_lost_cop' | 'chases_won_robber' | 'chases_lost_robber';
type Figure = Exclude<StatName, ScoreName>;

/** How far and for how long in each role: the figures are in the table, each role once. */
const roles = [
  ['record.total', 'driven_distance', 'gaming_time_total'],
  ['stat.driven_distance_civil', 'driven_distance_civil', 'gaming_time_civil'],
  ['stat.driven_distance_cop', 'driven_distance_cop', 'gaming_time_cop'],
  ['stat.driven_distance_tow', 'driven_distance_tow', 'gaming_time_tow'],
  ['stat.driven_distance_chasing', 'driven_distance_chasing', 'gaming_time_chasing'],
  ['stat.driven_distance_chased', 'driven_distance_chased', 'gaming_time_chased'],
  ['stat.driven_distance_offroad', 'driven_distance_offroad', null],
  ['stat.driven_distance_sos', 'driven_distance_sos', null],
  ['record.gumball', 'gumball_distance', 'gumball_time'],
] as const satisfies readonly (readonly [TextKey, Figure, Figure | null])[];

/** Heading and figures of each part below the table, by interest to drivers. */
const groups: readonly (readonly [heading: TextKey, figures: readonly Figure[]])[] = [
  ['record.chases', ['outran_cops', 'cop_xp', 'robber_xp']],
  ['record.incidents', ['crashes', 'sos_responded', 'sos_called', 'winch_used', 'ramps_placed', 'rp_xp']],
  ['record.worth', ['net_value']],
  [
    'record.earnings',
    [
      'driving_money_plus',
      'received_money',
      'received_fines',
      'earned_refunds',
      'received_compensation',
      'received_donation',
    ],
  ],
  [
    'record.spending',
    [
      'driving_money_minus',
      'sent_money',
      'paid_fines',
      'paid_radar_fines',
      'paid_for_renting',
      'paid_compensation',
      'paid_donation',
    ],
  ],
];

/** All figures that the service reports for a driver, each once. */
export function record({ record: { stats } }: Answer<Profile>, _place: Place, t: Translator): ViewContent {
  const heading = `**${t('profile.view.record')}**`;
  if (stats === null) return { lead: [heading, t('record.missing')] };
  const byRole = roleTable(stats.known, t);
  const sections = parts(stats, t).map((part) => ({ ...part, inline: true }));
  if (byRole.length === 0 && sections.length === 0) return { lead: [heading, t('record.none')] };
  return { lead: [heading, ...byRole], sections, wide: true };
}

/** Distance and time of each role; empty where none is reported. At most 36 letters wide: see {@link table}. */
function roleTable(known: Figures, t: Translator): readonly string[] {
  const reported = roles.flatMap(([label, distance, time]) => {
    const cells = [amount(known, distance, t), time === null ? null : amount(known, time, t)];
    return cells.every((cell) => cell === null) ? [] : [[t(label), ...cells]];
  });
  if (reported.length === 0) return [];
  const columns = [
    { heading: '', align: 'left', most: 14 },
    { heading: t('record.driving'), align: 'right', most: 12 },
    { heading: t('stat.gumball_time'), align: 'right', most: 11 },
  ] as const;
  return [table(columns, reported)];
}

/** The non-empty parts below the table, by interest to drivers. */
function parts(stats: Stats, t: Translator): readonly { name: string; lines: Lines }[] {
  const described = groups.map(([name, figures]) => ({
    name: t(name),
    lines: [
      ...(name === 'record.chases' ? scores(stats.known, t) : []),
      ...figures.flatMap((figure) => figureLines(stats.known, figure, t)),
    ],
  }));
  return [...described, { name: t('record.other'), lines: others(stats, t) }].filter(
    ({ lines }) => lines.length > 0,
  );
}

/** A figure, and the rate that says more than the sum does. */
function figureLines(known: Figures, figure: Figure, t: Translator): readonly string[] {
  const written = fact(t(`stat.${figure}`), amount(known, figure, t));
  const crashes = figure === 'crashes' ? crashRate(known) : null;
  const earned = figure === 'net_value' ? earnedByHour(known) : null;
  return [
    ...written,
    ...(crashes === null ? [] : [t('record.crashRate', { rate: t.number(crashes, 1) })]),
    ...fact(t('compare.earned'), earned === null ? null : t.number(earned)),
  ];
}

/** Undocumented figures are shown under the service's own names, not guessed at. */
function others({ other }: Stats, t: Translator): Lines {
  return each(other, ({ name, value }) => `**${said(name) || '?'}** ${t.number(value, 1)}`);
}

/**
 * What a driver is proud of, each in a field of its own, side by side: distance, time, chases won of all. None where
 * the service reports none of them.
 */
export function heroFigures({ known }: Stats, t: Translator): readonly Section[] {
  const figures = [
    [t('stat.driven_distance'), amount(known, 'driven_distance', t)],
    [t('stat.gaming_time_total'), amount(known, 'gaming_time_total', t)],
    [t('record.chasesWon'), chasesWon(known, t)],
  ] as const;
  return figures.flatMap(([name, value]) =>
    value === null ? [] : [{ name, lines: [`**${value}**`], inline: true }],
  );
}

/** All figures in one list, by interest to drivers. */
export function allFigures(stats: Stats, t: Translator): Lines {
  const byRole = roles.flatMap(([, distance, time]) =>
    [distance, time].flatMap((figure) =>
      figure === null ? [] : fact(t(`stat.${figure}`), amount(stats.known, figure, t)),
    ),
  );
  return [...byRole, ...parts(stats, t).flatMap(({ lines }) => [...lines])];
}

/** As police and as robber together. */
function chasesWon(known: Figures, t: Translator): string | null {
  const chases = chasesOf(known);
  if (chases === null) return null;
  const { won, lost } = chases;
  return lost === null ? t.number(won) : t('record.wonOf', { won, all: won + lost });
}

/** `driven_distance*` is in metres, `gaming_time_*` in seconds. */
function amount(known: Figures, figure: Figure, t: Translator): string | null {
  const value = known[figure];
  if (value === undefined) return null;
  if (figure.includes('distance')) return t.distance(value);
  if (figure.includes('time')) return t.duration(value);
  return t.number(value);
}

/** "94 won, 54 lost · 64%", in each role. */
function scores(known: Figures, t: Translator): readonly string[] {
  const score = (won: number | undefined, lost: number | undefined): string | null => {
    if (won === undefined) return lost === undefined ? null : t('record.scoreLost', { lost });
    if (lost === undefined) return t('record.scoreWon', { won });
    const rate = winRate(won, lost);
    return joined(t('record.score', { won, lost }), rate === null ? null : t.percent(rate));
  };
  return [
    ...fact(t('record.asPolice'), score(known.chases_won_cop, known.chases_lost_cop)),
    ...fact(t('record.asRobber'), score(known.chases_won_robber, known.chases_lost_robber)),
  ];
}
