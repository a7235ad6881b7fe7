import type { Content, Section } from '../../../src/cards/kit/card.ts';
import { linePerRow } from '../../../src/cards/kit/fit-lines.ts';
import { compact, formatOptional, joinParts, labelledFact } from '../../../src/cards/kit/lines.ts';
import type { Translator } from '../../../src/i18n/translator.ts';
import type { Answer } from '../../../src/service/models/dated.ts';
import type { Profile } from '../../../src/service/models/profile.ts';
import type { KnownStats, StatName, Stats } from '../../../src/service/models/stats.ts';
import { escapeGameText } from '../../../src/text/names.ts';
import { distanceCell, durationCell, type FigureRow, figureTable } from './figure-table.ts';
import { moneyTable } from './properties.ts';
import { chasesOf, crashRate, winRate } from './rates.ts';

/** How far and for how long in each role: the figures are in the table, each role once. */
const roles: readonly FigureRow[] = [
  ['record.total', 'driven_distance', 'gaming_time_total'],
  ['stat.driven_distance_civil', 'driven_distance_civil', 'gaming_time_civil'],
  ['stat.driven_distance_cop', 'driven_distance_cop', 'gaming_time_cop'],
  ['stat.driven_distance_tow', 'driven_distance_tow', 'gaming_time_tow'],
  ['stat.driven_distance_chasing', 'driven_distance_chasing', 'gaming_time_chasing'],
  ['stat.driven_distance_chased', 'driven_distance_chased', 'gaming_time_chased'],
  ['stat.driven_distance_offroad', 'driven_distance_offroad', null],
  ['stat.driven_distance_sos', 'driven_distance_sos', null],
  ['record.gumball', 'gumball_distance', 'gumball_time'],
];

/** The other figures, one line each, by interest to drivers. */
const lines = [
  ['outran_cops', 'cop_xp', 'robber_xp'],
  ['crashes', 'rp_xp', 'sos_responded', 'sos_called', 'winch_used', 'ramps_placed'],
] as const satisfies readonly (readonly StatName[])[];

/** Every figure that the service reports of a driver, each once, but money. */
export function recordView({ record: { stats } }: Answer<Profile>, t: Translator): Omit<Content, 'title'> {
  const heading = `**${t('profile.view.record')}**`;
  if (stats === null) return { lead: [heading, t('record.missing')] };
  const { known, other } = stats;
  const columns = [
    { heading: t.distanceUnit.name(), format: (metres: number) => distanceCell(metres, t) },
    { heading: t('record.duration'), format: (seconds: number) => durationCell(seconds, t) },
  ];
  const driving = [...figureTable(known, rolesOf(known), columns, t), ...figureLines(known, t)];
  // The service reports only money for some drivers.
  const lead = driving.length > 0 ? driving : [heading, ...moneyTable(known, t)];
  const isEmpty = lead.length === 1 && driving.length === 0 && other.length === 0;
  return {
    lead: isEmpty ? [heading, t('record.none')] : lead,
    sections: other.length === 0 ? [] : [otherFigures(stats, t)],
  };
}

/** Leaves out the roles that the driver never had. The total stays, even if it is zero. */
function rolesOf(known: KnownStats): readonly FigureRow[] {
  return roles.filter(
    ([label, ...names]) => label === 'record.total' || names.some((name) => name !== null && known[name]),
  );
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
function otherFigures({ other }: Stats, t: Translator): Section {
  const all = other.toSorted((a, b) => Number(isNumbered(a)) - Number(isNumbered(b)));
  const lines = linePerRow(all, (figure) => otherLine(figure, t));
  return { name: t('record.other'), lines, entries: MAX_OTHER_ROWS };
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
  const { known } = stats;
  const roleLine = ([label, distance, time]: (typeof roles)[number]): string | null => {
    const driven = formatOptional(distance && known[distance], t.distance);
    const played = formatOptional(time && known[time], (seconds) => t.duration(seconds));
    return labelledFact(t(label), joinParts(driven, played) || null);
  };
  return compact(
    ...rolesOf(known).map(roleLine),
    ...figureLines(known, t),
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
