import type { Answer } from '../../service/client.ts';
import type { Profile, StatName, Stats } from '../../service/models/models.ts';
import type { WordKey, Words } from '../../i18n/translator.ts';
import { each } from '../kit/fit-lines.ts';
import { fact, joined, said } from '../kit/lines.ts';
import type { Place } from './profile-action.ts';
import type { ViewContent } from './view-content.ts';

type Known = Stats['known'];
/** Told as won and lost in one line, not by themselves. */
type ScoreName = 'chases_won_cop' | 'chases_lost_cop' | 'chases_won_robber' | 'chases_lost_robber';
type Figure = Exclude<StatName, ScoreName>;

/** Heading and figures of each part, in the order of a driver's interest. */
const groups: readonly (readonly [heading: WordKey, figures: readonly Figure[]])[] = [
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

/** All that the service tells of what a driver did. */
export function record({ record: { stats } }: Answer<Profile>, _place: Place, words: Words): ViewContent {
  const heading = `**${words.text('profile.view.record')}**`;
  if (stats === null) return { lead: [heading, words.text('record.untold')] };
  const parts = groups.map(([name, figures]) => ({
    name: words.text(name),
    lines: [
      ...(name === 'record.chases' ? scores(stats.known, words) : []),
      ...figures.flatMap((figure) => fact(words.text(`stat.${figure}`), amount(stats.known, figure, words))),
    ],
  }));
  // Figures that nobody has described are shown by the service's own names rather than guessed at.
  const others = each(stats.other, ({ name, value }) => `**${said(name) || '?'}** ${words.number(value, 1)}`);
  const sections = [...parts, { name: words.text('record.other'), lines: others }]
    .filter(({ lines }) => lines.length > 0)
    .map((section) => ({ ...section, inline: true }));
  return sections.length === 0
    ? { lead: [heading, words.text('record.none')] }
    : { lead: [heading], sections };
}

/** The few figures that say most, for a first look at a driver. */
export function mainFigures({ known }: Stats, words: Words): readonly string[] {
  const told = (figure: Figure): readonly string[] =>
    fact(words.text(`stat.${figure}`), amount(known, figure, words));
  const roles = joined(
    ...(['gaming_time_civil', 'gaming_time_cop', 'gaming_time_tow'] as const).map((figure) => {
      const time = amount(known, figure, words);
      return time === null ? null : `${words.text(`stat.${figure}`)} ${time}`;
    }),
  );
  return [
    ...told('driven_distance'),
    ...told('gaming_time_total'),
    ...(roles === '' ? [] : [roles]),
    ...scores(known, words),
    ...told('crashes'),
    ...told('net_value'),
  ];
}

/** Distances are metres and times seconds (field notes §2). */
function amount(known: Known, figure: Figure, words: Words): string | null {
  const value = known[figure];
  if (value === undefined) return null;
  if (figure.includes('distance')) return words.distance(value);
  if (figure.includes('time')) return words.duration(value);
  return words.number(value);
}

function scores(known: Known, words: Words): readonly string[] {
  const score = (won: number | undefined, lost: number | undefined): string | null => {
    if (won === undefined) return lost === undefined ? null : words.text('record.scoreLost', { lost });
    if (lost === undefined) return words.text('record.scoreWon', { won });
    return words.text('record.score', { won, lost });
  };
  return [
    ...fact(words.text('record.asPolice'), score(known.chases_won_cop, known.chases_lost_cop)),
    ...fact(words.text('record.asRobber'), score(known.chases_won_robber, known.chases_lost_robber)),
  ];
}
