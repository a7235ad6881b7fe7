import type { Day } from './day.ts';

/** What must not have happened in a day, in words; none is the aim. */
export function wrongs(day: Day): readonly string[] {
  const slow = Object.entries(day.recovery).flatMap(([kind, seconds]) => {
    const most = kind.includes('killed') ? 30 : 20;
    return seconds > most ? [`${seconds} s to recover after ${kind}`] : [];
  });
  const found: readonly [boolean, string][] = [
    [day.lost > 0, 'the board was lost'],
    [day.doubledFor > 60, `there were two for ${day.doubledFor} s`],
    [day.olderAfterNewer > 0, `${day.olderAfterNewer} older states after newer ones`],
    [day.falselyEmpty > 0, `shown empty ${day.falselyEmpty} times`],
    [day.edits > 1.05 * day.states + 60 * 24, `${day.edits} edits for ${day.states} states`],
    // A minute, and five where the budget had run out.
    [day.wholeAgain > 330, `${day.wholeAgain} s until no part was old any more`],
    [day.invalid > 10, `${day.invalid} refusals in ten minutes`],
  ];
  return [...found.filter(([is]) => is).map(([, what]) => what), ...slow];
}
