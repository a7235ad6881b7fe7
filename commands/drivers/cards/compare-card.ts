import { tableBlock } from '../../../src/cards/kit/block.ts';
import { buttonRow, type Card, createCard, refreshButton } from '../../../src/cards/kit/card.ts';
import { type CustomId, fitsCustomId } from '../../../src/cards/kit/custom-id.ts';
import { driverName } from '../../../src/cards/kit/driver.ts';
import { asOf, oldData } from '../../../src/cards/kit/freshness.ts';
import { compact, formatOptional, joinParts } from '../../../src/cards/kit/lines.ts';
import type { TextKey, Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import type { KnownStats, StatName } from '../../../src/service/models/stats.ts';
import { cutText } from '../../../src/text/cut.ts';
import { toMarkdown } from '../../../src/text/markdown.ts';
import { escapeMarkdown } from '../../../src/text/names.ts';
import { displayName } from '../../../src/text/plain.ts';
import { distanceCell, durationCell } from './figure-table.ts';
import { chasesOf, crashRate, earnedByHour, winRate } from './rates.ts';

interface Line {
  readonly label: TextKey | ((t: Translator) => string);
  readonly of: (profile: Profile, t: Translator) => number | null;
  readonly written: (value: number, t: Translator) => string;
  /** The lower figure leads. */
  readonly fewer?: true;
}

/** Maximum characters of a name below the table. */
const MAX_NAME_LENGTH = 38;
/** Point from between the two values to the leader's, and stand for the names, for which a phone has no room there. */
const LEADS = { a: '◄', b: '►', even: '=' };

const stat =
  (name: StatName) =>
  ({ stats }: Profile): number | null =>
    stats?.known[name] ?? null;
const plainNumber = (value: number, t: Translator): string => t.compact(value);

const rate =
  (of: (knownStats: KnownStats) => number | null) =>
  ({ stats }: Profile): number | null =>
    stats === null ? null : of(stats.known);

/** In both roles. */
function chaseWins(knownStats: KnownStats): number | null {
  const chases = chasesOf(knownStats);
  return winRate(chases?.won, chases?.lost);
}

const lines: readonly Line[] = [
  {
    label: (t) => t('compare.driven', { unit: t.distanceUnit.name() }),
    of: stat('driven_distance'),
    written: distanceCell,
  },
  { label: 'stat.gaming_time_total', of: stat('gaming_time_total'), written: durationCell },
  { label: 'record.asPolice', of: stat('gaming_time_cop'), written: durationCell },
  { label: 'compare.towing', of: stat('gaming_time_tow'), written: durationCell },
  { label: 'compare.copWon', of: stat('chases_won_cop'), written: plainNumber },
  { label: 'compare.robberWon', of: stat('chases_won_robber'), written: plainNumber },
  { label: 'stat.cop_xp', of: stat('cop_xp'), written: plainNumber },
  { label: 'stat.robber_xp', of: stat('robber_xp'), written: plainNumber },
  { label: 'stat.rp_xp', of: stat('rp_xp'), written: plainNumber },
  { label: 'compare.chaseWins', of: rate(chaseWins), written: (share, t) => t.percent(share) },
  { label: 'stat.crashes', of: stat('crashes'), written: plainNumber, fewer: true },
  {
    label: (t) => t('compare.crashRate', { unit: t.distanceUnit.name() }),
    of: ({ stats }, t) => (stats === null ? null : crashRate(stats.known, t.distanceUnit.metres)),
    written: (rate, t) => t.number(rate, 1),
    fewer: true,
  },
  { label: 'compare.earned', of: rate(earnedByHour), written: plainNumber },
  { label: 'compare.sos', of: stat('sos_responded'), written: plainNumber },
  { label: 'stat.net_value', of: stat('net_value'), written: plainNumber },
  { label: 'profile.money', of: ({ money }) => money, written: plainNumber },
  { label: 'compare.cars', of: ({ cars }) => cars?.length ?? null, written: plainNumber },
];

/** Two drivers side by side: their figures in a table, who leads in each line, and in how many lines. */
export function compareCard(a: Answer<Profile>, b: Answer<Profile>, t: Translator): Card {
  const names = namesOf(a.record, b.record);
  const older = a.asOf <= b.asOf ? a : b;
  const content = {
    title: t('compare.title', { a: driverName(a.record), b: driverName(b.record) }),
    lead: [...new Set([oldData(a, t), oldData(b, t)]), ...figures(a.record, b.record, names, t)],
    tail: asOf(older, t),
    components: controls(a.record.username, b.record.username, names, t),
  };
  return createCard(content, t);
}

/**
 * Two names in one custom id: concatenated, with the position where the second begins, since any character may
 * occur in a name.
 */
export function writePair(a: string, b: string): Pick<CustomId, 'number' | 'subject'> {
  return { number: a.length, subject: a + b };
}

export function readPair({ number, subject }: { readonly number: number; readonly subject: string }) {
  return { a: subject.slice(0, number), b: subject.slice(number) };
}

type Names = ReturnType<typeof namesOf>;

function nameBelow({ nickname, username }: Profile): string {
  return cutText(displayName(nickname, username), MAX_NAME_LENGTH);
}

/** In short, as they are called in the game; two drivers of one name by their login names. */
function namesOf(a: Profile, b: Profile) {
  const names = { a: nameBelow(a), b: nameBelow(b) };
  return names.a === names.b ? { a: displayName(null, a.username), b: displayName(null, b.username) } : names;
}

function figures(a: Profile, b: Profile, names: Names, t: Translator): readonly string[] {
  const rows = compact(...lines.map((line) => compareLine(line, a, b, t)));
  if (rows.length === 0) return [t('compare.none')];
  const count = (who: keyof typeof LEADS): number => rows.filter(({ lead }) => lead === who).length;
  const wins = (who: 'a' | 'b'): string =>
    t('compare.leads', { name: `${LEADS[who]} **${escapeMarkdown(names[who])}**`, n: count(who) });
  const even = count('even');
  return [
    tableBlock(
      [
        { heading: t('compare.figure'), most: 12, cell: ({ label }) => label },
        { heading: LEADS.a, align: 'right', cell: ({ textA }) => textA },
        { missing: '', cell: ({ lead }) => lead && LEADS[lead] },
        { heading: LEADS.b, align: 'right', cell: ({ textB }) => textB },
      ],
      rows,
    ),
    joinParts(wins('a'), wins('b'), even === 0 ? null : t('compare.even', { n: even })),
    toMarkdown(t('compare.legend')),
  ];
}

/** Compares formatted values: of 100.2 h and 100.4 h neither leads. Null for a figure that neither has. */
function compareLine({ label, of, written, fewer }: Line, a: Profile, b: Profile, t: Translator) {
  const [valueA, valueB] = [of(a, t), of(b, t)];
  if (valueA === null && valueB === null) return null;
  const textOf = (value: number | null) => formatOptional(value, (known) => written(known, t));
  const row = {
    label: typeof label === 'string' ? t(label) : label(t),
    textA: textOf(valueA),
    textB: textOf(valueB),
    lead: null,
  };
  if (valueA === null || valueB === null) return row;
  const leader = valueA > valueB !== (fewer === true) ? 'a' : 'b';
  return { ...row, lead: row.textA === row.textB ? 'even' : leader } as const;
}

/** Two long names do not fit into one id, and two buttons for the same driver would have the same id. */
function controls(a: string, b: string, names: Names, t: Translator): Card['components'] {
  if (a === b) return [];
  const compareButton = { command: 'compare', action: '', ...writePair(a, b) };
  return [
    buttonRow(
      { command: 'profile', action: 'overview', subject: a, label: names.a, emoji: '👤' },
      { command: 'profile', action: 'overview', subject: b, label: names.b, emoji: '👤' },
      ...(fitsCustomId({ ...compareButton, refresh: true }) ? [refreshButton(compareButton, t)] : []),
    ),
  ];
}
