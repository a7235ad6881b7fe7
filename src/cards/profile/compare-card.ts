import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/answer.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { StatName } from '../../service/models/stats.ts';
import { markdown } from '../../text/markdown.ts';
import { displayName } from '../../text/plain.ts';
import { buttons, type Card, refreshButton } from '../kit/card.ts';
import { fitsCustomId } from '../kit/custom-id.ts';
import { embed } from '../kit/embed.ts';
import { asOf, oldData } from '../kit/freshness.ts';
import { joined, named } from '../kit/lines.ts';
import { table } from '../kit/table.ts';
import { writePair } from './compare-action.ts';

interface Line {
  readonly label: TextKey;
  readonly of: (profile: Profile) => number | null;
  readonly written: (value: number, t: Translator) => string;
  /** The lower figure leads. */
  readonly fewer?: true;
}

/** Maximum characters of a name in the title, so that both fit. */
const NAME = 60;
/** Marks the leader in a line. */
const LEADS = '*';

const stat =
  (name: StatName) =>
  ({ stats }: Profile): number | null =>
    stats?.known[name] ?? null;
const plainNumber = (value: number, t: Translator): string => t.number(value);
const distance = (value: number, t: Translator): string => t.distance(value);
const duration = (value: number, t: Translator): string => t.duration(value);

const lines: readonly Line[] = [
  { label: 'stat.driven_distance', of: stat('driven_distance'), written: distance },
  { label: 'stat.gaming_time_total', of: stat('gaming_time_total'), written: duration },
  { label: 'record.asPolice', of: stat('gaming_time_cop'), written: duration },
  { label: 'compare.towing', of: stat('gaming_time_tow'), written: duration },
  { label: 'compare.copWon', of: stat('chases_won_cop'), written: plainNumber },
  { label: 'compare.robberWon', of: stat('chases_won_robber'), written: plainNumber },
  { label: 'stat.cop_xp', of: stat('cop_xp'), written: plainNumber },
  { label: 'stat.robber_xp', of: stat('robber_xp'), written: plainNumber },
  { label: 'stat.rp_xp', of: stat('rp_xp'), written: plainNumber },
  { label: 'stat.crashes', of: stat('crashes'), written: plainNumber, fewer: true },
  { label: 'stat.sos_responded', of: stat('sos_responded'), written: plainNumber },
  { label: 'stat.net_value', of: stat('net_value'), written: plainNumber },
  { label: 'profile.money', of: ({ money }) => money, written: plainNumber },
  { label: 'compare.cars', of: ({ cars }) => cars?.length ?? null, written: plainNumber },
];

/** Two drivers side by side: their figures in a table, who leads in each line, and in how many lines. */
export function compareCard(a: Answer<Profile>, b: Answer<Profile>, t: Translator): Card {
  const [nameA, nameB] = [nameOf(a), nameOf(b)];
  const older = a.asOf <= b.asOf ? a : b;
  const body = {
    title: t('compare.title', { a: nameA, b: nameB }),
    lead: [
      ...new Set([...oldData(a, t), ...oldData(b, t)]),
      t('compare.nameA', { name: named(nameA) }),
      t('compare.nameB', { name: named(nameB) }),
      ...figures(a.record, b.record, t),
    ],
    sections: [asOf(older, t)],
  };
  return { embeds: [embed(body, t)], components: controls(a.record.username, b.record.username, t) };
}

function nameOf({ record: { username, nickname } }: Answer<Profile>): string {
  const name = displayName(nickname, username);
  return [...name].length > NAME ? `${[...name].slice(0, NAME - 1).join('')}…` : name;
}

function figures(a: Profile, b: Profile, t: Translator): readonly string[] {
  const reported = lines.flatMap((line) => {
    const [valueA, valueB] = [line.of(a), line.of(b)];
    // A figure that neither has is left out.
    if (valueA === null && valueB === null) return [];
    const lead = valueA === null || valueB === null ? null : leader(valueA, valueB, line.fewer === true);
    return [{ line, valueA, valueB, lead }];
  });
  if (reported.length === 0) return [t('compare.none')];

  const cell = (value: number | null, line: Line, leads: boolean): string =>
    value === null ? '–' : `${leads ? LEADS : ''}${line.written(value, t)}`;
  const rows = reported.map(({ line, valueA, valueB, lead }) => [
    t(line.label),
    cell(valueA, line, lead === 'a'),
    cell(valueB, line, lead === 'b'),
  ]);
  const count = (who: string): number => reported.filter(({ lead }) => lead === who).length;
  const wins = (name: string, n: number): string => t('compare.leads', { name: `**${name}**`, n });
  const even = count('even');
  return [
    table(
      [
        { heading: t('compare.figure'), align: 'left', most: 12 },
        { heading: t('compare.a'), align: 'right', most: 16 },
        { heading: t('compare.b'), align: 'right', most: 16 },
      ],
      rows,
    ),
    joined(wins('A', count('a')), wins('B', count('b')), even === 0 ? null : t('compare.even', { n: even })),
    markdown(t('compare.legend')),
  ];
}

function leader(a: number, b: number, fewer: boolean): 'a' | 'b' | 'even' {
  if (a === b) return 'even';
  return a > b !== fewer ? 'a' : 'b';
}

/** Two long names do not fit into one id, and two buttons for the same driver would have the same id. */
function controls(a: string, b: string, t: Translator): Card['components'] {
  if (a === b) return [];
  const again = { command: 'compare', action: '', ...writePair(a, b) };
  return [
    buttons(
      { command: 'profile', action: 'overview', subject: a, label: t('compare.profileA') },
      { command: 'profile', action: 'overview', subject: b, label: t('compare.profileB') },
      ...(fitsCustomId({ ...again, refresh: true }) ? [refreshButton(again, t)] : []),
    ),
  ];
}
