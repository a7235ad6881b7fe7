import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { StatName, Stats } from '../../service/models/stats.ts';
import { each, type Lines } from '../kit/fit-lines.ts';
import { fact, joined, said } from '../kit/lines.ts';
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

/** The figures for the first view: the few most telling ones, else all. Empty only if the record is. */
export function mainFigures(stats: Stats, t: Translator): Lines {
  const { known } = stats;
  const line = (figure: Figure): readonly string[] => fact(t(`stat.${figure}`), amount(known, figure, t));
  const roles = joined(
    ...(['gaming_time_civil', 'gaming_time_cop', 'gaming_time_tow'] as const).map((figure) => {
      const time = amount(known, figure, t);
      // Non-breaking, for narrow lines.
      return time === null ? null : `${t(`stat.${figure}`)} ${time}`.replaceAll(' ', '\u00a0');
    }),
  );
  const main = [
    ...line('driven_distance'),
    ...line('gaming_time_total'),
    ...(roles === '' ? [] : [roles]),
    ...scores(known, t),
    ...line('crashes'),
    ...line('net_value'),
  ];
  return main.length > 0 ? main : parts(stats, t).flatMap(({ lines }) => [...lines]);
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
