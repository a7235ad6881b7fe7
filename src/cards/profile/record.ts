import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { StatName, Stats } from '../../service/models/stats.ts';
import type { Section } from '../kit/embed.ts';
import { each, type Lines } from '../kit/fit-lines.ts';
import { fact, said } from '../kit/lines.ts';
import type { Place } from './profile-action.ts';
import type { ViewContent } from './view-content.ts';

type Known = Stats['known'];
/** Shown as won and lost in one line, not separately. */
type ScoreName = 'chases_won_cop' | 'chases_lost_cop' | 'chases_won_robber' | 'chases_lost_robber';
type Figure = Exclude<StatName, ScoreName>;

/** Heading and figures of each part, by interest to drivers. */
const groups: readonly (readonly [heading: TextKey, figures: readonly Figure[]])[] = [
  [
    'record.driving',
    [
      'driven_distance',
      'driven_distance_civil',
      'driven_distance_cop',
      'driven_distance_tow',
      'driven_distance_chasing',
      'driven_distance_chased',
      'driven_distance_offroad',
      'driven_distance_sos',
    ],
  ],
  [
    'record.time',
    [
      'gaming_time_total',
      'gaming_time_civil',
      'gaming_time_cop',
      'gaming_time_tow',
      'gaming_time_chasing',
      'gaming_time_chased',
    ],
  ],
  ['record.chases', ['outran_cops']],
  ['record.experience', ['cop_xp', 'robber_xp', 'rp_xp']],
  ['record.incidents', ['crashes', 'winch_used', 'ramps_placed', 'sos_called', 'sos_responded']],
  ['record.gumball', ['gumball_distance', 'gumball_time']],
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

/** All figures that the service reports for a driver. */
export function record({ record: { stats } }: Answer<Profile>, _place: Place, t: Translator): ViewContent {
  const heading = `**${t('profile.view.record')}**`;
  if (stats === null) return { lead: [heading, t('record.missing')] };
  const sections = parts(stats, t).map((part) => ({ ...part, inline: true }));
  return sections.length === 0 ? { lead: [heading, t('record.none')] } : { lead: [heading], sections };
}

/** The non-empty parts, by interest to drivers. */
function parts({ known, other }: Stats, t: Translator): readonly { name: string; lines: Lines }[] {
  const described = groups.map(([name, figures]) => ({
    name: t(name),
    lines: [
      ...(name === 'record.chases' ? scores(known, t) : []),
      ...figures.flatMap((figure) => fact(t(`stat.${figure}`), amount(known, figure, t))),
    ],
  }));
  // Undocumented figures are shown under the service's own names, not guessed at.
  const others = each(other, ({ name, value }) => `**${said(name) || '?'}** ${t.number(value, 1)}`);
  return [...described, { name: t('record.other'), lines: others }].filter(({ lines }) => lines.length > 0);
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
  return parts(stats, t).flatMap(({ lines }) => [...lines]);
}

/** As police and as robber together. */
function chasesWon(known: Known, t: Translator): string | null {
  const sum = (...scores: readonly (number | undefined)[]): number | null => {
    const reported = scores.filter((score) => score !== undefined);
    return reported.length === 0 ? null : reported.reduce((total, score) => total + score, 0);
  };
  const won = sum(known.chases_won_cop, known.chases_won_robber);
  const lost = sum(known.chases_lost_cop, known.chases_lost_robber);
  if (won === null) return null;
  return lost === null ? t.number(won) : t('record.wonOf', { won, all: won + lost });
}

/** `driven_distance*` is in metres, `gaming_time_*` in seconds. */
function amount(known: Known, figure: Figure, t: Translator): string | null {
  const value = known[figure];
  if (value === undefined) return null;
  if (figure.includes('distance')) return t.distance(value);
  if (figure.includes('time')) return t.duration(value);
  return t.number(value);
}

function scores(known: Known, t: Translator): readonly string[] {
  const score = (won: number | undefined, lost: number | undefined): string | null => {
    if (won === undefined) return lost === undefined ? null : t('record.scoreLost', { lost });
    if (lost === undefined) return t('record.scoreWon', { won });
    return t('record.score', { won, lost });
  };
  return [
    ...fact(t('record.asPolice'), score(known.chases_won_cop, known.chases_lost_cop)),
    ...fact(t('record.asRobber'), score(known.chases_won_robber, known.chases_lost_robber)),
  ];
}
