import type { TextKey, Translator } from '../../i18n/translator.ts';
import type { Answer } from '../../service/models/dated.ts';
import type { Profile } from '../../service/models/profile.ts';
import type { KnownStats, StatName, Stats } from '../../service/models/stats.ts';
import type { Content } from '../kit/card.ts';
import { type Lines, linePerRow } from '../kit/fit-lines.ts';
import { compact, escapeGameText, formatOptional, joinParts, labelledFact } from '../kit/lines.ts';
import { distanceCell, durationCell, figureTable, moneyTable } from './figure-table.ts';
import { chasesOf, crashRate, winRate } from './rates.ts';

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
] as const satisfies readonly (readonly [TextKey, StatName, StatName | null])[];

/** The other figures, one line each, by interest to drivers. */
const lines = [
  ['outran_cops', 'cop_xp', 'robber_xp'],
  ['crashes', 'rp_xp', 'sos_responded', 'sos_called', 'winch_used', 'ramps_placed'],
] as const satisfies readonly (readonly StatName[])[];

/** Every figure that the service reports of a driver, each once, but money. */
export function recordView({ record: { stats } }: Answer<Profile>, t: Translator): Omit<Content, 'title'> {
  const heading = `**${t('profile.view.record')}**`;
  if (stats === null) return { lead: [heading, t('record.missing')] };
  const headings = [t.distanceUnit.name(), t('record.duration')] as const;
  const cells = rolesOf(
    withoutUnusedRoles(stats.known),
    { distance: distanceCell, duration: durationCell },
    t,
  );
  const driving = [...figureTable(headings, cells, t), ...figureLines(stats.known, t)];
  const { other } = stats;
  // The service reports only money for some drivers.
  const lead = driving.length > 0 ? driving : [heading, ...moneyTable(stats.known, t)];
  if (lead.length === 1 && driving.length === 0 && other.length === 0)
    return { lead: [heading, t('record.none')] };
  return {
    lead,
    ...(other.length === 0 ? {} : { sections: [{ name: t('record.other'), ...otherFigures(stats, t) }] }),
  };
}

type Format = (value: number, t: Translator) => string;

/** Leaves out the roles that the driver never had. The total stays, even if it is zero. */
function withoutUnusedRoles(known: KnownStats): KnownStats {
  const unused: readonly string[] = roles
    .slice(1)
    .filter(([, distance, time]) => !known[distance] && (time === null || !known[time]))
    .flatMap(([, distance, time]) => (time === null ? [distance] : [distance, time]));
  return Object.fromEntries(Object.entries(known).filter(([name]) => !unused.includes(name)));
}

function rolesOf(
  knownStats: KnownStats,
  { distance: ofDistance, duration: ofDuration }: Readonly<Record<'distance' | 'duration', Format>>,
  t: Translator,
) {
  return roles.map(([label, distance, time]) => {
    const duration =
      time === null ? null : formatOptional(knownStats[time], (seconds) => ofDuration(seconds, t));
    return [
      label,
      formatOptional(knownStats[distance], (metres) => ofDistance(metres, t)),
      duration,
    ] as const;
  });
}

function figureLines(knownStats: KnownStats, t: Translator): readonly string[] {
  const described = lines.map((figures) =>
    joinParts(...figures.map((figure) => factOf(knownStats, figure, t))),
  );
  return [...scores(knownStats, t), ...described.filter((line) => line !== '')];
}

/** A figure, and the rate that says more than the sum does. Zero says nothing, except of crashes. */
function factOf(knownStats: KnownStats, figure: (typeof lines)[number][number], t: Translator): string {
  const { metres, name } = t.distanceUnit;
  const crashes = figure === 'crashes' ? crashRate(knownStats, metres) : null;
  return joinParts(
    knownStats[figure] === 0 && figure !== 'crashes'
      ? null
      : labelledFact(t(`stat.${figure}`), formatOptional(knownStats[figure], t.number)),
    formatOptional(crashes, (rate) => t('record.crashRate', { rate: t.number(rate, 1), unit: name() })),
  );
}

/** Rows of figures that we do not know. */
const MAX_OTHER_ROWS = 6;

/**
 * Undocumented figures are shown under the service's own names, not guessed at; last those that the later generation calls
 * by a number, since that says little to a driver.
 */
function otherFigures({ other }: Stats, t: Translator): { readonly lines: Lines; readonly entries: number } {
  const all = other.toSorted((a, b) => Number(isNumbered(a)) - Number(isNumbered(b)));
  return { lines: linePerRow(all, (figure) => otherLine(figure, t)), entries: MAX_OTHER_ROWS };
}

function isNumbered({ name }: Pick<Stats['other'][number], 'name'>): boolean {
  return /^\d+$/.test(name);
}

function otherLine({ name, value }: Stats['other'][number], t: Translator): string {
  return `**${isNumbered({ name }) ? '#' : ''}${escapeGameText(name) || '?'}** ${t.number(value, 1)}`;
}

/** A driver's best in one line: distance, time, chases won of all. Empty where none of them is reported. */
export function heroLine({ known }: Stats, t: Translator): string {
  const bold = (figure: string | null) => figure && `**${figure}**`;
  const chases = chasesOf(known);
  return joinParts(
    bold(formatOptional(known.driven_distance, t.distance)),
    bold(formatOptional(known.gaming_time_total, t.duration)),
    chases && t('record.wonOf', { won: chases.won, all: chases.won + chases.lost }),
  );
}

/** Returns the figures in one list, by interest to drivers. */
export function allFigures(stats: Stats, t: Translator): readonly string[] {
  const { known: knownStats } = stats;
  return compact(
    ...rolesOf(knownStats, { distance: t.distance, duration: (seconds) => t.duration(seconds) }, t).map(
      ([label, ...figures]) => labelledFact(t(label), joinParts(...figures) || null),
    ),
    ...figureLines(knownStats, t),
    ...stats.other.filter((figure) => !isNumbered(figure)).map((figure) => otherLine(figure, t)),
  );
}

/** "94 won, 54 lost · 64%", in each role. */
function scores(knownStats: KnownStats, t: Translator): readonly string[] {
  const score = (won: number | undefined, lost: number | undefined): string | null => {
    if (!won && !lost) return null;
    if (won === undefined) return lost === undefined ? null : t('record.scoreLost', { lost });
    if (lost === undefined) return t('record.scoreWon', { won });
    const rate = winRate(won, lost);
    return joinParts(t('record.score', { won, lost }), formatOptional(rate, t.percent));
  };
  return compact(
    labelledFact(t('record.asPolice'), score(knownStats.chases_won_cop, knownStats.chases_lost_cop)),
    labelledFact(t('record.asRobber'), score(knownStats.chases_won_robber, knownStats.chases_lost_robber)),
  );
}
